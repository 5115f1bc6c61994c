// Finds what a document does not show or do as its styles say, although it loses no content.
import type { Clipping } from "../overflow/hidden-content.ts";
import { findLeavingText } from "../overflow/leaving-text.ts";
import type { FoundOverflow } from "../overflow/mark-overflows.ts";
import type { PrepareInput } from "../prepared-page.ts";
import type { StyledElements } from "../style-rules.ts";
import { findFlattenedText } from "./flattened-text.ts";
import { findIdleBreaks } from "./idle-breaks.ts";

/** A document repeats its mistakes, so a few elements of each kind are enough. */
export const maxOfKind = 5;

/** An image shows effects, and has no breaks. Neither has a page whose height is "auto". */
export function findHints(
  { format, autoHeight }: PrepareInput,
  clipping: Clipping,
  styled: StyledElements,
): FoundOverflow[] {
  const isPdf = format === "pdf";
  const leaving = findLeavingText(clipping, styled).slice(0, maxOfKind);
  const flattened = isPdf ? findFlattenedText(styled).slice(0, maxOfKind) : [];
  return [...leaving, ...flattened, ...(isPdf && !autoHeight ? findIdleBreaks(styled, maxOfKind) : [])];
}
