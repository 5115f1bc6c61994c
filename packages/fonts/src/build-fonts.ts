// Builds the service's fonts from their npm packages: files with the glyphs of some characters each, their index, and their
// licences. This takes some seconds, so the result is cached until the packages or this code change.
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fontIndexPath, type FontIndex } from "./font-index.ts";
import { fontPackages } from "./font-packages.ts";
import { folderOf, slicesOf } from "./font-slices.ts";
import { withHalfWidthKatakana } from "./half-width-katakana.ts";
import { packFonts } from "./pack-fonts.ts";

export const fontLicensesPath = "fonts/licenses.txt";

/** Files in a folder, with paths relative to it. */
export type BuiltFonts = { folder: string; paths: string[] };

const cache = join(import.meta.dirname, "../dist");

/** Returns the files and builds them if necessary. Several processes may call this at the same time. */
export async function buildFonts(): Promise<BuiltFonts> {
  const folder = join(cache, `fonts-${await digestOfSources()}`);
  const builtPaths = await filesIn(folder);
  if (builtPaths) return { folder, paths: builtPaths };
  const temporary = join(cache, `fonts.${randomUUID()}`);
  await writeFonts(temporary);
  // If a different process was faster, its files are identical.
  await rename(temporary, folder).catch(() => rm(temporary, { recursive: true, force: true }));
  await removeOlder(folder);
  return { folder, paths: (await filesIn(folder)) ?? [] };
}

/** The digest changes with the versions of the packages and the code in this folder, which builds the files. */
async function digestOfSources(): Promise<string> {
  const hash = createHash("sha256");
  for (const name of ["../package.json", ...(await readdir(import.meta.dirname)).toSorted()])
    hash.update(await readFile(join(import.meta.dirname, name)));
  return hash.digest("hex").slice(0, 16);
}

/** Returns the paths of the files below the folder, or null if this folder does not exist. */
async function filesIn(folder: string): Promise<string[] | null> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => null);
  if (!entries) return null;
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).toSorted();
}

async function writeFonts(folder: string): Promise<void> {
  const slices = (await Promise.all(fontPackages.map(slicesOf))).flat();
  const han = (["scripts", "serif"] as const).flatMap((family) =>
    withHalfWidthKatakana(slices.filter((slice) => slice.han && slice.family === family)),
  );
  const others = slices.filter((slice) => !slice.han);
  const packed = await packFonts([...others, ...han]);
  await write(folder, fontIndexPath, JSON.stringify({ slices: packed.slices } satisfies FontIndex));
  await write(folder, fontLicensesPath, await fontLicenses());
  for (const [path, content] of packed.contents) await write(folder, path, content);
}

async function write(folder: string, path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

/** Removes the files of earlier versions. */
async function removeOlder(current: string): Promise<void> {
  const names = await readdir(cache);
  const older = names.filter((name) => /^fonts-[\da-f]{16}$/.test(name) && join(cache, name) !== current);
  await Promise.all(older.map((name) => rm(join(cache, name), { recursive: true, force: true })));
}

/** The copyright notice in the font files of some older packages, which contain no licence. */
const noto = "Copyright 2022 The Noto Project Authors (https://github.com/notofonts)";

/**
 * Returns each package's copyright notice, and then each licence once. The SIL Open Font License requires its text and the notices to be
 * distributed with the files.
 */
async function fontLicenses(): Promise<string> {
  const notices: string[] = [];
  const bodies = new Set<string>();
  const folders = new Map(fontPackages.map((fonts) => [fonts.name, folderOf(fonts)]));
  for (const [name, folder] of folders) {
    const text = await readFile(join(folder, "LICENSE"), "utf8").catch(() => "");
    const [notice = "", ...rest] = text.replaceAll("\r", "").trim().split("\n");
    notices.push(`${name.slice(name.indexOf("/") + 1)}: ${notice || noto}`);
    const body = rest.join("\n").trim();
    if (body) bodies.add(body);
  }
  const introduction =
    "The fonts in /assets/fonts, which documents embed. The files of Noto Color Emoji, Noto Sans Symbols 2 and Noto Sans Math have been divided into parts, the files of Noto Sans JP and Noto Serif JP with half-width katakana have been merged, and the arrows of STIX Two Math have been corrected.";
  return [introduction, notices.join("\n"), ...bodies, ""].join("\n\n");
}
