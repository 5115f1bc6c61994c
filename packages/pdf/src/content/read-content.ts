// Reads the tokens of a content stream: operators with their operands.
import { endOfWord, isDigit, latin1, skipSpace } from "../syntax/characters.ts";
import { parseValue } from "../syntax/parse-value.ts";
import { PdfError } from "../syntax/pdf-error.ts";
import type { PdfValue } from "../syntax/values.ts";

const keywords = new Map<string, PdfValue>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/**
 * Calls `visit` for each operator. The array of operands is used again for the next one. Throws `PdfError` if the content is malformed, or
 * has an inline image, whose data does not consist of tokens; Chromium writes none.
 */
export function readContent(bytes: Uint8Array, visit: (operator: string, operands: PdfValue[]) => void): void {
  const operands: PdfValue[] = [];
  const source = { bytes, at: skipSpace(bytes, 0, bytes.length), end: bytes.length };
  for (; source.at < source.end; source.at = skipSpace(bytes, source.at, source.end)) {
    const { at } = source;
    const code = bytes[at] ?? 0;
    if (code === 0x2f || code === 0x28 || code === 0x5b || code === 0x3c) {
      operands.push(parseValue(source));
      continue;
    }
    source.at = endOfWord(bytes, at, source.end);
    const word = latin1(bytes, at, source.at);
    if (isDigit(code) || code === 0x2d || code === 0x2e || code === 0x2b) {
      const number = Number(word);
      if (Number.isNaN(number)) throw new PdfError("a number in content is malformed");
      operands.push(number);
    } else if (keywords.has(word)) operands.push(keywords.get(word) ?? null);
    else {
      if (word === "" || word === "BI") throw new PdfError("content has an inline image or an unknown character");
      visit(word, operands);
      operands.length = 0;
    }
  }
}
