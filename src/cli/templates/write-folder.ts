// Writes a template folder. The files are written to a folder beside it, which then gets its name, so that a failure
// leaves no half of a template behind.
import { lstat, mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { TemplateFile } from "../../core/templates/folder/template-files.ts";
import { CommandError } from "../commands/command.ts";

/** Creates the folder at `directory`. Throws a `CommandError` if there is one that is not empty, or anything else. */
export async function writeTemplateFolder(directory: string, files: TemplateFile[]): Promise<void> {
  const target = resolve(directory);
  await requireUnused(target, directory);
  await mkdir(dirname(target), { recursive: true });
  const draft = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
  try {
    for (const { path, bytes } of files) await writeInside(draft, path, bytes);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

async function requireUnused(target: string, directory: string): Promise<void> {
  const stats = await lstat(target).catch(() => null);
  if (stats === null || (stats.isDirectory() && (await readdir(target)).length === 0)) return;
  throw new CommandError(`${directory} exists already; name a folder that does not exist or is empty`);
}

/** Writes a file of the folder itself or of one of its subfolders. */
async function writeInside(folder: string, path: string, bytes: Uint8Array): Promise<void> {
  const names = path.split("/");
  if (names.length > 2 || names.some((name) => name === "" || name === "." || name === "..")) {
    throw new Error(`${path} is not the path of a file in a template folder`);
  }
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), bytes);
}
