import { expect, it } from "vitest";
import { itemIds, mergedFileKey } from "../../../src/core/batches/item-ids.ts";
import { accessOf, formatOfFileKey, isMergedFileKey } from "../../../src/core/documents/document.ts";
import { parseUuid } from "../../../src/core/uuid.ts";

const batches = ["a", "b"].map((letter) => ({ secret: letter.repeat(43), options: { format: "webp" as const } }));
const [batch = { secret: "", options: { format: "webp" } }, other = batch] = batches;
const privateBatch = { ...batch, options: { ...batch.options, access: "private" as const } };

it("an item always has the same ids, which differ for other items and secrets", async () => {
  const made = [itemIds(batch, 0), itemIds(batch, 1), itemIds(other, 0)];

  const values = made.flatMap(({ id, fileKey }) => [id, fileKey]);
  expect(itemIds(batch, 0)).toEqual(made[0]);
  expect(new Set(values).size).toBe(6);
});

it("the id of an item is a UUID of version 8 that reveals nothing about its file key", async () => {
  const made = Array.from({ length: 64 }, (_, index) => itemIds(batch, index));

  for (const { id, fileKey } of made) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(parseUuid(id)).toBe(id);
    expect(formatOfFileKey(fileKey)).toBe("webp");
    expect(Buffer.from(fileKey.slice(0, 43), "base64url").toString("hex")).not.toContain(id.slice(0, 8));
  }
});

it("the key of a merged file has a distinct form, and depends on the secret and the number", async () => {
  const keys = batches.flatMap((each) => [mergedFileKey(each, 0), mergedFileKey(each, 1)]);

  expect(keys.map(isMergedFileKey)).toEqual([true, true, true, true]);
  expect(keys.map(formatOfFileKey)).toEqual([null, null, null, null]);
  expect(new Set(keys).size).toBe(4);
});

it("the items and merged files of a private batch have the keys of private files", () => {
  const keys = [itemIds(privateBatch, 0).fileKey, mergedFileKey(privateBatch, 0)];

  expect(keys.map(accessOf)).toEqual(["private", "private"]);
  expect([keys[0], keys[1]].map((key = "") => [formatOfFileKey(key), isMergedFileKey(key)])).toEqual([
    ["webp", false],
    [null, true],
  ]);
});
