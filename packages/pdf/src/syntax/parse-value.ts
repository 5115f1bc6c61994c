// Parses the source of PDF objects into values. Only objects that are changed or followed are parsed; all others are copied. Objects with a
// generation other than 0 are refused, because an object stream cannot contain them.
import { endOfHex, endOfLiteral, endOfWord, latin1, skipSpace, standsAt } from "./characters.ts";
import { PdfError } from "./pdf-error.ts";
import { reference, type PdfDictionary, type PdfString, type PdfValue } from "./values.ts";

/** A part of a file. Parsing advances `at` to the position after the value. */
export type Source = { bytes: Uint8Array; at: number; end: number };

/** The maximum nesting of arrays and dictionaries. Chromium nests about six levels. */
const maxDepth = 60;

export function parseValue(source: Source, depth = 0): PdfValue {
  if (depth > maxDepth) throw new PdfError("an object is nested too deeply");
  const { bytes, end } = source;
  const at = (source.at = skipSpace(bytes, source.at, end));
  if (at >= end) throw new PdfError("an object ends too early");
  switch (bytes[at]) {
    case 0x2f:
      return { type: "name", text: parseName(source) };
    case 0x28:
      return parseString(source, endOfLiteral(bytes, at, end), decodeLiteral);
    case 0x5b:
      return parseArray(source, depth);
    case 0x3c:
      return bytes[at + 1] === 0x3c
        ? parseDictionary(source, depth)
        : parseString(source, endOfHex(bytes, at, end), decodeHex);
    default:
      return parseWord(source);
  }
}

function parseName(source: Source): string {
  const from = source.at + 1;
  source.at = endOfWord(source.bytes, from, source.end);
  const text = latin1(source.bytes, from, source.at);
  return text.includes("#")
    ? text.replace(/#([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)))
    : text;
}

function parseString(source: Source, end: number, decode: (inner: string) => string): PdfString {
  if (end < 0) throw new PdfError("a string is malformed");
  const inner = latin1(source.bytes, source.at + 1, end - 1);
  source.at = end;
  return { type: "string", text: decode(inner) };
}

const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

function decodeLiteral(inner: string): string {
  if (!/[\\\r]/.test(inner)) return inner;
  return inner.replace(/\\([0-7]{1,3}|\r\n|[^])|\r\n?/g, (_, escaped: string | undefined) => {
    if (escaped === undefined) return "\n";
    if (/^[0-7]/.test(escaped)) return String.fromCharCode(parseInt(escaped, 8) & 0xff);
    return /^[\r\n]/.test(escaped) ? "" : (escapes[escaped] ?? escaped);
  });
}

/** Decodes hexadecimal digits. An unpaired last digit is followed by a zero. */
function decodeHex(inner: string): string {
  const digits = inner.replace(/[^0-9A-Fa-f]/g, "");
  return Buffer.from(digits + "0".repeat(digits.length % 2), "hex").toString("latin1");
}

function parseArray(source: Source, depth: number): PdfValue[] {
  const items: PdfValue[] = [];
  source.at++;
  while (!isAt(source, 0x5d)) items.push(parseValue(source, depth + 1));
  source.at++;
  return items;
}

function parseDictionary(source: Source, depth: number): PdfDictionary {
  const entries: PdfDictionary = new Map();
  source.at += 2;
  while (!isAt(source, 0x3e)) {
    if (!isAt(source, 0x2f)) throw new PdfError("a dictionary's key is not a name");
    const key = parseName(source);
    if (entries.has(key)) throw new PdfError("a dictionary has a key twice");
    entries.set(key, parseValue(source, depth + 1));
  }
  if (source.bytes[source.at + 1] !== 0x3e || source.at + 1 >= source.end)
    throw new PdfError("a dictionary has no end");
  source.at += 2;
  return entries;
}

function isAt(source: Source, code: number): boolean {
  source.at = skipSpace(source.bytes, source.at, source.end);
  return source.at < source.end && source.bytes[source.at] === code;
}

/** The text after the number in a reference, as Chromium always writes it. */
const referenceEnd = " 0 R";
const keywords = new Map(Object.entries({ true: true, false: false, null: null }));

function parseWord(source: Source): PdfValue {
  const { bytes, at, end } = source;
  source.at = endOfWord(bytes, at, end);
  const word = latin1(bytes, at, source.at);
  const keyword = keywords.get(word);
  if (keyword !== undefined) return keyword;
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(word)) throw new PdfError("an object contains an unknown word");
  if (!standsAt(bytes, source.at, referenceEnd)) return Number(word);
  source.at += referenceEnd.length;
  return reference(Number(word));
}
