// Reads the slices of the service's fonts from their npm packages, and changes fonts before documents use them.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import subsetFont from "subset-font";
import { eachRange, type FontFile, type FontSlice } from "./font-index.ts";
import type { FontPackage } from "./font-packages.ts";
import { codePointsOf, unpacked, faceOf, fontOf, tablesOf } from "./open-type.ts";

/** `font` is an OpenType file. */
export type BuiltFile = Pick<FontFile, "id" | "weight" | "style"> & { font: Buffer };
export type BuiltSlice = Omit<FontSlice, "ranges" | "files"> & { points: Set<number>; files: BuiltFile[] };

const { resolve } = createRequire(import.meta.url);

export function folderOf({ name }: FontPackage): string {
  return dirname(resolve(`${name}/package.json`));
}

export async function slicesOf(fonts: FontPackage): Promise<BuiltSlice[]> {
  if (fonts.divided === "emoji") return emojiSlices(fonts);
  if (fonts.family === "math") return mathSlices(fonts);
  const ranges = JSON.parse(await readFile(join(folderOf(fonts), "unicode.json"), "utf8")) as Record<string, string>;
  const slices: BuiltSlice[] = [];
  for (const [subset, unicodeRange] of Object.entries(ranges)) {
    if (fonts.leavesOut(subset)) continue;
    const files = await filesOf(fonts, subset.replace(/[[\]]/g, ""));
    const [regular] = files;
    if (!regular) throw new Error(`The package ${fonts.name} has no files for ${subset}.`);
    if (fonts.divided) {
      for (const { name, font } of await dividedByBlocks(regular.font))
        slices.push(
          builtSlice(fonts, codePointsOf(font), [{ ...regular, id: `${base(fonts)}-${subset}-${name}-400`, font }]),
        );
      continue;
    }
    // A bold or italic file may lack a character of the regular one.
    const known = files.map(({ font }) => codePointsOf(font));
    const points = new Set([...codePointsIn(unicodeRange)].filter((point) => known.every((has) => has.has(point))));
    // A slice of a font may contain only spaces that other fonts also have.
    if (points.size > 0) slices.push(builtSlice(fonts, points, files));
  }
  return slices;
}

function builtSlice({ family, han }: FontPackage, points: Set<number>, files: BuiltFile[]): BuiltSlice {
  return { family, ...(han ? { han } : {}), points, files };
}

/** Returns the regular file first. */
async function filesOf(fonts: FontPackage, subset: string): Promise<BuiltFile[]> {
  const { family, han } = fonts;
  const path = join(folderOf(fonts), "files", `${base(fonts)}-${subset}`);
  const weights = ["400", "700"];
  if (han) {
    // Each conversion takes longer than an instance.
    const variable = await unpacked(await readFile(`${path}-wght-normal.woff2`));
    const instances = weights.map(async (weight) => {
      const font = await staticInstance(variable, weight);
      return { id: `${base(fonts)}-${subset}-${weight}`, weight, style: "normal" as const, font };
    });
    return Promise.all(instances);
  }
  const styles = family === "sans" || family === "serif" ? (["normal", "italic"] as const) : (["normal"] as const);
  const wanted = weights.flatMap((weight) => styles.map((style) => ({ weight, style })));
  const existing = wanted.filter(({ weight, style }) => existsSync(`${path}-${weight}-${style}.woff2`));
  return Promise.all(
    existing.map(async ({ weight, style }) => {
      const font = await unpacked(await readFile(`${path}-${weight}-${style}.woff2`));
      const id = `${base(fonts)}-${subset}-${weight}${style === "italic" ? "-italic" : ""}`;
      return { id, weight, style, font: subset === "latin" ? await withoutLatinLigatures(font) : font };
    }),
  );
}

/**
 * Returns two slices with the same font. Most symbols that are also emoji, such as ✔ and ☎, are drawn in one colour unless a
 * sequence asks for colours.
 */
async function emojiSlices(fonts: FontPackage): Promise<BuiltSlice[]> {
  const files = await filesOf(fonts, "emoji");
  const [regular] = files;
  if (!regular) throw new Error("There is no emoji font.");
  const font = withoutSvg(regular.font);
  const points = codePointsOf(font);
  const named = (name: string) => [{ ...regular, id: `${base(fonts)}-${name}-400`, font }];
  return [
    { ...builtSlice(fonts, points, named("all-sequences")), isForSequences: true },
    builtSlice(fonts, new Set([...points].filter(isColoured)), named("all")),
  ];
}

/** Returns the whole font, because its glyphs refer to each other. The package names it `latin`. */
async function mathSlices(fonts: FontPackage): Promise<BuiltSlice[]> {
  const files = await filesOf(fonts, "latin");
  const changed = files.map((file) => ({ ...file, font: withLongArrows(file.font) }));
  return changed.map((file) => builtSlice(fonts, codePointsOf(file.font), [file]));
}

