import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkStateDirectory, type Layout } from "../../../src/cli/local/state-directory.ts";

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "colophon-state-"));
});

afterEach(() => rm(directory, { recursive: true }));

const layout: Layout = { D1: ["0000_tables.sql 1f", "0001_more.sql 2e"], AccountQuota: ["3d"] };

/** Returns the message of the refusal, or null if the directory is accepted. */
async function refusalOf(current: Layout = layout): Promise<string | null> {
  return checkStateDirectory(directory, current).then(
    () => null,
    (error: Error) => error.message,
  );
}

const refused = () =>
  `${directory} holds data from another version of this service. Delete that directory, or set STATE_DIR to another directory.`;

describe("a state directory", () => {
  it("that is empty is accepted by two checks in succession", async () => {
    expect([await refusalOf(), await refusalOf()]).toEqual([null, null]);
  });

  it("that only the operator's command has used is accepted", async () => {
    await mkdir(join(directory, "v3/d1"), { recursive: true });

    expect(await refusalOf()).toBeNull();
  });

  it("that records the layout of this version is accepted", async () => {
    await checkStateDirectory(directory);
    await writeFile(join(directory, "demo.json"), "{}");

    await expect(checkStateDirectory(directory)).resolves.toBeUndefined();
  });

  it.each(["demo.json", "running.json", "v3/do/colophon-AccountQuota"])(
    "with data but no record of its layout is refused and left unchanged (%s)",
    async (trace) => {
      await mkdir(join(directory, trace), { recursive: true });
      const before = await readdir(directory, { recursive: true });

      expect(await refusalOf()).toBe(refused());
      expect(await readdir(directory, { recursive: true })).toEqual(before);
    },
  );

  it.each([
    { name: "a migration with a different name", recorded: { ...layout, D1: ["0000_accounts.sql 1f"] } },
    { name: "a migration with a different text", recorded: { ...layout, D1: ["0000_tables.sql 77"] } },
    { name: "an additional migration", recorded: { ...layout, D1: [...(layout["D1"] ?? []), "0002_newer.sql 4c"] } },
    { name: "a different step of an object", recorded: { ...layout, AccountQuota: ["77"] } },
    { name: "an object that no longer exists", recorded: { ...layout, RetiredObject: ["3d"] } },
  ])("that records $name is refused, and its record does not change", async ({ recorded }) => {
    await checkStateDirectory(directory, recorded);
    const before = await readFile(join(directory, "layout.json"), "utf8");

    expect(await refusalOf()).toBe(refused());
    expect(await readFile(join(directory, "layout.json"), "utf8")).toBe(before);
  });

  it("with an unreadable record of its layout is refused", async () => {
    await writeFile(join(directory, "layout.json"), "{");

    expect(await refusalOf()).toBe(refused());
  });

  it("of an earlier version is accepted if only steps were added, but that version then refuses it", async () => {
    const earlier: Layout = { D1: ["0000_tables.sql 1f"] };
    await checkStateDirectory(directory, earlier);

    expect([await refusalOf(), await refusalOf(earlier)]).toEqual([null, refused()]);
  });

  it("is refused with a one-line message", async () => {
    await writeFile(join(directory, "demo.json"), "{}");

    expect(await refusalOf()).not.toContain("\n");
  });
});
