// Finds forced breaks that have no effect in their position, as observed in Chromium 127 and 153.
import { boxOf, isLaidOut, nextElementOf, parentOf, previousElementOf } from "../dom.ts";
import { type BreakProperty, forcesPage } from "../forced-breaks.ts";
import { fullNameOf } from "../overflow/hidden-content.ts";
import type { FoundOverflow } from "../overflow/mark-overflows.ts";
import { isUndivided } from "../overflow/tall-boxes.ts";
import type { StyledElements } from "../style-rules.ts";
import { reasonOfStack } from "./stacked-pages.ts";

const properties: readonly BreakProperty[] = ["break-before", "break-after"];

const forced = /^(page|left|right|recto|verso|column)$/;

/** A document has at most 500 pages. */
const maxBreaks = 2_000;

export function findIdleBreaks(styled: StyledElements, max: number): FoundOverflow[] {
  const found: FoundOverflow[] = [];
  for (const element of styled(forcesBreak, /break-/i).slice(0, maxBreaks)) {
    for (const property of properties) {
      const value = getComputedStyle(element).getPropertyValue(property);
      const reason = forced.test(value) ? idleReason(element, property, value) : null;
      if (reason === null) continue;
      found.push({ element, message: `${fullNameOf(element)} has \`${property}: ${value}\`, which ${reason}` });
      if (found.length >= max) return found;
    }
  }
  return found;
}

export function forcesBreak(style: CSSStyleDeclaration): boolean {
  return properties.some((property) =>
    /^(page|left|right|recto|verso|column)$|\(/.test(style.getPropertyValue(property)),
  );
}

/** Returns why the break has no effect, and what to do; null if it has an effect, or if the element has no box at all. */
export function idleReason(element: Element, property: BreakProperty, value: string): string | null {
  const { display, position, float } = getComputedStyle(element);
  if (display === "contents") return `has no effect, because the element has no box. ${elsewhere}`;
  if (!isLaidOut(element)) return null;
  if (element.localName === "br") return "has no effect on a line break. Use a `<div>`.";
  if (/^(-webkit-)?inline|^ruby/.test(display))
    return `has no effect on an inline box. Write \`display: block\`, or put it on the block around it.`;
  if (display.startsWith("table-column")) return "has no effect on columns of a table. Put it on a row.";
  if (float !== "none" || /absolute|fixed/.test(position))
    return `has no effect on a box outside the flow. ${elsewhere}`;
  return (
    reasonAround(element, value) ??
    reasonBeside(element, property) ??
    (value === "column" ? null : reasonOfStack(element, property))
  );
}

/** Whether the element has a break between pages that has an effect. */
export function breaksPage(element: Element, property: BreakProperty): boolean {
  const value = getComputedStyle(element).getPropertyValue(property);
  return forcesPage(element, property) && idleReason(element, property, value) === null;
}

const elsewhere = "Put it on a block before or after it.";

function reasonAround(element: Element, value: string): string | null {
  let inner = element;
  for (let outer = parentOf(element); outer; outer = parentOf(outer)) {
    const { columnCount, columnWidth, position, display } = getComputedStyle(outer);
    const isMultiColumn = columnCount !== "auto" || columnWidth !== "auto";
    if (isMultiColumn && value === "column") return null;
    if (isMultiColumn && getComputedStyle(inner).columnSpan !== "all")
      return `has no effect inside the columns of ${fullNameOf(outer)}. End the columns before it, or write \`column-span: all\`.`;
    if (isUndivided(outer) || position === "fixed" || display === "table-header-group")
      return `has no effect inside ${fullNameOf(outer)}, which is not divided between pages. Use a block instead.`;
    inner = outer;
  }
  return value === "column" ? "has no effect outside columns. Write `page`." : null;
}

/** A break at an item of a grid or a row moves the whole row, so it does not separate the item from its neighbour. */
function reasonBeside(element: Element, property: BreakProperty): string | null {
  const parent = parentOf(element);
  if (!parent || !/flex|grid/.test(getComputedStyle(parent).display)) return null;
  const sibling = property === "break-before" ? previousElementOf(element) : nextElementOf(element);
  if (!sibling || !isLaidOut(sibling) || getComputedStyle(sibling).getPropertyValue(property) !== "auto") return null;
  const [own, beside] = [boxOf(element), boxOf(sibling)];
  const isBeside = own.top < beside.bottom - 1 && beside.top < own.bottom - 1;
  return isBeside
    ? `does not separate it from ${fullNameOf(sibling)} beside it. Put it on the box around the row, or on a separate block.`
    : null;
}
