import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { checkStateDirectory, type Layout } from "../../../src/cli/local/state-directory.ts";
import firstLayout from "../../fixtures/first-layout.json" with { type: "json" };

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "colophon-state-"));
});

afterEach(() => rm(directory, { recursive: true }));

const layout: Layout = { D1: ["0000_tables.sql 1f", "0001_more.sql 2e"], AccountQuota: ["3d"] };

const refused = /holds data of a newer version of this service/;

it("a state directory that this version has used is accepted", async () => {
  await checkStateDirectory(directory);

  await expect(checkStateDirectory(directory)).resolves.toBeUndefined();
});

it.each([
  { name: "a migration with a different name", recorded: { ...layout, D1: ["0000_accounts.sql 1f"] } },
  { name: "a migration with a different text", recorded: { ...layout, D1: ["0000_tables.sql 77"] } },
  { name: "an additional migration", recorded: { ...layout, D1: [...(layout["D1"] ?? []), "0002_newer.sql 4c"] } },
  { name: "a different step of an object", recorded: { ...layout, AccountQuota: ["77"] } },
  { name: "an object that no longer exists", recorded: { ...layout, RetiredObject: ["3d"] } },
])("a state directory that records $name is refused with its record unchanged", async ({ recorded }) => {
  await checkStateDirectory(directory, recorded);
  const before = await readFile(join(directory, "layout.json"), "utf8");

  await expect(checkStateDirectory(directory, layout)).rejects.toThrow(refused);
  expect(await readFile(join(directory, "layout.json"), "utf8")).toBe(before);
});

it("a state directory of an earlier version is accepted if only steps have been added since", async () => {
  await checkStateDirectory(directory, { D1: ["0000_tables.sql 1f"] });

  await expect(checkStateDirectory(directory, layout)).resolves.toBeUndefined();
});

it("a state directory of the first version with upgrades is accepted, because steps are only ever added", async () => {
  await checkStateDirectory(directory, firstLayout);

  await expect(checkStateDirectory(directory)).resolves.toBeUndefined();
});
