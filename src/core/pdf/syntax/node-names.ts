// Recognises the names that Chromium gives to the nodes of the tag tree.
import { standsAt } from "./characters.ts";
import { wholeNumber } from "./words.ts";

/** The length of the name of a node as a string, such as `(node00000012)`. */
export const nodeIdBytes = 14;

/** Returns the number in the name of a node; -1 if another string stands at this position. */
export function nodeAt(bytes: Uint8Array, at: number): number {
  if (bytes[at + nodeIdBytes - 1] !== 0x29 || !standsAt(bytes, at, "(node")) return -1;
  return wholeNumber(bytes, at + 5, at + nodeIdBytes - 1);
}
