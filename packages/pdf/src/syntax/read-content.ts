// Reads a content stream operator by operator, in one pass and without keeping what it has read. Refuses what is not a content stream.
import { endOfHex, endOfLine, endOfLiteral, endOfWord, isRegular, latin1 } from "./characters.ts";
import { parseValue } from "./parse-value.ts";
import { PdfError } from "./pdf-error.ts";
import type { PdfValue } from "./values.ts";

/**
 * An operator with its operands. It is valid until the reader continues. `from` is the position of the first operand, and `to` the position
 * after the operator or, for `ID`, after the data of the inline image. `hasLongNumber` is whether an operand may be a number of ten digits.
 */
export type Operation = {
  operator: string;
  from: number;
  to: number;
  hasLongNumber: boolean;
  operands: () => PdfValue[];
  /** Returns a single operand; a negative index counts from the end. */
  operand: (index: number) => PdfValue | undefined;
};

/** By the names of operators, what is called for them. `others` is called for those without a visitor, which are skipped otherwise. */
export type Visitors = Readonly<Record<string, (operation: Operation) => void>>;

/** The operators that paint a path. */
export const pathPaints = "f F f* B B* b b* S s";

/** Returns the same value for each of the operators. */
export function each<T>(names: string, value: T): Record<string, T> {
  return Object.fromEntries(names.split(" ").map((operator) => [operator, value]));
}

/** The operators by the number of their operands, and by how many of these are numbers; -1 for any. */
const groups: [names: string, count: number, numbers: number][] = [
  ["b B b* B* BI BT BX EI EMC ET EX f F f* h n q Q s S T* W W*", 0, 0],
  ["BMC cs CS Do gs MP ri sh Tj TJ '", 1, 0],
  ["g G i j J M Tc TL Tr Ts Tw Tz w", 1, 1],
  ["BDC DP", 2, 0],
  ["d Tf", 2, 1],
  ["d0 l m Td TD", 2, 2],
  ["rg RG", 3, 3],
  ['"', 3, 2],
  ["k K re v y", 4, 4],
  ["c cm d1 Tm", 6, 6],
  ["ID sc SC scn SCN", -1, -1],
];
const operators = groups.flatMap(([names]) => names.split(" "));
/** By index, what the count of operands and of numbers must add up to, each operand as `perOperand`. */
const perOperand = 100;
const expected = Int16Array.from(
  groups.flatMap(([names, count, numbers]) => names.split(" ").map(() => perOperand * count + numbers)),
);
const unknown = -1;
/** The indexes of operators of one or two bytes by these bytes as a number, because a stream has hundreds of thousands of operators. */
const shortOperators = new Int8Array(256 * 256).fill(unknown);
const longOperators = new Map<number, number>();
for (const [index, operator] of operators.entries()) {
  const key = [...Buffer.from(operator)].reduce((sum, code) => sum * 256 + code, 0);
  if (operator.length < 3) shortOperators[key] = index;
  else longOperators.set(key, index);
}

/** The kinds of bytes, and the characters of each kind. All other regular characters are a `word`; the later kinds are regular, too. */
const [space, stray, literal, bracket, comment, name, word, sign, point, digit] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const ofKind = ["\0\t\n\f\r ", ")>]{}", "(", "<[", "%", "/", "", "+-", ".", "0123456789"];
const kinds = new Uint8Array(256).fill(stray).fill(word, 0x21, 0x7f);
for (const [kind, characters] of ofKind.entries())
  for (const character of characters) kinds[character.charCodeAt(0)] = kind;

/** The highest number of operands is that of a colour in a space of 32 colorants, and a pattern. */
const maxOperands = 33;

/** Throws `PdfError` if the bytes are not a sequence of operators with their operands. */
export function readContent(content: Uint8Array, visitors: Visitors): void {
  const visitorOf = operators.map((operator) => visitors[operator] ?? visitors["others"]);
  const position = startOf(content);
  for (let index = nextOperator(position); index !== none; index = nextOperator(position)) {
    if (index === imageData) position.to = endOfImage(position);
    const visit = visitorOf[index];
    if (!visit) continue;
    position.operator = operators[index] ?? "";
    visit(position);
  }
}

const imageData = operators.indexOf("ID");

/** An operation whose reader continues after it. `starts` has the positions of its `count` operands. */
type Position = Operation & { bytes: Uint8Array; starts: Int32Array; count: number };