/** U+200D, U+20E3 and U+FE0F continue an emoji sequence. */
const joiners = new Set([0x200d, 0x20e3, 0xfe0f]);

/** Returns whether a character is drawn as an emoji by itself, or continues an emoji sequence. */
function isColoured(point: number): boolean {
  const isTag = point >= 0xe0020 && point <= 0xe007f;
  return isTag || joiners.has(point) || /\p{Emoji_Presentation}/u.test(String.fromCodePoint(point));
}

/** Returns the package name without its scope, with which the file names begin. */
function base({ name }: FontPackage): string {
  return name.slice(name.indexOf("/") + 1);
}

function codePointsIn(unicodeRange: string): Set<number> {
  const points = new Set<number>();
  eachRange(unicodeRange.replace(/[uU]\+|\s/g, ""), (first, last) => {
    for (let point = first; point <= last; point++) points.add(point);
  });
  return points;
}

/**
 * Returns the font without the ligatures of Latin letters. A PDF of Chromium 128 or earlier records in two ways which letters the glyph
 * for "fi" represents. Programs that support only one of them, such as pdf.js and MuPDF, extract a NUL instead, so a search for "office"
 * finds nothing. Ligatures that a script requires are in other features, or in that script's fonts.
 */
async function withoutLatinLigatures(font: Buffer): Promise<Buffer> {
  const face = faceOf(font);
  const features = [...face.getTableFeatureTags("GSUB"), ...face.getTableFeatureTags("GPOS")];
  if (!features.includes("liga")) return font;
  const keepFeatures = features.filter((feature) => feature !== "liga");
  return subset(font, undefined, { keepAllGlyphs: true, keepFeatures });
}

/**
 * Returns a static font, because Chromium embeds variable fonts in PDFs as drawings (Type 3), which make the file larger, lack
 * hints for small sizes, and take longer.
 */
async function staticInstance(variable: Buffer, weight: string): Promise<Buffer> {
  const characters = String.fromCodePoint(...codePointsOf(variable));
  return subset(variable, characters, { variationAxes: { wght: Number(weight) } });
}

/**
 * Returns the emoji font without its table `SVG `, whose glyphs Chromium does not draw; this reduces it to a third of its size.
 * HarfBuzz is not used, because its JavaScript build also drops the layered outlines of `COLR`.
 */
function withoutSvg(font: Buffer): Buffer {
  const tables = tablesOf(font);
  tables.delete("SVG ");
  return fontOf(tables);
}

/**
 * Returns the formula font with arrows that stretch to the length of the text below them. In STIX Two Math 2.13, the table of arrow parts
 * lists the two connectors of the right arrowhead in the wrong order, so that no browser can join it to the next part.
 */
function withLongArrows(font: Buffer): Buffer {
  const tables = tablesOf(font);
  const math = Buffer.from(tables.get("MATH") ?? []);
  const [wrong, right] = [Buffer.from("000000c801f9", "hex"), Buffer.from("00c8000001f9", "hex")];
  for (let at = math.indexOf(wrong); at >= 0; at = math.indexOf(wrong)) right.copy(math, at);
  return fontOf(tables.set("MATH", math));
}

/** The first code points of the parts: roughly the Unicode blocks, with blocks of many glyphs separate. */
const blocks = [
  0, 0x300, 0x2000, 0x2100, 0x2190, 0x2300, 0x2400, 0x2500, 0x2600, 0x2700, 0x27c0, 0x2900, 0x2c00, 0x10000, 0x1d400,
  0x1d5a0, 0x1d6a4, 0x1e000, 0x1f000, 0x1f100, 0x1f300, 0x1f650, 0x1f700, 0x1f780, 0x1fa00, 0x110000,
];

/**
 * Divides a font whose package has no useful slices at block boundaries: otherwise, a document with one tick would load 380 kB of
 * symbols. No character is in two parts.
 */
async function dividedByBlocks(font: Buffer): Promise<{ name: string; font: Buffer }[]> {
  const all = [...codePointsOf(font)];
  const parts: { name: string; font: Buffer }[] = [];
  for (const [index, first] of blocks.entries()) {
    const points = all.filter((point) => point >= first && point < (blocks[index + 1] ?? 0));
    if (points.length === 0) continue;
    parts.push({ name: `${index}`, font: await subset(font, String.fromCodePoint(...points)) });
  }
  return parts;
}

async function subset(font: Buffer, characters: string | undefined, options = {}): Promise<Buffer> {
  return Buffer.from(await subsetFont(font, characters, { targetFormat: "truetype", ...options }));
}
