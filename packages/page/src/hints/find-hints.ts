// Finds what a PDF does not have, or does not do as its styles say, although it shows all of its content.
import type { FoundOverflow } from "../overflow/mark-overflows.ts";
import { findFlattenedText } from "./flattened-text.ts";

/** A document repeats its mistakes, so a few elements of each kind are enough. */
export const maxOfKind = 5;

export function findHints(): FoundOverflow[] {
  return [findFlattenedText()].flatMap((found) => found.slice(0, maxOfKind));
}