function startOf(content: Uint8Array): Position {
  // The engine reads bytes faster if all streams have one class.
  const bytes = new Uint8Array(content.buffer, content.byteOffset, content.length);
  const source = { bytes, at: 0, end: bytes.length };
  const operand = (index: number): PdfValue | undefined => {
    const at = index < 0 ? position.count + index : index;
    if (at < 0 || at >= position.count) return undefined;
    source.at = position.starts[at] ?? 0;
    return parseValue(source);
  };
  const operands = () => {
    const values: PdfValue[] = [];
    for (let index = 0; index < position.count; index++) values.push(operand(index) ?? null);
    return values;
  };
  const operation: Operation = { operator: "", from: 0, to: 0, hasLongNumber: false, operands, operand };
  const position = { ...operation, bytes, starts: new Int32Array(maxOperands), count: 0 };
  return position;
}

const none = -2;

/**
 * Returns the index of the next operator; `none` if there is none. This is a function, because engines optimize functions better than loops. It
 * reads words and numbers itself, because most of a stream's bytes are in them.
 */
function nextOperator(position: Position): number {
  const { bytes, starts } = position;
  const end = bytes.length;
  let at = position.to;
  let count = 0;
  let numbers = 0;
  position.hasLongNumber = false;
  while (at < end) {
    const from = at;
    const kind = kinds[bytes[at] ?? 0] ?? stray;
    if (kind === space) at++;
    else if (kind === comment) at = endOfLine(bytes, at, end);
    else {
      if (kind === word) {
        for (at++; at < end && (kinds[bytes[at] ?? 0] ?? stray) >= word;) at++;
        const index = operatorAt(bytes, from, at);
        if (index !== unknown) {
          const sum = expected[index] ?? 0;
          if (sum >= 0 && sum !== perOperand * count + numbers)
            throw new PdfError("an operator has the wrong operands");
          position.to = at;
          position.from = count > 0 ? (starts[0] ?? 0) : from;
          position.count = count;
          return index;
        }
      } else if (kind >= sign) {
        let digits = kind === digit ? 1 : 0;
        let next = space;
        for (at++; at < end && (next = kinds[bytes[at] ?? 0] ?? stray) === digit; at++) digits++;
        if (next === point && kind !== point)
          for (at++; at < end && (next = kinds[bytes[at] ?? 0] ?? stray) === digit; at++) digits++;
        if (digits === 0 || (at < end && next >= word)) throw new PdfError(malformedOperand);
        numbers++;
        if (at - from >= longDigits) position.hasLongNumber ||= isLong(bytes, from);
      } else at = endOfOperand(bytes, at, end, kind);
      if (count === maxOperands) throw new PdfError("an operator has too many operands");
      starts[count++] = from;
    }
  }
  if (count > 0) throw new PdfError("a content stream ends with an operand");
  return none;
}

const longDigits = 10;

/** Whether a number of at least that many bytes has no point among them. */
function isLong(bytes: Uint8Array, from: number): boolean {
  for (let at = from; at < from + longDigits; at++) if (bytes[at] === 0x2e) return false;
  return true;
}

/** Returns the index of the operator; `unknown` for a keyword, which is an operand. */
function operatorAt(bytes: Uint8Array, from: number, to: number): number {
  const [first, second] = [bytes[from] ?? 0, bytes[from + 1] ?? 0];
  let index: number | undefined = unknown;
  if (to - from === 1) index = shortOperators[first];
  else if (to - from === 2) index = shortOperators[first * 256 + second];
  else if (to - from === 3) index = longOperators.get((first * 256 + second) * 256 + (bytes[from + 2] ?? 0));
  if (index !== undefined && index !== unknown) return index;
  if (to - from > 5 || !/^(?:true|false|null)$/.test(latin1(bytes, from, to)))
    throw new PdfError("a content stream has an unknown operator");
  return unknown;
}

/** Returns the position after the operand at `at`. */
function endOfOperand(bytes: Uint8Array, at: number, end: number, kind: number): number {
  if (kind === name) return endOfWord(bytes, at + 1, end);
  if (kind === literal) return found(endOfLiteral(bytes, at, end));
  if (kind !== bracket) throw new PdfError("a content stream has a stray delimiter");
  if (bytes[at] === 0x3c && bytes[at + 1] !== 0x3c) return found(endOfHex(bytes, at, end));
  const source = { bytes, at, end };
  parseValue(source);
  return source.at;
}

const malformedOperand = "a string or a number in a content stream is malformed";

function found(end: number): number {
  if (end < 0) throw new PdfError(malformedOperand);
  return end;
}

/** Returns the position before the `EI` that ends the data of an inline image. */
function endOfImage({ bytes, to: from }: Position): number {
  for (let at = from + 1; at + 1 < bytes.length; at++) {
    const isEnd = bytes[at] === 0x45 && bytes[at + 1] === 0x49;
    if (isEnd && !isRegular(bytes[at - 1]) && !isRegular(bytes[at + 2])) return at;
  }
  throw new PdfError("an inline image has no end");
}
