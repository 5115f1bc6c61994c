// Recognises the names that Chromium gives to the nodes of the tag tree.
import { isRegular, standsAt } from "./characters.ts";
import { wholeNumber } from "./words.ts";

/** The length of the name of a node as a string, such as `(node00000012)`. */
export const nodeIdBytes = 14;

/** Returns the number in the name of a node; -1 if another string stands at this position. */
export function nodeAt(bytes: Uint8Array, at: number): number {
  if (bytes[at + nodeIdBytes - 1] !== 0x29 || !standsAt(bytes, at, "(node")) return -1;
  return wholeNumber(bytes, at + 5, at + nodeIdBytes - 1);
}

/** Returns whether the name at `at` is a key after which names of nodes stand: `ID`, `Headers`, `Limits` or `Names`. */
export function isKeyOfNodes(bytes: Uint8Array, at: number): boolean {
  switch (bytes[at + 1]) {
    case 0x49:
      return standsAt(bytes, at, "/ID") && !isRegular(bytes[at + 3]);
    case 0x48:
      return standsAt(bytes, at, "/Headers");
    case 0x4c:
      return standsAt(bytes, at, "/Limits");
    case 0x4e:
      return standsAt(bytes, at, "/Names");
    default:
      return false;
  }
}
