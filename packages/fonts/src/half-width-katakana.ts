// Puts the half-width katakana into one slice. Chromium draws a letter with its voicing mark, as in "ｶﾞ", only if one face contains both,
// but the packages have the marks in one slice and the letters in 27 others. Japanese bank transfers are written in these characters.
// HarfBuzz cannot merge fonts, so the tables `glyf`, `loca`, `cmap`, `hmtx` and `vmtx` are generated here, and a few fields in other tables
// are changed.
import { Font } from "harfbuzzjs";
import type { BuiltSlice } from "./font-slices.ts";
import { faceOf, fontOf, tablesOf, type Tables } from "./open-type.ts";

const [first, last] = [0xff61, 0xff9f];
const isHalfWidth = (point: number) => point >= first && point <= last;

/** Returns a family's slices for Chinese, Japanese and Korean, with these characters moved to a separate slice. */
export function withHalfWidthKatakana(slices: readonly BuiltSlice[]): BuiltSlice[] {
  const japanese = slices.filter(({ han, points }) => han === "jp" && [...points].some(isHalfWidth));
  const [model] = japanese;
  if (!model) throw new Error("No Japanese font has half-width katakana.");
  const files = model.files.map(({ id: modelId, weight, style }) => {
    const fonts = japanese.flatMap((built) => built.files.filter((file) => file.weight === weight));
    const id = modelId.replace(/\d+-\d+$/, `half-width-katakana-${weight}`);
    return { id, weight, style, font: mergedFont(fonts.map(({ font }) => font)) };
  });
  const points = new Set(Array.from({ length: last - first + 1 }, (_, index) => first + index));
  // The other files still contain the glyphs, but no document uses them.
  const others = slices.map((built) => ({
    ...built,
    points: new Set([...built.points].filter((point) => !isHalfWidth(point))),
  }));
  return [{ ...model, points, files }, ...others.filter((built) => built.points.size > 0)];
}

type Glyph = { tables: Tables; number: number };

/** Returns a font with these glyphs and the metrics of the first font, without substitutions and kerning. */
function mergedFont(files: readonly Buffer[]): Buffer {
  const fonts = files.map((file) => ({ tables: tablesOf(file), font: new Font(faceOf(file)) }));
  const glyphs: Glyph[] = [];
  for (let point = first; point <= last; point++) {
    const source = fonts.find(({ font }) => font.nominalGlyph(point));
    if (!source) throw new Error(`No font has a glyph for U+${point.toString(16)}.`);
    if (glyphs.length === 0) glyphs.push({ tables: source.tables, number: 0 });
    glyphs.push({ tables: source.tables, number: source.font.nominalGlyph(point) ?? 0 });
  }
  const model = glyphs[0]?.tables ?? new Map();
  const copied = ["BASE", "gasp", "name", "post", "prep"].map((tag): [string, Buffer] => [tag, table(model, tag)]);
  return fontOf(
    new Map([
      ...copied,
      ...outlinesOf(glyphs),
      ["hmtx", Buffer.concat(glyphs.map((glyph) => metricsOf(glyph, "h")))],
      ["vmtx", Buffer.concat(glyphs.map((glyph) => metricsOf(glyph, "v")))],
      ["hhea", changed(table(model, "hhea"), { 34: glyphs.length })],
      ["vhea", changed(table(model, "vhea"), { 34: glyphs.length })],
      ["OS/2", changed(table(model, "OS/2"), { 64: first, 66: last })],
      ["cmap", charactersInOrder()],
      // The offsets in `loca` have 32 bits.
      ["head", changed(table(model, "head"), { 50: 1 })],
      ["maxp", changed(highest(fonts.map(({ tables }) => table(tables, "maxp"))), { 4: glyphs.length })],
    ]),
  );
}

/** Returns a glyph's advance and bearing, horizontal or vertical. */
function metricsOf({ tables, number }: Glyph, axis: "h" | "v"): Buffer {
  const metrics = table(tables, `${axis}mtx`);
  const count = table(tables, `${axis}hea`).readUInt16BE(34);
  // From this glyph on, all glyphs have the same advance, which is stored only once.
  const advance = Math.min(number, count - 1) * 4;
  const bearing = number < count ? number * 4 + 2 : count * 4 + (number - count) * 2;
  return Buffer.concat([metrics.subarray(advance, advance + 2), metrics.subarray(bearing, bearing + 2)]);
}

function outlinesOf(glyphs: readonly Glyph[]): [string, Buffer][] {
  const outlines = glyphs.map(({ tables, number }) => {
    const loca = table(tables, "loca");
    const isLong = table(tables, "head").readUInt16BE(50) === 1;
    const offset = (index: number) => (isLong ? loca.readUInt32BE(index * 4) : loca.readUInt16BE(index * 2) * 2);
    const outline = table(tables, "glyf").subarray(offset(number), offset(number + 1));
    if (outline.length > 0 && outline.readInt16BE(0) < 0) throw new Error("The glyph is composed of other glyphs.");
    return Buffer.concat([outline, Buffer.alloc(-outline.length & 3)]);
  });
  const offsets = Buffer.alloc((outlines.length + 1) * 4);
  let end = 0;
  for (const [index, { length }] of outlines.entries()) offsets.writeUInt32BE((end += length), (index + 1) * 4);
  return [
    ["glyf", Buffer.concat(outlines)],
    ["loca", offsets],
  ];
}

/** Returns a `cmap` that maps the characters to glyphs 1, 2, …: a single format 12 subtable with one group. */
function charactersInOrder(): Buffer {
  const bytes = Buffer.alloc(40);
  for (const [index, value] of [0, 1, 3, 10].entries()) bytes.writeUInt16BE(value, index * 2);
  for (const [index, value] of [12, 12 << 16, 28, 0, 1, first, last, 1].entries())
    bytes.writeUInt32BE(value, 8 + index * 4);
  return bytes;
}

/** Returns `maxp` with the maximum values of all fonts. The values come after the version and the number of glyphs. */
function highest(all: readonly Buffer[]): Buffer {
  const result = Buffer.from(all[0] ?? []);
  for (const bytes of all)
    for (let at = 6; at < bytes.length; at += 2)
      result.writeUInt16BE(Math.max(result.readUInt16BE(at), bytes.readUInt16BE(at)), at);
  return result;
}

function table(tables: Tables, tag: string): Buffer {
  const bytes = tables.get(tag);
  if (!bytes) throw new Error(`The font has no table ${tag}.`);
  return bytes;
}

/** Returns a copy with these 16-bit values at these positions. */
function changed(bytes: Buffer, values: Record<number, number>): Buffer {
  const copy = Buffer.from(bytes);
  for (const [at, value] of Object.entries(values)) copy.writeUInt16BE(value, Number(at));
  return copy;
}
