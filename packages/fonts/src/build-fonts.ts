// Builds the service's fonts from their npm packages: files with the glyphs of some characters each, their index, and their
// licences. This takes some seconds, so the result is cached until the packages or this code change.
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fontIndexPath, type FontIndex, type FontFile, type FontSlice } from "./font-index.ts";
import { fontPackages } from "./font-packages.ts";
import { folderOf, slicesOf, type BuiltSlice } from "./font-slices.ts";
import { withHalfWidthKatakana } from "./half-width-katakana.ts";
import { woffOf } from "./open-type.ts";

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
  const packed = packFonts([...others, ...han]);
  await write(folder, fontIndexPath, JSON.stringify({ slices: packed.slices } satisfies FontIndex));
  await write(folder, fontLicensesPath, await fontLicenses());
  for (const [path, content] of packed.contents) await write(folder, path, content);
}

async function write(folder: string, path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

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

/**
 * The maximum number of bytes in a pack, unless a single file is larger. Larger packs would contain more fonts that a document does not
 * use.
 */
const maxPackBytes = 150_000;

type PackedFonts = { slices: FontSlice[]; contents: Map<string, Buffer> };

type Pack = { fonts: Buffer[]; bytes: number; file: string };
type Place = { pack: Pack; start: number; bytes: number };

/**
 * Concatenates font files into packs, each of the same font, weight and style, in the order of the slices. Reading a file takes far longer
 * than sending it to a page, and Japanese text needs thirty of the files with the most common characters. The fonts in packs are WOFF,
 * because a browser decodes them in half the time of WOFF2: 40 fonts of 26 scripts in 18 ms instead of 36. Sending a third more bytes
 * costs less time than that saves, and the PDF is the same.
 */
function packFonts(built: readonly BuiltSlice[]): PackedFonts {
  const [packs, open, places] = [new Set<Pack>(), new Map<string, Pack>(), new Map<Buffer, Place>()];
  for (const { family, han, files } of built) {
    for (const { weight, style, font } of files) {
      // Two slices may share a font.
      if (places.has(font)) continue;
      const woff = woffOf(font);
      const name = `${han && family === "serif" ? `serif-${han}` : (han ?? family)}-${weight}${style === "italic" ? "-italic" : ""}`;
      let pack = open.get(name);
      if (!pack || pack.bytes + woff.length > maxPackBytes) {
        pack = { fonts: [], bytes: 0, file: `${name}-${packs.size}` };
        packs.add(pack);
        open.set(name, pack);
      }
      places.set(font, { pack, start: pack.bytes, bytes: woff.length });
      pack.fonts.push(woff);
      pack.bytes += woff.length;
    }
  }
  return { contents: new Map([...packs].map(named)), slices: built.map((slice) => indexed(slice, places)) };
}

/** Names the pack, and returns its path with its content. */
function named(pack: Pack): [string, Buffer] {
  const content = Buffer.concat(pack.fonts);
  const digest = createHash("sha256").update(content).digest("hex").slice(0, 16);
  pack.file = `assets/fonts/${pack.file}.${digest}.pack`;
  return [pack.file, content];
}

function indexed({ points, files, ...slice }: BuiltSlice, places: ReadonlyMap<Buffer, Place>): FontSlice {
  const placed = files.flatMap(({ font, ...file }): FontFile[] => {
    const place = places.get(font);
    return place ? [{ ...file, file: place.pack.file, start: place.start, bytes: place.bytes }] : [];
  });
  return { ...slice, ranges: rangesOf(points), files: placed };
}

/** Returns the ranges of the code points, in the notation of the index. */
function rangesOf(points: Iterable<number>): string {
  const ranges: [number, number][] = [];
  for (const point of [...points].toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.[1] === point - 1) last[1] = point;
    else ranges.push([point, point]);
  }
  const written = ranges.map((ends) => [...new Set(ends)].map((point) => point.toString(16)).join("-"));
  return written.join(",");
}
