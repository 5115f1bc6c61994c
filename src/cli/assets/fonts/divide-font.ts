// Makes the files of fonts whose packages have no useful slices: a document with one tick would get 380 kB of symbols, and one with
// one emoji 5.8 MB. This takes seconds, so `build-fonts.ts` keeps the result.
import { convert } from "fontverter";
import subsetFont from "subset-font";
import { codePointsOf } from "./cmap.ts";
import { packWoff2 } from "./woff2.ts";

/** The first code points of the parts: roughly the Unicode blocks, and those with many glyphs alone. */
const blocks = [
  ...[0, 0x300, 0x2000, 0x2100, 0x2190, 0x2300, 0x2400, 0x2500, 0x2600, 0x2700, 0x27c0, 0x2900, 0x2c00, 0x10000],
  ...[0x1d400, 0x1d5a0, 0x1d6a4, 0x1e000, 0x1f000, 0x1f100, 0x1f300, 0x1f650, 0x1f700, 0x1f780, 0x1fa00, 0x110000],
];

export type FontPart = { name: string; points: Set<number>; woff2: Buffer };

/** Returns the parts of a font at the boundaries of blocks. No two parts have the same character. */
export async function dividedByBlocks(font: Buffer): Promise<FontPart[]> {
  const all = [...codePointsOf(font)];
  const sets = blocks.map((first, index) => all.filter((point) => point >= first && point < (blocks[index + 1] ?? 0)));
  const filled = sets.flatMap((points, index) => (points.length > 0 ? [{ name: `${index}`, points }] : []));
  return partsOf(font, filled);
}

/**
 * Returns the font for emoji without its SVG glyphs, which Chromium does not draw, as one part: it has a third of the size then. Its
 * layered outlines (COLR) cannot be divided, because HarfBuzz's build for JavaScript drops them.
 */
export async function withoutSvg(font: Buffer): Promise<FontPart[]> {
  const woff2 = packWoff2(Buffer.from(await convert(font, "sfnt")), new Set(["SVG "]));
  return [{ name: "all", points: codePointsOf(woff2), woff2 }];
}

async function partsOf(font: Buffer, sets: { name: string; points: number[] }[]): Promise<FontPart[]> {
  const parts: FontPart[] = [];
  for (const { name, points } of sets) {
    const sfnt = await subsetFont(font, String.fromCodePoint(...points), { targetFormat: "truetype" });
    const woff2 = packWoff2(Buffer.from(sfnt));
    const kept = codePointsOf(woff2);
    parts.push({ name, points: new Set(points.filter((point) => kept.has(point))), woff2 });
  }
  return parts;
}
