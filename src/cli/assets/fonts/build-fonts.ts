// Builds the service's fonts out of their npm packages: fonts with the glyphs of some characters each, an index of them, and their
// licences. This takes about ten seconds, so the result is kept until the packages or this code change.
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  eachRange,
  fontIndexPath,
  hanIndexPath,
  type FontIndex,
  type FontSlice,
  type HanIndex,
} from "../../../core/rendering/fonts/font-index.ts";
import { rangesOf } from "./code-points.ts";
import { fontLicenses } from "./font-licenses.ts";
import { fontPackages } from "./font-packages.ts";
import { slicesOf, type BuiltSlice } from "./font-slices.ts";
import { packFonts } from "./pack-fonts.ts";
import { withHalfWidthKatakana } from "./half-width-katakana.ts";

export const fontLicensesPath = "fonts/licenses.txt";

/** Files in a folder. `paths` are relative to it. */
export type BuiltFonts = { folder: string; paths: string[] };

/** Returns the files, which are built if necessary. Several processes may call this at once. */
export async function buildFonts(root: string): Promise<BuiltFonts> {
  const cache = join(root, "node_modules/.cache/colophon");
  const folder = join(cache, `fonts-${await digestOfSources(root)}`);
  const known = await filesIn(folder);
  if (known) return { folder, paths: known };
  const temporary = join(cache, `fonts.${randomUUID()}`);
  await writeFonts(join(root, "node_modules"), temporary);
  // If another process was faster, its files are the same.
  await rename(temporary, folder).catch(() => rm(temporary, { recursive: true, force: true }));
  await removeOlder(cache, folder);
  return { folder, paths: (await filesIn(folder)) ?? [] };
}

/** The digest changes with the versions of the packages and with the code that builds the files. */
async function digestOfSources(root: string): Promise<string> {
  const hash = createHash("sha256");
  const { devDependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    devDependencies: Record<string, string>;
  };
  for (const name of [...fontPackages.map((fonts) => fonts.name), "subset-font"])
    hash.update(`${name}@${devDependencies[name]}\n`);
  const folder = join(root, "src/cli/assets/fonts");
  const code = (await readdir(folder)).toSorted().map((name) => join(folder, name));
  for (const file of [...code, join(root, "src/core/rendering/fonts/font-index.ts")]) hash.update(await readFile(file));
  return hash.digest("hex").slice(0, 16);
}

/** Returns the paths of the files below the folder, or null if there is no such folder. */
async function filesIn(folder: string): Promise<string[] | null> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => null);
  if (!entries) return null;
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).toSorted();
}

async function writeFonts(modules: string, folder: string): Promise<void> {
  const built = await Promise.all(
    fontPackages.map(async (fonts) => ({ fonts, slices: await slicesOf(modules, fonts) })),
  );
  const slicesIf = (isHan: boolean) =>
    built.filter(({ fonts }) => (fonts.han !== undefined) === isHan).flatMap(({ slices }) => slices);
  const [han, others] = [withHalfWidthKatakana(slicesIf(true)), slicesIf(false)];
  const [packed, packedHan] = [await packFonts(others), await packFonts(han)];
  const index: FontIndex = { slices: packed.slices, hanRanges: onlyIn(han, others) };
  await write(folder, fontIndexPath, JSON.stringify(index));
  await write(folder, hanIndexPath, JSON.stringify({ slices: packedHan.slices } satisfies HanIndex));
  const names = [...new Set(fontPackages.map(({ name }) => name))];
  await write(folder, fontLicensesPath, await fontLicenses(modules, names));
  for (const { contents } of [packed, packedHan])
    for (const [path, content] of contents) await write(folder, path, content);
}

/** Returns the ranges of the characters that no other slice has. Sequences of emoji do not count. */
function onlyIn(slices: BuiltSlice[], others: BuiltSlice[]): string {
  const points = new Set(slices.flatMap((built) => [...built.points]));
  for (const { slice } of others.filter((built) => isOrdinary(built.slice)))
    eachRange(slice.ranges, (from, to) => {
      for (let point = from; point <= to; point++) points.delete(point);
    });
  return rangesOf(points);
}

function isOrdinary({ family, isForSequences }: FontSlice): boolean {
  return family === "scripts" && !isForSequences;
}

async function write(folder: string, path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

/** Removes the files of earlier versions. */
async function removeOlder(cache: string, current: string): Promise<void> {
  const names = await readdir(cache);
  const older = names.filter((name) => /^fonts-[\da-f]{16}$/.test(name) && join(cache, name) !== current);
  await Promise.all(older.map((name) => rm(join(cache, name), { recursive: true, force: true })));
}
