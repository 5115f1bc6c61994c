// Corrects the tables that say which text a font's glyphs stand for. For a glyph that no single character stands for, such as a ligature,
// Chromium writes U+0000, which the standards forbid, and puts the text beside the glyph in the content.
import { deflateSync } from "node:zlib";
import { latin1, latin1Bytes } from "colophon-pdf/characters";
import type { PdfFile, PdfStream } from "colophon-pdf/open-pdf";
import { readContent, type Operation } from "colophon-pdf/read-content";
import { isDictionary, isString, name, type PdfDictionary } from "colophon-pdf/values";
import { textOf } from "../validation/file.ts";
import { decodedContent, type Place } from "./decoded-content.ts";
import { mapsIn } from "./font-texts.ts";

/** A table, the codes in it whose text is missing, and the texts that the content gives for them, in hexadecimal. */
type GlyphTable = { source: string; dictionary: PdfDictionary; missing: Set<string>; texts: Map<string, string> };

const missingText = /<([0-9A-F]{4})> <(?:0000|FEFF|FFFE)>/g;
/** For the other glyphs of a group whose first glyph has its text: a space without width. */
const noText = "200B";

/** Returns the corrected tables by object number. A glyph whose text nobody knows keeps its forbidden entry. */
export function correctGlyphTexts(file: PdfFile, places: Iterable<Place>): Map<number, PdfStream> {
  const tables = new Map<number, GlyphTable>();
  for (const { stream, resources } of places) {
    const fonts = new Map<string, GlyphTable>();
    for (const [key, { number }] of mapsIn(file, resources)) {
      const table = tables.get(number) ?? readTable(file, number);
      tables.set(number, table);
      if (table.missing.size > 0) fonts.set(key, table);
    }
    if (fonts.size > 0) readTexts(decodedContent(file, stream).bytes, fonts);
  }
  const corrected = [...tables].filter(([, { texts }]) => texts.size > 0);
  return new Map(corrected.map(([number, table]) => [number, correctedTable(table)]));
}

function readTable(file: PdfFile, number: number): GlyphTable {
  const { dictionary, bytes } = decodedContent(file, number);
  const source = latin1(bytes, 0, bytes.length);
  const missing = new Set(Array.from(source.matchAll(missingText), ([, code = ""]) => code));
  return { source, dictionary, missing, texts: new Map() };
}

/** Reads the texts that the content gives for glyphs. `fonts` has the tables without some of their texts. */
function readTexts(bytes: Uint8Array, fonts: ReadonlyMap<string, GlyphTable>): void {
  /** The text of the marked content, until a glyph has it. */
  const texts: (string | null)[] = [];
  let table: GlyphTable | undefined;
  const show = ({ operands }: Operation) => {
    if (!table) return;
    const level = texts.findLastIndex((text) => text !== null);
    for (const shown of operands().flat().filter(isString)) {
      for (const [code] of hex(shown.text).matchAll(/.{4}/g)) {
        const text = texts[level];
        if (text === undefined || text === null) continue;
        if (table.missing.has(code) && !table.texts.has(code)) table.texts.set(code, text || noText);
        texts[level] = "";
      }
    }
  };
  readContent(bytes, {
    BMC: () => texts.push(null),
    BDC({ operands }) {
      const [, properties] = operands();
      const text = isDictionary(properties) ? properties.get("ActualText") : null;
      texts.push(isString(text) ? utf16Hex(text.text) : null);
    },
    EMC: () => texts.pop(),
    Tf: ({ operands }) => (table = fonts.get(textOf(operands()[0]))),
    Tj: show,
    TJ: show,
  });
}

/** A text string is in UTF-16 with a byte order mark, or has one byte for each character. */
function utf16Hex(text: string): string {
  return text.startsWith("\xfe\xff") ? hex(text.slice(2)) : hex(text).replace(/../g, "00$&");
}

function hex(text: string): string {
  return Buffer.from(text, "latin1").toString("hex").toUpperCase();
}

function correctedTable({ source, dictionary, texts }: GlyphTable): PdfStream {
  const corrected = source.replace(missingText, (entry, code: string) => {
    const text = texts.get(code);
    return text === undefined ? entry : `<${code}> <${text}>`;
  });
  dictionary.delete("Length");
  dictionary.set("Filter", name("FlateDecode"));
  return { dictionary, data: deflateSync(latin1Bytes(corrected)) };
}
