// Finds what a PDF does not have, or does not do as its styles say, although it shows all of its content.
import type { FoundOverflow } from "../overflow/mark-overflows.ts";
import type { PrepareInput } from "../prepared-page.ts";
import { findFlattenedText } from "./flattened-text.ts";
import { findIdleBreaks } from "./idle-breaks.ts";

/** A document repeats its mistakes, so a few elements of each kind are enough. */
export const maxOfKind = 5;

/** A page whose height is "auto" has no breaks. */
export function findHints({ autoHeight }: Pick<PrepareInput, "autoHeight">): FoundOverflow[] {
  const breaks = autoHeight ? [] : findIdleBreaks(maxOfKind);
  return [...findFlattenedText().slice(0, maxOfKind), ...breaks];
}
