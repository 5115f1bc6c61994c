// Copies the source of PDF objects without parsing it into values, because a tagged document has ten thousands of objects
// that nothing changes. It checks the syntax, leaves out white space that means nothing, and can give other numbers to
// references and names of nodes.
import { endOfHex, endOfLiteral, endOfWord, skipSpace, standsAt } from "./characters.ts";
import { isKeyOfNodes, nodeAt, nodeIdBytes } from "./node-names.ts";
import { maxDepth, type Source } from "./parse-value.ts";
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

/** The open arrays and dictionaries: by depth the kind, and the number of values in it so far. */
type Nesting = { isDictionary: Uint8Array; counts: Int32Array };

/** Returns a function that copies one object, given the positions of its source, to the end of a sink. */
export function valueCopier(bytes: Uint8Array, rules: CopyRules): (sink: Sink, from: number, to: number) => void {
  const nesting: Nesting = { isDictionary: new Uint8Array(maxDepth + 2), counts: new Int32Array(maxDepth + 2) };
  return (sink, from, to) => {
    // A reference can become longer: `1 0 R` has five bytes, a new number up to ten digits.
    reserve(sink, 3 * (to - from) + 32);
    copyValue({ bytes, at: from, end: to }, sink, rules, nesting);
  };
}

/**
 * Copies one object to a sink that has room for it. This is one long loop over local variables, because the assembly of a small
 * document spends most of its time here. With functions that share their state in an object, it took a seventh longer.
 */
function copyValue({ bytes, at: from, end: to }: Source, sink: Sink, rules: CopyRules, nesting: Nesting): void {
  const { renumber, renumberNode } = rules;
  const { isDictionary, counts } = nesting;
  const target = sink.bytes;
  let written = sink.at;
  let depth = 0;
  let nameFrom = from;
  let node = -1;
  let isAfterWord = false;
  counts[0] = 0;
  for (let at = skipSpace(bytes, from, to); at < to; at = skipSpace(bytes, at, to)) {
    const code = bytes[at];
    const kind = (code === 0x3c || code === 0x3e) && at + 1 < to && bytes[at + 1] === code ? 1 : 0;
    const wasAfterWord = isAfterWord;
    isAfterWord = false;
    let end = at + 1 + kind;
    if (code === 0x5d || (code === 0x3e && kind === 1)) {
      checkClosing(nesting, depth--, kind);
    } else {
      const count = counts[depth] ?? 0;
      counts[depth] = count + 1;
      if (code === 0x2f) {
        nameFrom = at;
        end = endOfWord(bytes, end, to);
        isAfterWord = true;
      } else if (isDictionary[depth] === 1 && count % 2 === 0) {
        throw new PdfError("a dictionary's key is not a name");
      } else if (code === 0x5b || kind === 1) {
        if (depth >= maxDepth) throw new PdfError("an object is nested too deeply");
        isDictionary[++depth] = kind;
        counts[depth] = 0;
      } else if (code === 0x28 || code === 0x3c) {
        end = endOfString(bytes, at, to);
        if (renumberNode && end - at === nodeIdBytes && isKeyOfNodes(bytes, nameFrom)) node = nodeAt(bytes, at);
      } else {
        end = endOfWord(bytes, at, to);
        if (wasAfterWord) target[written++] = 0x20;
        isAfterWord = true;
        const number = wholeNumber(bytes, at, end);
        const referenceEnd = number < 0 ? -1 : endOfReference(bytes, end, to);
        if (referenceEnd < 0) checkWord(bytes, at, end);
        else if (!renumber && standsAt(bytes, end, usualEnd)) end = referenceEnd;
        else {
          written = writeReference(target, written, renumber ? renumber(number) : number);
          at = end = referenceEnd;
        }
      }
    }
    // A loop is faster here than `set`, because most tokens have only a few bytes.
    while (at < end) target[written++] = bytes[at++] ?? 0;
    if (node < 0 || !renumberNode) continue;
    writeNode(target, written, renumberNode(node));
    node = -1;
  }
  sink.at = written;
  if (depth !== 0 || counts[0] !== 1) throw new PdfError("an object is not one complete value");
}

/** Makes room for `count` more bytes. */
function reserve(sink: Sink, count: number): void {
  if (sink.at + count <= sink.bytes.length) return;
  const grown = new Uint8Array(Math.max(2 * sink.bytes.length, sink.at + count));
  grown.set(sink.bytes.subarray(0, sink.at));
  sink.bytes = grown;
}

function checkClosing({ isDictionary, counts }: Nesting, depth: number, kind: 0 | 1): void {
  const isComplete = kind === 0 || (counts[depth] ?? 0) % 2 === 0;
  if (depth === 0 || isDictionary[depth] !== kind || !isComplete)
    throw new PdfError("an object's brackets do not match");
}

function endOfString(bytes: Uint8Array, from: number, to: number): number {
  const end = bytes[from] === 0x28 ? endOfLiteral(bytes, from, to) : endOfHex(bytes, from, to);
  if (end < 0) throw new PdfError("a string is malformed");
  return end;
}

/** What follows the number in a reference as Chromium writes it. */
const usualEnd = " 0 R";

/** Returns the position after the reference. */
function writeReference(target: Uint8Array, at: number, number: number | null): number {
  const source = number === null ? "null" : `${number}${usualEnd}`;
  for (let index = 0; index < source.length; index++) target[at + index] = source.charCodeAt(index);
  return at + source.length;
}

/** Writes the number into the name of a node that ends at `end`. */
function writeNode(target: Uint8Array, end: number, node: number): void {
  let rest = node;
  for (let digit = 2; digit <= 9; digit++, rest = Math.trunc(rest / 10)) target[end - digit] = 0x30 + (rest % 10);
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
