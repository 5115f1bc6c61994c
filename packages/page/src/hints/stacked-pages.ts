// Finds forced breaks between boxes that hold only positioned boxes, and so have no height: all of them are printed on one page. Chromium
// 127 and 153 do so.
import {
  bodyElement,
  boxOf,
  descendantsOf,
  isInside,
  isLaidOut,
  isOutOfFlow,
  nextElementOf,
  parentOf,
  previousElementOf,
  unresolvedStyle,
} from "../dom.ts";
import { type BreakProperty, forcesPage } from "../forced-breaks.ts";
import { holdsContent } from "../overflow/hidden-content.ts";

const maxBoxes = 1_000;

/** Returns why the break has no effect; null if it has one. */
export function reasonOfStack(element: Element, property: BreakProperty): string | null {
  if (!isFlat(element)) return null;
  const isAfter = property === "break-after";
  const before = flatPart(isAfter ? element : previousElementOf(element), previousElementOf);
  const parts = [before, flatPart(isAfter ? nextElementOf(element) : element, nextElementOf)];
  if (parts.some((part) => part.length === 0)) return null;
  const positioned = parts.map((part) => part.flatMap((each) => positionedIn(each).map((box) => ({ box, each }))));
  if (positioned.some((boxes) => boxes.length === 0)) return null;
  const isOnPage = positioned.every((boxes) => boxes.some(({ box, each }) => !isContained(box, each) && isPlaced(box)));
  const areContained = positioned.flat().every(({ box, each }) => isContained(box, each));
  if (!isOnPage && !(areContained && parts.flat().every(isPlainBlock) && isAllFlat(element))) return null;
  return "has no effect, because the boxes before and after it are 0 px high: they hold only positioned boxes, which are printed on one page, on top of each other. Give the box of each page `position: relative` and `height: 100vh`, the height between the page's margins.";
}

/**
 * Returns the element and its siblings up to the next forced break; nothing if one of them has a height, or if there are too many to
 * examine them at each break.
 */
function flatPart(start: Element | null, step: typeof nextElementOf, endsAt = isBreak): Element[] {
  const part: Element[] = [];
  for (let each = start; each; each = step(each)) {
    const last = part.at(-1);
    if (last && (step === nextElementOf ? endsAt(last, each) : endsAt(each, last))) break;
    if (!isFlat(each) || part.length === maxBoxes) return [];
    part.push(each);
  }
  return part;
}

function isBreak(before: Element, after: Element): boolean {
  return forcesPage(before, "break-after") || forcesPage(after, "break-before");
}

/** Whether the element takes no height among its siblings. */
function isFlat(element: Element): boolean {
  return isOutOfFlow(element) || boxOf(element).height < 1;
}

function positionedIn(element: Element): Element[] {
  const inside = [element];
  for (const each of descendantsOf(element, NodeFilter.SHOW_ELEMENT))
    if (inside.push(each as Element) === maxBoxes) break;
  const isAbsolute = (each: Element) => getComputedStyle(each).position === "absolute";
  return inside.filter((each) => isAbsolute(each) && isLaidOut(each) && holdsContent(each));
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
    const beside = [previousElementOf, nextElementOf].map((step) => flatPart(inner, step, () => false));
    if (!parent || beside.some((part) => part.length === 0)) return false;
    inner = parent;
  }
  return true;
}
