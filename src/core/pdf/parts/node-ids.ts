// Renumbers the nodes of the tag tree, so that the bytes of a file depend only on the document: Chromium numbers nodes with
// a counter that continues as long as the browser runs.
import { standsAt, trimSpace } from "../syntax/characters.ts";
import { nodeAt } from "../syntax/node-names.ts";

/**
 * Returns a function that gives the nodes new numbers from 1, in their current order; null if there are no nodes with
 * names. A table in the file is sorted by the names, and must stay sorted.
 */
export function nodeRenumbering(bytes: Uint8Array): ((node: number) => number) | null {
  let found = new Int32Array(1_024);
  let count = 0;
  for (let at = nextName(bytes, 0); at >= 0; at = nextName(bytes, at + 5)) {
    const node = nodeAt(bytes, at);
    if (node < 0 || !isNameOfNode(bytes, at)) continue;
    if (count === found.length) found = resized(found, 2 * count);
    found[count++] = node;
  }
  if (count === 0) return null;
  const nodes = distinct(resized(found, count).sort());
  return (node) => {
    const index = indexIn(nodes, node);
    return nodes[index] === node ? index + 1 : node;
  };
}

function resized(numbers: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(length);
  copy.set(numbers.subarray(0, length));
  return copy;
}

/** Returns the numbers without repetitions. */
function distinct(sorted: Int32Array): Int32Array {
  return sorted.filter((number, index) => number !== sorted[index - 1]);
}

/** Returns the index of the first number that is not lower than `wanted`. */
function indexIn(sorted: Int32Array, wanted: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How far a search for `(node` may skip after it has found a byte where the last byte of the text would be. */
const skips = new Uint8Array(256).fill(5);
for (const [index, character] of Array.from("(nod").entries()) skips[character.charCodeAt(0)] = 4 - index;

/** Returns the position of the next `(node`; -1 if there is none. A tagged file has tens of thousands of them. */
function nextName(bytes: Uint8Array, from: number): number {
  for (let last = from + 4; last < bytes.length;) {
    const code = bytes[last] ?? 0;
    if (code === 0x65 && standsAt(bytes, last - 4, "(node")) return last - 4;
    last += skips[code] ?? 1;
  }
  return -1;
}

/** Returns whether the string follows the key `ID`, the start of an array, or another item of an array. */
function isNameOfNode(bytes: Uint8Array, at: number): boolean {
  const end = trimSpace(bytes, Math.max(0, at - 8), at);
  const last = bytes[end - 1];
  return last === 0x5b || last === 0x29 || last === 0x52 || standsAt(bytes, end - "/ID".length, "/ID");
}
