// Hostile template folders on a real file system: each is either accepted, or refused with the file, the line and a
// reason in plain language. Nothing hangs.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { filesOf, firstProblem } from "colophon-test-kit/hostile-folder";
import { readTemplateFolder } from "../../src/folder/template-folder.ts";
import { newFolder } from "../folders.ts";
import { fileSystems, type Entries } from "./hostile/file-systems.ts";
import { names } from "./hostile/names.ts";

const folders = [...fileSystems, ...names];

/** Returns the problems of a valid folder on the disk after this change. */
async function problemsOf(change: Entries) {
  const [files, prepare] = typeof change === "function" ? [{}, change] : [change, () => undefined];
  const directory = await newFolder(Object.fromEntries(filesOf(files)));
  if (!("assets" in files)) await mkdir(join(directory, "assets"), { recursive: true });
  await prepare(directory);
  const result = await readTemplateFolder(directory);
  return result.status === "broken" ? result.problems : [];
}

it.each(folders.filter(([, , problem]) => problem !== ""))(
  "a folder is refused when %s",
  async (_what, change, problem) => {
    expect(firstProblem(await problemsOf(change), problem)).toBe(problem);
  },
);

it.each(folders.filter(([, , problem]) => problem === ""))("a folder is accepted if %s", async (_what, change) => {
  expect(await problemsOf(change)).toEqual([]);
});
