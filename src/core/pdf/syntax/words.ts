// Reads the words of PDF syntax: numbers, references and keywords. Objects of other generations than 0 are refused,
// because Chromium writes none and they cannot stand in an object stream.
import { endOfWord, isDigit, isRegular, skipSpace } from "./characters.ts";
import { PdfError } from "./pdf-error.ts";

/** The largest integer that every reader accepts. */
const maxInteger = 2_147_483_647;
const maxNumberChars = 40;

/** Returns the non-negative integer between two positions; -1 if there are other characters than digits. */
export function wholeNumber(bytes: Uint8Array, from: number, to: number): number {
  if (to <= from || to - from > 10) return -1;
  let number = 0;
  for (let at = from; at < to; at++) {
    const code = bytes[at] ?? 0;
    if (!isDigit(code)) return -1;
    number = number * 10 + code - 0x30;
  }
  return number <= maxInteger ? number : -1;
}

/**
 * Returns the position after `0 R` if it follows the integer that ends at `from`, so that the two are a reference; -1
 * otherwise.
 */
export function endOfReference(bytes: Uint8Array, from: number, end: number): number {
  // Chromium writes all references like this, so there is a faster way for them.
  const isUsual =
    bytes[from + 1] === 0x30 && bytes[from] === 0x20 && bytes[from + 2] === 0x20 && bytes[from + 3] === 0x52;
  if (isUsual && from + 4 < end && !isRegular(bytes[from + 4])) return from + 4;
  const generation = skipSpace(bytes, from, end);
  if (!isDigit(bytes[generation]) || generation >= end) return -1;
  const generationEnd = endOfWord(bytes, generation, end);
  const keyword = skipSpace(bytes, generationEnd, end);
  if (keyword >= end || bytes[keyword] !== 0x52 || (keyword + 1 < end && isRegular(bytes[keyword + 1]))) return -1;
  if (wholeNumber(bytes, generation, generationEnd) !== 0) throw new PdfError("an object's generation is not 0");
  return keyword + 1;
}

/** Throws unless the word is a number or one of the keywords `true`, `false` and `null`. */
export function checkWord(bytes: Uint8Array, from: number, to: number): void {
  const code = bytes[from] ?? 0;
  if (isDigit(code) || code === 0x2b || code === 0x2d || code === 0x2e) checkNumber(bytes, from, to);
  else if (keywordAt(bytes, from, to) === undefined) throw new PdfError("an object contains an unknown keyword");
}

function checkNumber(bytes: Uint8Array, from: number, to: number): void {
  const hasSign = !isDigit(bytes[from]) && bytes[from] !== 0x2e;
  let digits = 0;
  let points = 0;
  for (let at = hasSign ? from + 1 : from; at < to; at++) {
    if (isDigit(bytes[at])) digits++;
    else if (bytes[at] === 0x2e) points++;
    else throw new PdfError("a number is malformed");
  }
  if (digits === 0 || points > 1) throw new PdfError("a number is malformed");
  const isLong = digits > (points === 0 ? 9 : maxNumberChars);
  if (isLong && (points > 0 || wholeNumber(bytes, hasSign ? from + 1 : from, to) < 0))
    throw new PdfError("a number is out of range");
}

export function keywordAt(bytes: Uint8Array, from: number, to: number): boolean | null | undefined {
  const [length, first] = [to - from, bytes[from]];
  if (length > 5 || (first !== 0x74 && first !== 0x66 && first !== 0x6e)) return undefined;
  const text = String.fromCharCode(...bytes.subarray(from, to));
  if (text === "null") return null;
  return text === "true" ? true : text === "false" ? false : undefined;
}
