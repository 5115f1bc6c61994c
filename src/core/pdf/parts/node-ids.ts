// Renumbers the nodes of the tag tree, so that the bytes of a file depend only on the document: Chromium numbers nodes with
// a counter that continues as long as the browser runs, and not always in the order of the document.
import { standsAt, trimSpace } from "../syntax/characters.ts";
import type { PdfFile } from "../file/open-pdf.ts";
import { nodeAt } from "../syntax/node-names.ts";
import { sortedNodeTable } from "./node-table.ts";

export type NodeNumbering = {
  renumberNode: (node: number) => number;
  /** The sources of the objects that are sorted by the names, as far as their order changes. */
  sorted: ReadonlyMap<number, string>;
};

/**
 * Gives the nodes new numbers from 1, in the order in which they stand in the file; null if there are no nodes with names. If
 * the table of the names cannot be sorted anew, the nodes keep the order of their numbers.
 */
export function nodeNumbering(body: PdfFile): NodeNumbering | null {
  const found = namesIn(body.bytes);
  if (found.length === 0) return null;
  const numbers = numbered(found);
  const inOrder = found.toSorted();
  const isSorted = found.every((node, index) => node === inOrder[index]);
  const table = isSorted ? new Map<number, string>() : sortedNodeTable(body, (node) => numbers.get(node) ?? null);
  const used = table ? numbers : numbered(inOrder);
  return { renumberNode: (node) => used.get(node) ?? node, sorted: table ?? new Map() };
}

function numbered(nodes: Int32Array): Map<number, number> {
  return new Map(Array.from(nodes, (node, index) => [node, index + 1]));
}

/** Returns the numbers of all nodes: first those that are named after `ID`, as they stand in the file, then all others. */
function namesIn(bytes: Uint8Array): Int32Array {
  const named = new Set<number>();
  const mentioned: number[] = [];
  for (let at = nextName(bytes, 0); at >= 0; at = nextName(bytes, at + 5)) {
    const node = nodeAt(bytes, at);
    if (node < 0) continue;
    const place = placeOf(bytes, at);
    if (place === "id") named.add(node);
    else if (place === "array") mentioned.push(node);
  }
  for (const node of mentioned.filter((mention) => !named.has(mention)).sort((a, b) => a - b)) named.add(node);
  return Int32Array.from(named);
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

/** Returns whether the string follows the key `ID`, or the start or another item of an array. */
function placeOf(bytes: Uint8Array, at: number): "id" | "array" | null {
  const end = trimSpace(bytes, Math.max(0, at - 8), at);
  const last = bytes[end - 1];
  if (last === 0x5b || last === 0x29 || last === 0x52) return "array";
  return standsAt(bytes, end - "/ID".length, "/ID") ? "id" : null;
}
