// Finds forced breaks between boxes that hold only positioned boxes, and so have no height: all of them are printed on one page. Chromium
// 127 and 153 do so.
import { bodyElement, boxOf, childrenOf, findAll, isInside, isLaidOut, parentOf, unresolvedStyle } from "../dom.ts";
import { holdsContent } from "../overflow/hidden-content.ts";

type BreakProperty = "break-before" | "break-after";

const forced = /^(page|left|right|recto|verso)$/;

/** Returns why the break has no effect; null if it has one. */
export function reasonOfStack(element: Element, property: BreakProperty): string | null {
  const parent = parentOf(element);
  if (!parent || !isFlat(element)) return null;
  const all = childrenOf(parent);
  const index = all.indexOf(element) + (property === "break-after" ? 1 : 0);
  const parts = [partBefore(all, index), partAfter(all, index)];
  if (!parts.every((part) => part.every(isFlat))) return null;
  const positioned = parts.map((part) => part.flatMap((each) => positionedIn(each).map((box) => ({ box, each }))));
  if (positioned.some((boxes) => boxes.length === 0)) return null;
  const isOnPage = positioned.every((boxes) => boxes.some(({ box, each }) => !isContained(box, each) && isPlaced(box)));
  const areContained = positioned.flat().every(({ box, each }) => isContained(box, each));
  if (!isOnPage && !(areContained && parts.flat().every(isPlainBlock) && isAllFlat(element))) return null;
  return "has no effect, because the boxes before and after it are 0 px high: they hold only positioned boxes, which are printed on one page, on top of each other. Give the box of each page `position: relative` and `height: 100vh`, the height between the page's margins.";
}

/** Returns the elements between this place and the forced break before it. */
function partBefore(all: readonly Element[], end: number): Element[] {
  let start = end - 1;
  while (start > 0 && !isBreak(all[start - 1], all[start])) start--;
  return all.slice(Math.max(0, start), end);
}

function partAfter(all: readonly Element[], start: number): Element[] {
  let end = start + 1;
  while (end < all.length && !isBreak(all[end - 1], all[end])) end++;
  return all.slice(start, end);
}

function isBreak(before: Element | undefined, after: Element | undefined): boolean {
  const has = (element: Element | undefined, property: BreakProperty) =>
    element !== undefined && forced.test(getComputedStyle(element).getPropertyValue(property));
  return has(before, "break-after") || has(after, "break-before");
}

/** Whether the element takes no height among its siblings. */
function isFlat(element: Element): boolean {
  return isOutOfFlow(element) || boxOf(element).height < 1;
}

function isOutOfFlow(element: Element): boolean {
  return /absolute|fixed/.test(getComputedStyle(element).position);
}

function positionedIn(element: Element): Element[] {
  const isAbsolute = (each: Element) => getComputedStyle(each).position === "absolute";
  return [element, ...findAll(element, "*")].filter(
    (each) => isAbsolute(each) && isLaidOut(each) && holdsContent(each),
  );
}

/** Otherwise, the box stands where it would stand without a position. */
function isPlaced(box: Element): boolean {
  return ["top", "bottom"].some((name) => unresolvedStyle(box, name) !== "auto");
}

/** Whether the box is positioned relative to the element or to something in it. */
function isContained(box: Element, element: Element): boolean {
  for (let outer = parentOf(box); outer && isInside(element, outer); outer = parentOf(outer))
    if (getComputedStyle(outer).position !== "static") return true;
  return false;
}

/** Chromium ignores a break only among blocks whose margins would collapse through them. */
function isPlainBlock(element: Element): boolean {
  return isOutOfFlow(element) || /^(block|list-item|none)$/.test(getComputedStyle(element).display);
}

/** Whether nothing around the element has a height either. */
function isAllFlat(element: Element): boolean {
  for (let inner = element; inner !== bodyElement();) {
    const parent = parentOf(inner);
    if (!parent || !childrenOf(parent).every(isFlat)) return false;
    inner = parent;
  }
  return true;
}
