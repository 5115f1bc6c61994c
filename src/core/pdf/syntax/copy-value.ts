// Copies the source of PDF objects without parsing it into values, because a tagged document has ten thousands of objects
// that nothing changes. It checks the syntax, leaves out white space that means nothing, and can give other numbers to
// references and names of nodes.
import { endOfHex, endOfLiteral, endOfWord, skipSpace } from "./characters.ts";
import { isKeyOfNodes, nodeAt, nodeIdBytes } from "./node-names.ts";
import { maxDepth } from "./parse-value.ts";
import { PdfError } from "./pdf-error.ts";
import { checkWord, endOfReference, wholeNumber } from "./words.ts";

/** A buffer that grows. `at` is the number of bytes in it. */
export type Sink = { bytes: Uint8Array; at: number };

export type CopyRules = {
  /** Returns the new number of an object, or null to write `null` in place of a reference to it. */
  renumber?: (number: number) => number | null;
  /**
   * Returns the new number of a node of the tag tree. Names of nodes are strings such as `(node00000012)` after the keys
   * `ID`, `Headers`, `Limits` and `Names`.
   */
  renumberNode?: (node: number) => number;
};

type Copy = {
  bytes: Uint8Array;
  at: number;
  end: number;
  sink: Sink;
  rules: CopyRules;
  /** The number of open arrays and dictionaries; for each of them its kind, and the number of values in it so far. */
  depth: number;
  isDictionary: Uint8Array;
  counts: Int32Array;
  /** Whether the last token has to be separated from a following word. */
  isAfterWord: boolean;
  /** The position of the last name. */
  nameFrom: number;
};

/** Returns a function that copies one object, given the positions of its source, to the end of a sink. */
export function valueCopier(bytes: Uint8Array, rules: CopyRules): (sink: Sink, from: number, to: number) => void {
  const copy: Copy = {
    ...{ bytes, at: 0, end: 0, sink: { bytes, at: 0 }, rules, depth: 0, isAfterWord: false, nameFrom: 0 },
    isDictionary: new Uint8Array(maxDepth + 2),
    counts: new Int32Array(maxDepth + 2),
  };
  return (sink, from, to) => {
    copy.sink = sink;
    copy.at = copy.nameFrom = from;
    copy.end = to;
    copy.depth = 0;
    copy.isAfterWord = false;
    copy.counts[0] = 0;
    // A reference can become longer: `1 0 R` has five bytes, a new number up to ten digits.
    reserve(sink, 3 * (to - from) + 32);
    while ((copy.at = skipSpace(bytes, copy.at, to)) < to) copyToken(copy);
    if (copy.depth !== 0 || copy.counts[0] !== 1) throw new PdfError("an object is not one complete value");
  };
}

/** Makes room for `count` more bytes. */
function reserve(sink: Sink, count: number): void {
  if (sink.at + count <= sink.bytes.length) return;
  const grown = new Uint8Array(Math.max(2 * sink.bytes.length, sink.at + count));
  grown.set(sink.bytes.subarray(0, sink.at));
  sink.bytes = grown;
}

function copyToken(copy: Copy): void {
  const { bytes, at, end } = copy;
  const code = bytes[at];
  const next = at + 1 < end ? bytes[at + 1] : 0;
  if (code === 0x2f) return copyName(copy);
  if (code === 0x3c && next === 0x3c) return open(copy, 1);
  if (code === 0x3e && next === 0x3e) return close(copy, 1);
  if (code === 0x5d) return close(copy, 0);
  checkValuePosition(copy);
  if (code === 0x5b) return open(copy, 0);
  if (code === 0x28) return copyString(copy, endOfLiteral(bytes, at, end));
  if (code === 0x3c) return copyString(copy, endOfHex(bytes, at, end));
  copyWord(copy);
}

