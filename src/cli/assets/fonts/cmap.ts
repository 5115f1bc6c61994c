// Reads and writes which characters a font has (https://learn.microsoft.com/typography/opentype/spec/cmap).
import { openWoff2, type OpenedWoff2 } from "./woff2.ts";

/** Returns the code points for which the font has glyphs. */
export function codePointsOf(woff2: Buffer): Set<number> {
  return new Set(glyphsOf(openWoff2(woff2)).keys());
}

/** Returns the numbers of the glyphs by code point. */
export function glyphsOf(font: OpenedWoff2): Map<number, number> {
  const cmap = font.table("cmap");
  if (!cmap) throw new Error("the font has no table of characters");
  const glyphs = new Map<number, number>();
  const count = cmap.readUInt16BE(2);
  for (let index = 0; index < count; index++) {
    const start = cmap.readUInt32BE(4 + index * 8 + 4);
    const format = cmap.readUInt16BE(start);
    if (format === 4) readSegments(cmap.subarray(start), glyphs);
    if (format === 12) readGroups(cmap.subarray(start), glyphs);
  }
  return glyphs;
}

function readSegments(table: Buffer, glyphs: Map<number, number>): void {
  const count = table.readUInt16BE(6) / 2;
  for (let index = 0; index < count; index++) {
    const at = (part: number) => 14 + part * count * 2 + index * 2 + (part > 0 ? 2 : 0);
    const [last, first] = [table.readUInt16BE(at(0)), table.readUInt16BE(at(1))];
    const [delta, rangeOffset] = [table.readUInt16BE(at(2)), table.readUInt16BE(at(3))];
    for (let point = first; point <= last && point < 0xffff; point++) {
      const position = at(3) + rangeOffset + (point - first) * 2;
      const glyph = rangeOffset === 0 ? point : position + 2 > table.length ? 0 : table.readUInt16BE(position);
      const number = glyph === 0 ? 0 : (glyph + delta) & 0xffff;
      if (number !== 0) glyphs.set(point, number);
    }
  }
}

function readGroups(table: Buffer, glyphs: Map<number, number>): void {
  const count = table.readUInt32BE(12);
  for (let index = 0; index < count; index++) {
    const at = 16 + index * 12;
    const [first, last] = [table.readUInt32BE(at), table.readUInt32BE(at + 4)];
    const glyph = table.readUInt32BE(at + 8);
    for (let point = first; point <= last; point++) glyphs.set(point, glyph + point - first);
  }
}

/** Returns the table of a font that has glyphs 1, 2, … for the code points from `first` to `last`. */
export function cmapOf(first: number, last: number): Buffer {
  const table = Buffer.alloc(40);
  // One subtable, for Unicode on Windows, in format 12, with one group.
  for (const [at, value] of [1, 3, 10].entries()) table.writeUInt16BE(value, 2 + at * 2);
  table.writeUInt32BE(12, 8);
  table.writeUInt16BE(12, 12);
  for (const [at, value] of [28, 0, 1, first, last, 1].entries()) table.writeUInt32BE(value, 16 + at * 4);
  return table;
}
