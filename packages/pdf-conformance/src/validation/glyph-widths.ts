// The widths of glyphs, which the dictionary of a font and its program both have.
import { latin1 } from "colophon-pdf/characters";
import type { FinishedPdf } from "colophon-pdf/open-finished-pdf";
import type { PdfDictionary, PdfValue } from "colophon-pdf/values";
import { listOf } from "./file.ts";

/** Returns the width of a glyph in thousandths of the font's size. Without one, it is NaN, as all widths of a font are if some are malformed. */
type Widths = (glyph: number) => number;

export function dictionaryWidths(file: FinishedPdf, font: PdfDictionary): Widths {
  const [widths, otherwise] = [new Map<number, number>(), Number(font.get("DW") ?? 1_000)];
  let isValid = true;
  const set = (glyph: number, width: PdfValue | undefined) => {
    if (typeof width === "number") widths.set(glyph, width);
    else isValid = false;
  };
  const items = listOf(file, font.get("W"));
  for (let at = 0; isValid && at < items.length; at += 2) {
    const [first, last] = [items[at], items[at + 1]];
    if (typeof first === "number" && Array.isArray(last)) last.forEach((width, index) => set(first + index, width));
    else if (typeof first === "number" && typeof last === "number") {
      for (let glyph = Math.max(first, 0); glyph <= Math.min(last, maxGlyph); glyph++) set(glyph, items[at + 2]);
      at++;
    } else isValid = false;
  }
  return (glyph) => (isValid ? (widths.get(glyph) ?? otherwise) : NaN);
}

const maxGlyph = 0xffff;

/** Reads the widths in a program in the format TrueType. */
export function programWidths(bytes: Uint8Array): Widths {
  const number = (at: number) => (bytes[at] ?? NaN) * 256 + (bytes[at + 1] ?? NaN);
  const tables = new Map<string, number>();
  for (let at = 12; at < 12 + 16 * number(4); at += 16)
    tables.set(latin1(bytes, at, at + 4), number(at + 8) * 65_536 + number(at + 10));
  const numberIn = (table: string, at: number) => number((tables.get(table) ?? NaN) + at);
  const [glyphs, unitsPerEm, last] = [numberIn("maxp", 4), numberIn("head", 18), numberIn("hhea", 34) - 1];
  const metrics = tables.get("hmtx") ?? NaN;
  return (glyph) => (glyph < glyphs ? (1_000 * number(metrics + 4 * Math.min(glyph, last))) / unitsPerEm : NaN);
}
