// Parses the source of PDF objects into values. Only objects that are changed or followed are parsed; all others are copied. Objects with a
// generation other than 0 are refused, because an object stream cannot contain them.
import { endOfHex, endOfLiteral, endOfWord, hexDigit, isRegular, latin1, skipSpace, standsAt } from "./characters.ts";
import { PdfError } from "./pdf-error.ts";
import { reference, type PdfDictionary, type PdfName, type PdfString, type PdfValue } from "./values.ts";

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
      return parseName(source);
    case 0x28:
      return parseLiteral(source, endOfLiteral(bytes, at, end));
    case 0x5b:
      return parseArray(source, depth);
    case 0x3c:
      return bytes[at + 1] === 0x3c ? parseDictionary(source, depth) : parseHex(source, endOfHex(bytes, at, end));
    default:
      return parseWord(source);
  }
}

/** Names that were parsed before, by a hash, because all objects have the same few names. */
const knownNames = Array.from({ length: 1_024 }, (): PdfName | undefined => undefined);
const maxKnownBytes = 32;

function parseName(source: Source): PdfName {
  const { bytes, end } = source;
  const from = source.at + 1;
  let at = from;
  let hash = 0;
  for (; at < end && isRegular(bytes[at]); at++) hash = (hash * 31 + (bytes[at] ?? 0)) & (knownNames.length - 1);
  source.at = at;
  const known = knownNames[hash];
  if (known && known.text.length === at - from && standsAt(bytes, from, known.text)) return known;
  const text = latin1(bytes, from, at);
  if (text.includes("#")) {
    const decoded = text.replace(/#([0-9A-Fa-f]{2})/g, (_, digits: string) =>
      String.fromCharCode(parseInt(digits, 16)),
    );
    return { type: "name", text: decoded };
  }
  const name: PdfName = { type: "name", text };
  if (text.length <= maxKnownBytes) knownNames[hash] = name;
  return name;
}

function parseLiteral(source: Source, end: number): PdfString {
  if (end < 0) throw new PdfError(malformedString);
  const inner = latin1(source.bytes, source.at + 1, end - 1);
  source.at = end;
  return { type: "string", text: decodeLiteral(inner) };
}

const malformedString = "a string is malformed";
const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

function decodeLiteral(inner: string): string {
  if (!/[\\\r]/.test(inner)) return inner;
  return inner.replace(/\\([0-7]{1,3}|\r\n|[^])|\r\n?/g, (_, escaped: string | undefined) => {
    if (escaped === undefined) return "\n";
    if (/^[0-7]/.test(escaped)) return String.fromCharCode(parseInt(escaped, 8) & 0xff);
    return /^[\r\n]/.test(escaped) ? "" : (escapes[escaped] ?? escaped);
  });
}

/** An unpaired last digit is followed by a zero. */
function parseHex(source: Source, end: number): PdfString {
  if (end < 0) throw new PdfError(malformedString);
  let text = "";
  let first = -1;
  for (let at = source.at + 1; at < end - 1; at++) {
    const digit = hexDigit(source.bytes[at] ?? 0);
    if (digit < 0) continue;
    if (first >= 0) text += String.fromCharCode(first * 16 + digit);
    first = first < 0 ? digit : -1;
  }
  source.at = end;
  return { type: "string", text: first < 0 ? text : text + String.fromCharCode(first * 16) };
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
    const key = parseName(source).text;
    const { size } = entries;
    if (entries.set(key, parseValue(source, depth + 1)).size === size)
      throw new PdfError("a dictionary has a key twice");
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
  const number = wholeNumber(bytes, at, source.at) ?? decimalOrKeyword(latin1(bytes, at, source.at));
  if (typeof number !== "number" || !standsAt(bytes, source.at, referenceEnd)) return number;
  source.at += referenceEnd.length;
  return reference(number);
}

/** More digits may not fit exactly into a number. */
const maxDigits = 15;

/** Most words are references. Returns null for anything but a few digits. */
function wholeNumber(bytes: Uint8Array, from: number, to: number): number | null {
  if (from === to || to - from > maxDigits) return null;
  let number = 0;
  for (let at = from; at < to; at++) {
    const digit = (bytes[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return null;
    number = number * 10 + digit;
  }
  return number;
}

function decimalOrKeyword(word: string): number | boolean | null {
  const keyword = keywords.get(word);
  if (keyword !== undefined) return keyword;
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(word)) throw new PdfError("an object contains an unknown word");
  return Number(word);
}
