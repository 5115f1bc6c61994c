// Finds the template folders in a folder.
import { lstat, readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** `isLink` is true for a symbolic link to a template. */
export type FoundTemplate = { name: string; isLink: boolean };

/**
 * Returns the folders that contain a `template.json`, sorted by name. Hidden folders are left out. Rejects if `directory` is not a
 * folder that can be read.
 */
export async function findTemplates(directory: string): Promise<FoundTemplate[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const candidates = entries.filter((entry) => !entry.name.startsWith(".") && (entry.isDirectory() || entry.isSymbolicLink()));
  const found = await Promise.all(
    candidates.map(async (entry) => {
      const isLink = entry.isSymbolicLink();
      return { name: entry.name, isLink, isTemplate: await hasManifest(join(directory, entry.name), isLink) };
    }),
  );
  return found
    .filter(({ isTemplate }) => isTemplate)
    .map(({ name, isLink }) => ({ name, isLink }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A folder that cannot be searched counts as a template, so that its problem is reported. */
async function hasManifest(folder: string, isLink: boolean): Promise<boolean> {
  const path = join(folder, "template.json");
  try {
    await (isLink ? stat(path) : lstat(path));
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    return !isLink && code !== "ENOENT";
  }
}