/** Throws where a dictionary must have a key. */
function checkValuePosition({ depth, isDictionary, counts }: Copy): void {
  if (isDictionary[depth] === 1 && (counts[depth] ?? 0) % 2 === 0)
    throw new PdfError("a dictionary's key is not a name");
}

function open(copy: Copy, kind: 0 | 1): void {
  if (kind === 1) checkValuePosition(copy);
  if (copy.depth >= maxDepth) throw new PdfError("an object is nested too deeply");
  countValue(copy);
  copy.depth++;
  copy.isDictionary[copy.depth] = kind;
  copy.counts[copy.depth] = 0;
  appendSource(copy, copy.at + 1 + kind);
}

function close(copy: Copy, kind: 0 | 1): void {
  const { depth, isDictionary, counts } = copy;
  const isComplete = kind === 0 || (counts[depth] ?? 0) % 2 === 0;
  if (depth === 0 || isDictionary[depth] !== kind || !isComplete)
    throw new PdfError("an object's brackets do not match");
  copy.depth--;
  appendSource(copy, copy.at + 1 + kind);
}

function copyName(copy: Copy): void {
  copy.nameFrom = copy.at;
  countValue(copy);
  appendSource(copy, endOfWord(copy.bytes, copy.at + 1, copy.end));
  copy.isAfterWord = true;
}

function copyString(copy: Copy, end: number): void {
  if (end < 0) throw new PdfError("a string is malformed");
  const { bytes, at, sink, rules, nameFrom } = copy;
  countValue(copy);
  const node = rules.renumberNode && end - at === nodeIdBytes ? nodeAt(bytes, at) : -1;
  appendSource(copy, end);
  if (node < 0 || !rules.renumberNode || !isKeyOfNodes(bytes, nameFrom)) return;
  let rest = rules.renumberNode(node);
  for (let digit = 2; digit <= 9; digit++, rest = Math.trunc(rest / 10))
    sink.bytes[sink.at - digit] = 0x30 + (rest % 10);
}

function copyWord(copy: Copy): void {
  const { bytes, at, end, sink, rules } = copy;
  const wordEnd = endOfWord(bytes, at, end);
  const number = wholeNumber(bytes, at, wordEnd);
  const referenceEnd = number < 0 ? -1 : endOfReference(bytes, wordEnd, end);
  countValue(copy);
  if (copy.isAfterWord) sink.bytes[sink.at++] = 0x20;
  if (referenceEnd >= 0) {
    copyReference(copy, wordEnd, rules.renumber ? rules.renumber(number) : number);
    copy.at = referenceEnd;
  } else {
    checkWord(bytes, at, wordEnd);
    appendSource(copy, wordEnd);
  }
  copy.isAfterWord = true;
}

/** Writes a reference. `wordEnd` is the position after the old number. */
function copyReference(copy: Copy, wordEnd: number, number: number | null): void {
  if (number === null) return write(copy.sink, "null");
  if (copy.rules.renumber) write(copy.sink, String(number));
  else appendSource(copy, wordEnd);
  write(copy.sink, " 0 R");
}

function countValue({ counts, depth }: Copy): void {
  counts[depth] = (counts[depth] ?? 0) + 1;
}

/** Copies the bytes up to `end`. A loop is faster here than `set`, because most tokens have only a few bytes. */
function appendSource(copy: Copy, end: number): void {
  const { bytes, sink } = copy;
  const target = sink.bytes;
  let to = sink.at;
  for (let at = copy.at; at < end; at++) target[to++] = bytes[at] ?? 0;
  sink.at = to;
  copy.at = end;
  copy.isAfterWord = false;
}

/** Appends Latin-1 text. */
export function append(sink: Sink, text: string): void {
  reserve(sink, text.length);
  write(sink, text);
}

/** Appends Latin-1 text to a sink that has room for it. */
function write(sink: Sink, text: string): void {
  for (let at = 0; at < text.length; at++) sink.bytes[sink.at++] = text.charCodeAt(at);
}
