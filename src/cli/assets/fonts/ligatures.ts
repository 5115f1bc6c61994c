// Turns off the ligatures of Latin letters in a font. A PDF of Chromium 128 or earlier says in two ways which letters the glyph for
// "fi" stands for: programs that know only one of them, such as pdf.js and MuPDF, extract a NUL in its place, so nobody finds "office"
// by searching. Ligatures that a script needs are in other features, or in the fonts of that script.
import { openWoff2 } from "./woff2.ts";

const latinLigatures = "liga";

/** Returns the font without what its feature `liga` does; the same file if it has no such feature. */
export function withoutLatinLigatures(woff2: Buffer): Buffer {
  const font = openWoff2(woff2);
  const table = font.table("GSUB");
  if (!table || !emptyFeature(table, latinLigatures)) return woff2;
  return font.packed();
}

/**
 * Leaves no lookup in the features with this tag, and returns whether there are any. The records of the features stay as they are,
 * because languages refer to them by number. See https://learn.microsoft.com/typography/opentype/spec/chapter2.
 */
function emptyFeature(table: Buffer, wanted: string): boolean {
  const list = table.readUInt16BE(6);
  let isFound = false;
  for (let index = 0; index < table.readUInt16BE(list); index++) {
    const record = list + 2 + index * 6;
    if (table.toString("latin1", record, record + 4) !== wanted) continue;
    const feature = list + table.readUInt16BE(record + 4);
    table.writeUInt16BE(0, feature + 2);
    isFound = true;
  }
  return isFound;
}
