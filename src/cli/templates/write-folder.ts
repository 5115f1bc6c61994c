// Writes a template folder. The files are written to a folder beside it, which then gets its name, so that a failure
// leaves no half of a template behind.
import { lstat, mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { TemplateFile } from "../../core/templates/folder/template-files.ts";

/** Creates the folder at `directory`. Returns false if there is something else than an empty folder, which stays as it is. */
export async function writeTemplateFolder(directory: string, files: TemplateFile[]): Promise<boolean> {
  const target = resolve(directory);
  if (!(await isUnused(target))) return false;
  await mkdir(dirname(target), { recursive: true });
  const draft = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
  try {
    for (const { path, bytes } of files) await writeInside(draft, path, bytes);
    await rename(draft, target);
    return true;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

async function isUnused(target: string): Promise<boolean> {
  const stats = await lstat(target).catch(() => null);
  return stats === null || (stats.isDirectory() && (await readdir(target)).length === 0);
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
