// Finds the breaks that move content to a left or a right page. Chromium treats them as ordinary page breaks, so blank pages are
// inserted after the print.
import { innermostStart, destinationMarker } from "./describe-document.ts";
import {
  bodyElement,
  childrenOf,
  createElement,
  findAll,
  findInDocument,
  hasBoxes,
  insertInside,
  isInFlow,
  isLaidOut,
  isOutOfFlow,
  nextOf,
  outermostForeign,
  parentOf,
  previousOf,
  rootElement,
  setAttribute,
  textOf,
} from "./dom.ts";
import type { BreakProperty } from "./forced-breaks.ts";
import { breaksPage, forcesBreak, idleReason } from "./hints/idle-breaks.ts";
import type { PageSide, SideBreak } from "./prepared-page.ts";
import type { StyledElements } from "./style-rules.ts";

/** `start` is the first node after the break. */
type FoundBreak = { start: Node; side: PageSide };

/** A document has at most 500 pages. Several elements may have the same break. */
const maxBreaks = 2_000;

/**
 * Returns the breaks that have an effect. If several are in the same place, the last one in the list decides, which is the last one in
 * the flow.
 */
export function findSideBreaks(styled: StyledElements): FoundBreak[] {
  const elements = new Set(styled(isSided, /break-/i));
  if (elements.size === 0) return [];
  const inOrder = findInDocument("*").filter((each) => elements.has(each) && isLaidOut(each));
  const breaks = (property: BreakProperty, startOf: (element: Element) => Node | null) =>
    inOrder.slice(0, maxBreaks).flatMap((element) => {
      const value = getComputedStyle(element).getPropertyValue(property);
      const side = sides(isRightToLeft())[value];
      const start = side && idleReason(element, property, value) === null ? startOf(element) : null;
      return side && start ? [{ start, side }] : [];
    });
  return [...breaks("break-after", nextInFlow).toReversed(), ...breaks("break-before", startIn)];
}

/**
 * Returns the outermost elements before the first forced break inside the document, and those that may be on the first page although they stand
 * after it; null if there is no such break.
 */
export function elementsOfFirstPage(styled: StyledElements): Element[] | null {
  const elements = new Set(styled(forcesBreak, /break-/i));
  const inOrder = findInDocument("*").filter((each) => elements.has(each));
  for (const element of inOrder) {
    if (breaksPage(element, "break-before") && hasContentBefore(element)) return elementsBefore(element);
    if (breaksPage(element, "break-after")) return [element, ...elementsBefore(element)];
  }
  return null;
}

function hasContentBefore(element: Element): boolean {
  for (let inner = element; inner !== bodyElement();) {
    for (let before = previousOf(inner); before; before = previousOf(before)) if (startIn(before)) return true;
    const outer = parentOf(inner);
    if (!outer) return false;
    inner = outer;
  }
  return false;
}

function elementsBefore(element: Element): Element[] {
  const outer = parentOf(element);
  if (element === bodyElement() || !outer) return [];
  const siblings = childrenOf(outer);
  const index = siblings.indexOf(element);
  return [...siblings.filter((each, at) => at < index || (at > index && isOutOfFlow(each))), ...elementsBefore(outer)];
}

function isSided(style: CSSStyleDeclaration): boolean {
  return ["break-before", "break-after"].some((property) =>
    /^(left|right|recto|verso)$|\(/.test(style.getPropertyValue(property)),
  );
}

/** The first page of a document is a right page, or a left page if text runs from right to left. */
export function isRightToLeft(): boolean {
  return getComputedStyle(rootElement()).direction === "rtl";
}

function sides(isRightToLeft: boolean): Record<string, PageSide> {
  const common = { recto: "odd", verso: "even" } as const;
  return isRightToLeft ? { ...common, left: "odd", right: "even" } : { ...common, left: "even", right: "odd" };
}

function nextInFlow(element: Element): Node | null {
  for (let node: Node = element; node !== bodyElement();) {
    const next = nextOf(node);
    const start = next && startIn(next);
    if (start) return start;
    const onward = next ?? parentOf(node);
    if (!onward) return null;
    node = onward;
  }
  return null;
}

/** Returns the text or the innermost element with which the content of the node begins; null if it has none in the flow. */
export function startIn(node: Node): Node | null {
  if (node instanceof Text) return textOf(node).trim() !== "" && hasBoxes(node) ? node : null;
  if (!(node instanceof Element)) return null;
  const element = isInFlow(node) ? node : findAll(node, "*").find(isInFlow);
  return element ? innermostStart(element, isInFlow) : null;
}

/** Gives each break a destination, which tells on which page its content begins. */
export function markSideBreaks(found: readonly FoundBreak[]): SideBreak[] {
  const mark = destinationMarker("colophon-temporary-side");
  return found.map(({ start, side }) => ({ name: mark(markedElement(start)), side }));
}

/**
 * Text gets a box before it. The rows of tables and headings across columns, for which Chromium 127 reports a wrong page, get a box inside
 * them, and so do elements that begin above the page.
 */
function markedElement(start: Node): Element {
  const abovePx = start instanceof Element ? -Math.min(0, parseFloat(getComputedStyle(start).marginTop)) : 0;
  const inside = start instanceof Element ? boxedIn(start, abovePx) : null;
  if (start instanceof Element && !inside) return outermostForeign(start);
  const box = createElement("span");
  const style = `all:initial!important;position:absolute!important;margin:${1 + abovePx}px 1px 1px!important`;
  setAttribute(box, "style", style);
  if (inside) insertInside(inside, box, "start");
  else Node.prototype.insertBefore.call(parentOf(start), box, start);
  return box;
}

function boxedIn(start: Element, abovePx: number): Element | null {
  if (isTablePart(start)) return findAll(start, "td,th")[0] ?? null;
  const isSpecial = abovePx > 0 || getComputedStyle(start).columnSpan === "all";
  return isSpecial && /^(?:h[1-6]|div|section|article|main|p|ul|ol|li|blockquote)$/.test(start.localName)
    ? start
    : null;
}

export function isTablePart(element: Element): boolean {
  return /^table-(?:row|header|footer)/.test(getComputedStyle(element).display);
}
