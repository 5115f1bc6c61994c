// Hostile template folders on a real file system: each is either accepted, or refused with the file, the line and a
// reason in plain language. Nothing hangs.
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { readTemplateFolder } from "../../src/folder/template-folder.ts";
import { filesOf, firstProblem } from "../../../../test/fixtures/hostile-folder.ts";
import { fileSystems, type Entries } from "./hostile/file-systems.ts";
import { names } from "./hostile/names.ts";

const folders = [...fileSystems, ...names];

const made: string[] = [];
afterEach(async () => {
  for (const directory of made.splice(0)) {
    const siblings = await readdir(dirname(directory));
    const mine = siblings.filter((name) => name.startsWith(basename(directory)));
    await Promise.all(mine.map((name) => rm(join(dirname(directory), name), { recursive: true, force: true })));
  }
});

/** Returns the problems of a valid folder on the disk after this change. */
async function problemsOf(change: Entries) {
  const directory = await mkdtemp(join(tmpdir(), "colophon-hostile-"));
  made.push(directory);
  const [files, prepare] = typeof change === "function" ? [{}, change] : [change, () => undefined];
  for (const [path, content] of filesOf(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  }
  if (!("assets" in files)) await mkdir(join(directory, "assets"), { recursive: true });
  await prepare(directory);
  const result = await readTemplateFolder(directory);
  return result.status === "broken" ? result.problems : [];
}

it.each(folders.filter(([, , problem]) => problem !== ""))(
  "a folder is refused with a reason in plain words when %s",
  async (_what, change, problem) => {
    expect(firstProblem(await problemsOf(change), problem)).toBe(problem);
  },
);

it.each(folders.filter(([, , problem]) => problem === ""))(
  "a folder is accepted although %s",
  async (_what, change) => {
    expect(await problemsOf(change)).toEqual([]);
  },
);
