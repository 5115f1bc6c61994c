// Renumbers the nodes of the tag tree, so that the bytes of a file depend only on the document: Chromium numbers nodes with
// a counter that continues as long as the browser runs.
import { isDigit, latin1 } from "../syntax/characters.ts";

const nodeId = /^\(node\d{8}\)$/;
/** What stands before the name of a node: the key `ID`, the start of an array, or the item before it in an array. */
const context = /(?:\/ID|[[)]|\d R)\s*$/;

/**
 * Returns a function that gives the names of nodes numbers from 1, in their current order; null if there are no such
 * names. A table in the file is sorted by the names, and must stay sorted.
 */
export function nodeRenumbering(bytes: Uint8Array): ((id: string) => string) | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const ids = new Set<string>();
  for (let at = buffer.indexOf("(node"); at >= 0; at = buffer.indexOf("(node", at + 5)) {
    // A long text can contain the pattern very often, so the next byte is checked before anything is decoded.
    if (!isDigit(bytes[at + 5])) continue;
    const id = latin1(bytes, at, at + 14);
    if (nodeId.test(id) && context.test(latin1(bytes, Math.max(0, at - 8), at))) ids.add(id);
  }
  if (ids.size === 0) return null;
  const renumbered = new Map([...ids].sort().map((id, index) => [id, `(node${String(index + 1).padStart(8, "0")})`]));
  return (id) => renumbered.get(id) ?? id;
}
