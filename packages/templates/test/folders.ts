// Folders on the disk, which are removed after the test.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Files } from "colophon-test-kit/template-files";

/** Creates a folder with these files, and returns its path. */
export async function newFolder(files: Files = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "colophon-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFiles(folder, files);
  return folder;
}

/** Writes the files into the folder, and removes those without content. */
export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    if (content === null) {
      await rm(file, { force: true });
      continue;
    }
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

/** The same files in a folder of this name. */
export function inFolder(name: string, files: Files): Files {
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [`${name}/${path}`, content]));
}
