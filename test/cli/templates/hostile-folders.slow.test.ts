// Hostile template folders on a real file system: each is either accepted, or refused with the file, the line and a
// reason in plain language. Nothing hangs.
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { readTemplateFolder } from "../../../src/cli/templates/template-folder.ts";
import { validFiles } from "../../fixtures/template-files.ts";
import { fileSystems } from "./hostile/file-systems.ts";
import type { HostileFolder } from "../../fixtures/hostile-folder.ts";
import { names } from "./hostile/names.ts";

const folders = [...fileSystems, ...names];

/** A page that reads no field, because many of the folders have fields of their own. */
const plainPage = { "pages/1.liquid": "<p>Hello</p>" };

const made: string[] = [];
afterEach(async () => {
  for (const directory of made.splice(0)) {
    const siblings = await readdir(dirname(directory));
    const mine = siblings.filter((name) => name.startsWith(basename(directory)));
    await Promise.all(mine.map((name) => rm(join(dirname(directory), name), { recursive: true, force: true })));
  }
});

async function folder({ files = {}, prepare }: HostileFolder): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "colophon-hostile-"));
  made.push(directory);
  for (const [path, content] of Object.entries({ ...validFiles, ...plainPage, ...files })) {
    if (content === null) continue;
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  }
  await mkdir(join(directory, "assets"), { recursive: true }).catch(() => undefined);
  await prepare?.(directory);
  return directory;
}

const [refusedFolders, acceptedFolders] = [
  folders.filter(({ problem }) => problem),
  folders.filter(({ problem }) => !problem),
];

it.each(refusedFolders.map((hostile) => [hostile.what, hostile] as const))(
  "a folder is refused with a reason in plain words when %s",
  async (_what, hostile) => {
    const directory = await folder(hostile);

    const result = await readTemplateFolder(directory);

    const problems = result.status === "broken" ? result.problems : [];
    const { file, line, reason } = hostile.problem ?? { file: "", line: 0, reason: /./ };
    const { column: _, ...first } = problems[0] ?? {};
    expect(first).toEqual({ file, line, reason: expect.stringMatching(reason) });
  },
);

it.each(acceptedFolders.map((hostile) => [hostile.what, hostile] as const))(
  "a folder is accepted although %s",
  async (_what, hostile) => {
    const directory = await folder(hostile);

    const result = await readTemplateFolder(directory);

    expect(result.status === "broken" ? result.problems : []).toEqual([]);
  },
);
