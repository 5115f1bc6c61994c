import { expect, it } from "vitest";
import { itemIds, mergedFileKey } from "../../../src/core/batches/item-ids.ts";
import { formatOfFileKey, isMergedFileKey } from "../../../src/core/documents/document.ts";
import { parseUuid } from "../../../src/core/uuid.ts";

const secrets = ["a".repeat(43), "b".repeat(43)];

it("an item always has the same ids, which differ for other items and secrets", async () => {
  const [secret = "", other = ""] = secrets;
  const made = [itemIds(secret, 0, "pdf"), itemIds(secret, 1, "pdf"), itemIds(other, 0, "pdf")];

  const values = made.flatMap(({ id, fileKey }) => [id, fileKey]);
  expect(itemIds(secret, 0, "pdf")).toEqual(made[0]);
  expect(new Set(values).size).toBe(6);
});

it("the id of an item is a UUID of version 8 that reveals nothing about its file key", async () => {
  const made = Array.from({ length: 64 }, (_, index) => itemIds(secrets[0] ?? "", index, "webp"));

  for (const { id, fileKey } of made) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(parseUuid(id)).toBe(id);
    expect(formatOfFileKey(fileKey)).toBe("webp");
    expect(Buffer.from(fileKey.slice(0, 43), "base64url").toString("hex")).not.toContain(id.slice(0, 8));
  }
});

it("the key of a merged file has a distinct form, and depends on the secret and the number", async () => {
  const keys = secrets.flatMap((secret) => [mergedFileKey(secret, 0), mergedFileKey(secret, 1)]);

  expect(keys.map(isMergedFileKey)).toEqual([true, true, true, true]);
  expect(keys.map(formatOfFileKey)).toEqual([null, null, null, null]);
  expect(new Set(keys).size).toBe(4);
});
