// Reads a content stream operator by operator, in one pass and without keeping what it has read. Refuses what is not a content stream.
import { endOfHex, endOfLiteral, endOfWord, isDigit, isRegular, latin1, skipSpace } from "./characters.ts";
import { parseValue } from "./parse-value.ts";
import { PdfError } from "./pdf-error.ts";
import type { PdfValue } from "./values.ts";

/**
 * An operator with its operands. It is valid until the reader continues. `from` is the position of the first operand, and `to` the position
 * after the operator or, for `ID`, after the data of the inline image.
 */
export type Operation = { operator: string; from: number; to: number; operands: () => PdfValue[] };

const operators = (
  "b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EI EMC ET EX f F f* G g gs h i ID j J K k l m M MP n q Q re RG rg ri " +
  "S s SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' \""
).split(" ");
/** By their bytes as a number, because a content stream has hundreds of thousands of them. */
const names = new Map(operators.map((name) => [keyOf(Buffer.from(name), 0, name.length), name]));

/** The highest number of operands is that of a colour in a space of 32 colorants, and a pattern. */
const maxOperands = 33;

/** Throws `PdfError` if the bytes are not a sequence of operators with their operands. */
export function readContent(bytes: Uint8Array, visit: (operation: Operation) => void): void {
  const end = bytes.length;
  let starts: number[] = [];
  const source = { bytes, at: 0, end };
  const operands = () =>
    starts.map((at) => {
      source.at = at;
      return parseValue(source);
    });
  const operation: Operation = { operator: "", from: 0, to: 0, operands };
  for (let at = skipSpace(bytes, 0, end); at < end; at = skipSpace(bytes, at, end)) {
    const operandEnd = endOfOperand(bytes, at, end);
    if (operandEnd > at) {
      if (starts.push(at) > maxOperands) throw new PdfError("an operator has too many operands");
      at = operandEnd;
      continue;
    }
    const to = endOfWord(bytes, at, end);
    const operator = names.get(keyOf(bytes, at, to));
    if (operator === undefined) throw new PdfError("a content stream has an unknown operator");
    operation.operator = operator;
    operation.from = starts[0] ?? at;
    operation.to = operator === "ID" ? endOfImage(bytes, to, end) : to;
    visit(operation);
    at = operation.to;
    starts = [];
  }
  if (starts.length > 0) throw new PdfError("a content stream ends with an operand");
}

/** An unknown operator has no key. */
function keyOf(bytes: Uint8Array, from: number, to: number): number {
  let key = 0;
  for (let at = from; at < Math.min(to, from + 4); at++) key = key * 256 + (bytes[at] ?? 0);
  return to - from > 3 ? -1 : key;
}

/** Returns the position after the operand at `at`; `at` if an operator is there. */
function endOfOperand(bytes: Uint8Array, at: number, end: number): number {
  const code = bytes[at] ?? 0;
  if (isDigit(code) || code === 0x2d || code === 0x2b || code === 0x2e) return endOfWord(bytes, at, end);
  if (code === 0x2f) return endOfWord(bytes, at + 1, end);
  if (code === 0x28) return found(endOfLiteral(bytes, at, end));
  if (code === 0x3c && bytes[at + 1] !== 0x3c) return found(endOfHex(bytes, at, end));
  if (code === 0x3c || code === 0x5b) return endOfValue(bytes, at, end);
  if (!isRegular(code) && code !== 0x27 && code !== 0x22) throw new PdfError("a content stream has a stray delimiter");
  const isKeyword =
    (code === 0x74 || code === 0x66 || code === 0x6e) && /^(?:true|false|null)$/.test(wordAt(bytes, at, end));
  return isKeyword ? endOfWord(bytes, at, end) : at;
}

function wordAt(bytes: Uint8Array, at: number, end: number): string {
  return latin1(bytes, at, Math.min(endOfWord(bytes, at, end), at + 6));
}

function found(end: number): number {
  if (end < 0) throw new PdfError("a string in a content stream is malformed");
  return end;
}

function endOfValue(bytes: Uint8Array, at: number, end: number): number {
  const source = { bytes, at, end };
  parseValue(source);
  return source.at;
}

/** Returns the position before the `EI` that ends the data of an inline image. */
function endOfImage(bytes: Uint8Array, from: number, end: number): number {
  for (let at = from + 1; at + 1 < end; at++) {
    const isEnd = bytes[at] === 0x45 && bytes[at + 1] === 0x49;
    if (isEnd && !isRegular(bytes[at - 1]) && !isRegular(bytes[at + 2])) return at;
  }
  throw new PdfError("an inline image has no end");
}
