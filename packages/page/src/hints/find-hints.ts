// Finds the places where a document does not do what its styles say, although it loses no content.
import { numberingIn, printedStart } from "../describe-document.ts";
import { attributeOf, bodyElement, findAll, isLaidOut } from "../dom.ts";
import { type Clipping, fullNameOf } from "../overflow/hidden-content.ts";
import { findLeavingText } from "../overflow/leaving-text.ts";
import type { FoundOverflow } from "../overflow/mark-overflows.ts";
import type { PrepareInput } from "../prepared-page.ts";
import { counterStyles } from "../references/counter-styles.ts";
import type { StyledElements } from "../style-rules.ts";
import { findCoveringBoxes } from "./covering-boxes.ts";
import { findCutDecorations, type Print } from "./cut-decorations.ts";
import { findFlattenedText } from "./flattened-text.ts";
import { findUnmeasuredFormulas } from "./formula-fonts.ts";
import { findIdleBreaks } from "./idle-breaks.ts";

/** A document repeats its mistakes, so a few elements of each kind are enough. */
export const maxOfKind = 5;
const maxValueChars = 40;
/** Chromium cuts longer descriptions. */
const maxDescriptionChars = 10_000;

/** An image shows effects and has no page breaks. A page whose height is "auto" has no page breaks either. */
export function findHints(
  input: PrepareInput,
  { clipping, styled, print }: { clipping: Clipping; styled: StyledElements; print: Print | null },
): FoundOverflow[] {
  const { format, autoHeight } = input;
  const isPdf = format === "pdf";
  const leaving = findLeavingText(clipping, styled).slice(0, maxOfKind);
  const flattened = isPdf ? findFlattenedText(styled).slice(0, maxOfKind) : [];
  const cut = print ? findCutDecorations(input, { clipping, styled, ...print }).slice(0, maxOfKind) : [];
  const covering = print ? findCoveringBoxes(styled, print.heightOf(bodyElement())).slice(0, maxOfKind) : [];
  const parts = isPdf ? [...unknownParts().slice(0, maxOfKind), ...cutDescriptions().slice(0, maxOfKind)] : [];
  return [
    ...leaving,
    ...flattened,
    ...findUnmeasuredFormulas().slice(0, maxOfKind),
    ...cut,
    ...covering,
    ...parts,
    ...(isPdf && !autoHeight ? findIdleBreaks(styled, maxOfKind) : []),
  ];
}

function unknownParts(): FoundOverflow[] {
  return findAll(bodyElement(), "[data-part]").flatMap((part) => {
    const value = attributeOf(part, "data-part") ?? "";
    const element = printedStart(part);
    if (!element || value.trim() === "" || numberingIn(value)) return [];
    const allowed = counterStyles.map((name) => `\`${name}\``).join(", ");
    const shown = value.slice(0, maxValueChars);
    const message = `${fullNameOf(part)} has \`data-part="${shown}"\`, so its pages are numbered as with \`decimal\`. The values are ${allowed}.`;
    return [{ element, message }];
  });
}

function cutDescriptions(): FoundOverflow[] {
  return findAll(bodyElement(), 'img, svg, [role="img"]').flatMap((element) => {
    const { length } = attributeOf(element, "aria-label") ?? attributeOf(element, "alt") ?? "";
    if (length <= maxDescriptionChars || !isLaidOut(element)) return [];
    const message = `${fullNameOf(element)} has a description of ${length} characters. A PDF contains only the first ${maxDescriptionChars}.`;
    return [{ element, message }];
  });
}
