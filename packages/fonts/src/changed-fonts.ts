// Changes fonts from packages before documents use them.
import subsetFont from "subset-font";
import { codePointsOf, faceOf, fontOf, tablesOf } from "./open-type.ts";

/**
 * Returns the font without the ligatures of Latin letters. A PDF of Chromium 128 or earlier records in two ways which letters the glyph
 * for "fi" represents. Programs that support only one of them, such as pdf.js and MuPDF, extract a NUL instead, so a search for "office"
 * finds nothing. Ligatures that a script requires are in other features, or in that script's fonts.
 */
export async function withoutLatinLigatures(font: Buffer): Promise<Buffer> {
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
export async function staticInstance(variable: Buffer, weight: string): Promise<Buffer> {
  const characters = String.fromCodePoint(...codePointsOf(variable));
  return subset(variable, characters, { variationAxes: { wght: Number(weight) } });
}

/**
 * Returns the emoji font without its table `SVG `, whose glyphs Chromium does not draw; this reduces it to a third of its size.
 * HarfBuzz is not used, because its JavaScript build also drops the layered outlines of `COLR`.
 */
export function withoutSvg(font: Buffer): Buffer {
  const tables = tablesOf(font);
  tables.delete("SVG ");
  return fontOf(tables);
}

/**
 * Returns the formula font with arrows that stretch to the length of the text below them. In STIX Two Math 2.13, the table of arrow parts
 * lists the two connectors of the right arrowhead in the wrong order, so that no browser can join it to the next part.
 */
export function withLongArrows(font: Buffer): Buffer {
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
export async function dividedByBlocks(font: Buffer): Promise<{ name: string; font: Buffer }[]> {
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
