// Makes one font of glyphs that are in several files of the same font (https://learn.microsoft.com/typography/opentype/spec/otff).
import { cmapOf, glyphsOf } from "./cmap.ts";
import { openWoff2, packTables, type FontTable, type OpenedWoff2 } from "./woff2.ts";

/** The tables that do not refer to glyphs. */
const shared = ["BASE", "gasp", "name", "post", "prep"];
/** The highest values of all glyphs are in the fields from here to the end of `maxp`. */
const maximums = 6;

type Glyph = { font: OpenedWoff2; number: number };

/**
 * Returns a font with the glyphs of the code points from `first` to `last`, and the metrics of the first font. The fonts have TrueType
 * outlines as they were before WOFF2. Substitutions and kerning are left out.
 */
export function mergedFont(files: readonly Buffer[], first: number, last: number): Buffer {
  const fonts = files.map(openWoff2);
  const model = fonts[0];
  if (!model) throw new Error("There are no fonts to merge.");
  const known = fonts.map((font) => ({ font, numbers: glyphsOf(font) }));
  const glyphs: Glyph[] = [{ font: model, number: 0 }];
  for (let point = first; point <= last; point++) {
    const found = known.find(({ numbers }) => numbers.has(point));
    if (!found) throw new Error(`No font has a glyph for U+${point.toString(16)}.`);
    glyphs.push({ font: found.font, number: found.numbers.get(point) ?? 0 });
  }
  const tables = [
    ...shared.map((tag) => ({ tag, bytes: table(model, tag) })),
    ...metricsOf(glyphs, model, "h"),
    ...metricsOf(glyphs, model, "v"),
    ...outlinesOf(glyphs),
    { tag: "OS/2", bytes: changed(table(model, "OS/2"), { 64: first, 66: last }) },
    { tag: "cmap", bytes: cmapOf(first, last) },
    // The offsets in `loca` have 32 bits.
    { tag: "head", bytes: changed(table(model, "head"), { 50: 1 }) },
    { tag: "maxp", bytes: changed(highestOf(fonts.map((font) => table(font, "maxp"))), { 4: glyphs.length }) },
  ];
  return packTables(tables.toSorted((a, b) => (a.tag < b.tag ? -1 : 1)));
}

/** Returns the horizontal or vertical metrics. */
function metricsOf(glyphs: readonly Glyph[], model: OpenedWoff2, axis: "h" | "v"): FontTable[] {
  const metrics = glyphs.map(({ font, number }) => {
    const all = table(font, `${axis}mtx`);
    const count = table(font, `${axis}hea`).readUInt16BE(34);
    // From this glyph on, all have the same advance, which is not repeated.
    const advance = Math.min(number, count - 1) * 4;
    const bearing = number < count ? number * 4 + 2 : count * 4 + (number - count) * 2;
    return Buffer.concat([all.subarray(advance, advance + 2), all.subarray(bearing, bearing + 2)]);
  });
  return [
    { tag: `${axis}hea`, bytes: changed(table(model, `${axis}hea`), { 34: glyphs.length }) },
    { tag: `${axis}mtx`, bytes: Buffer.concat(metrics) },
  ];
}

function outlinesOf(glyphs: readonly Glyph[]): FontTable[] {
  const outlines = glyphs.map(outlineOf);
  const offsets = Buffer.alloc((outlines.length + 1) * 4);
  let end = 0;
  for (const [index, { length }] of outlines.entries()) offsets.writeUInt32BE((end += length), (index + 1) * 4);
  return [
    { tag: "glyf", bytes: Buffer.concat(outlines) },
    { tag: "loca", bytes: offsets },
  ];
}

/** Returns the outline, filled up to a multiple of 4 bytes. */
function outlineOf({ font, number }: Glyph): Buffer {
  const loca = table(font, "loca");
  const isLong = table(font, "head").readUInt16BE(50) === 1;
  const offset = (index: number) => (isLong ? loca.readUInt32BE(index * 4) : loca.readUInt16BE(index * 2) * 2);
  const outline = table(font, "glyf").subarray(offset(number), offset(number + 1));
  if (outline.length > 0 && outline.readInt16BE(0) < 0) throw new Error("The glyph is made of others.");
  return Buffer.concat([outline, Buffer.alloc(-outline.length & 3)]);
}

function highestOf(tables: readonly Buffer[]): Buffer {
  return tables.reduce((highest, next) => {
    const result = Buffer.from(highest);
    for (let at = maximums; at < result.length; at += 2)
      result.writeUInt16BE(Math.max(highest.readUInt16BE(at), next.readUInt16BE(at)), at);
    return result;
  });
}

function table(font: OpenedWoff2, tag: string): Buffer {
  const bytes = font.table(tag);
  if (!bytes) throw new Error(`The font has no table ${tag}.`);
  return bytes;
}

/** Returns a copy with these 16-bit values at these positions. */
function changed(bytes: Buffer, values: Record<number, number>): Buffer {
  const copy = Buffer.from(bytes);
  for (const [at, value] of Object.entries(values)) copy.writeUInt16BE(value, Number(at));
  return copy;
}
