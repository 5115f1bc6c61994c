// Reads which characters a WOFF2 font has (https://learn.microsoft.com/typography/opentype/spec/cmap).
import { openWoff2 } from "./woff2.ts";

/** Returns the code points for which the font has glyphs. */
export function codePointsOf(woff2: Buffer): Set<number> {
  const cmap = openWoff2(woff2).table("cmap");
  if (!cmap) throw new Error("the font has no table of characters");
  const points = new Set<number>();
  const count = cmap.readUInt16BE(2);
  for (let index = 0; index < count; index++) {
    const start = cmap.readUInt32BE(4 + index * 8 + 4);
    const format = cmap.readUInt16BE(start);
    if (format === 4) readSegments(cmap.subarray(start), points);
    if (format === 12) readGroups(cmap.subarray(start), points);
  }
  return points;
}

function readSegments(table: Buffer, points: Set<number>): void {
  const count = table.readUInt16BE(6) / 2;
  for (let index = 0; index < count; index++) {
    const at = (part: number) => 14 + part * count * 2 + index * 2 + (part > 0 ? 2 : 0);
    const [last, first] = [table.readUInt16BE(at(0)), table.readUInt16BE(at(1))];
    const [delta, rangeOffset] = [table.readUInt16BE(at(2)), table.readUInt16BE(at(3))];
    for (let point = first; point <= last && point < 0xffff; point++) {
      const position = at(3) + rangeOffset + (point - first) * 2;
      const glyph = rangeOffset === 0 ? point : position + 2 > table.length ? 0 : table.readUInt16BE(position);
      if (glyph !== 0 && ((glyph + delta) & 0xffff) !== 0) points.add(point);
    }
  }
}

function readGroups(table: Buffer, points: Set<number>): void {
  const count = table.readUInt32BE(12);
  for (let index = 0; index < count; index++) {
    const at = 16 + index * 12;
    for (let point = table.readUInt32BE(at); point <= table.readUInt32BE(at + 4); point++) points.add(point);
  }
}
