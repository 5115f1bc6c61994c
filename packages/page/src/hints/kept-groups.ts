// Finds the content that is printed before a group that is kept together, because a group that does not fit below it leaves the rest of
// the page empty.
import { innermostStart } from "../describe-document.ts";
import {
  boxOf,
  childrenOf,
  createElement,
  createRange,
  displayOf,
  findAll,
  insertInside,
  isInFlow,
  isInside,
  parentOf,
  rootElement,
  setAttribute,
  textOf,
} from "../dom.ts";
import { forcesPage } from "../forced-breaks.ts";
import { isUndivided } from "../overflow/tall-boxes.ts";
import { pageNameOf } from "../references/print-width.ts";

/** `isOnFirst` is true if the hint applies only to a group that begins on the first page. */
export type Group = { message: string; emptyPx: number; isOnFirst?: boolean; mark: () => [Element, Element] };

/** The content before the group ends `endPx` below the mark. The functions may change the document. */
export type ContentBefore = { endPx: number; markEnd: () => Element; markStart: () => Element };

/** Returns null if there is no such content, if a break is forced, or if the group moves together with the content around it. */
export function contentBefore(group: Element): ContentBefore | null {
  let start = group;
  for (let each = siblingBefore(start); each && isKeptWith(each, start); each = siblingBefore(start)) start = each;
  let sibling: Element | null = null;
  for (let each: Element | null = start; each && each !== rootElement(); each = parentOf(each)) {
    if (!isInPages(each) || (!sibling && isWithOthers(each, start))) return null;
    if (sibling) continue;
    sibling = siblingBefore(each);
    if (sibling && isBeside(sibling, each)) return null;
  }
  if (!sibling || (isRows(start) && !isRows(sibling)) || pageNameOf(sibling) !== pageNameOf(start)) return null;
  const markStart = () => (isRows(start) ? markIn(start, "start") : innermostStart(start));
  let last = sibling;
  for (let inner: Element | undefined = sibling; inner; inner = lastBlockIn(inner)) {
    if (forcesPage(inner, "break-after")) return null;
    last = inner;
  }
  const row = last.closest("tr");
  if (row && !isInside(row, group)) return { endPx: 0, markEnd: () => markIn(row, "end"), markStart };
  // A mark beside other elements could change how selectors such as `:last-child` match.
  const isText = last instanceof HTMLElement && last.childElementCount === 0 && textOf(last).trim() !== "";
  const range = createRange();
  range.selectNodeContents(last);
  const { top } = (isText ? [...range.getClientRects()].at(-1) : null) ?? boxOf(last);
  return { endPx: boxOf(sibling).bottom - top, markEnd: () => (isText ? markIn(last, "end") : last), markStart };
}

/** Whether the element may be divided between pages. */
function isInPages(element: Element): boolean {
  const { columnCount, columnWidth } = getComputedStyle(element);
  return isInFlow(element) && columnCount === "auto" && columnWidth === "auto" && !isUndivided(element);
}

/** Whether a break is forced before the element, or whether its first content moves together with it or with the text before it. */
function isWithOthers(element: Element, start: Element): boolean {
  const { display, breakInside } = getComputedStyle(element);
  const isAround = element !== start && (display === "table-cell" || breakInside.startsWith("avoid"));
  return isAround || forcesPage(element, "break-before") || hasText(element.previousSibling);
}

/** Whether there is text before the next element in the flow. */
function hasText(before: Node | null): boolean {
  for (let node = before; node && !(node instanceof Element && isInFlow(node)); node = node.previousSibling)
    if (node instanceof Text && node.data.trim() !== "") return true;
  return false;
}

function isBeside(sibling: Element, element: Element): boolean {
  return boxOf(sibling).bottom > boxOf(element).top + 1;
}

function lastBlockIn(element: Element): Element | undefined {
  const last = element instanceof HTMLElement ? childrenOf(element).findLast(isInFlow) : undefined;
  return last && !displayOf(last).startsWith("inline") && !hasText(element.lastChild) ? last : undefined;
}

function siblingBefore(element: Element): Element | null {
  let sibling = element.previousElementSibling;
  while (sibling && !isInFlow(sibling)) sibling = sibling.previousElementSibling;
  return sibling;
}

/** Headings are kept with the content that follows, unless a template undoes it. */
function isKeptWith(element: Element, next: Element): boolean {
  const after = getComputedStyle(element).breakAfter;
  return !forcesPage(next, "break-before") && (after + getComputedStyle(next).breakBefore).includes("avoid");
}

/** Whether the element is a row or a group of rows, but not the head or the foot of a table. */
function isRows(element: Element): boolean {
  return /^table-row(-group)?$/.test(displayOf(element));
}

/** Returns a new element without a size at the start or the end of the element; in a row, it is in the first or the last cell. */
export function markIn(element: Element, place: "start" | "end"): Element {
  const mark = createElement("span");
  setAttribute(mark, "role", "none");
  setAttribute(mark, "style", "all:initial!important;position:absolute!important;margin:1px!important");
  const cells = findAll(element, "td,th");
  insertInside((place === "start" ? cells[0] : cells.at(-1)) ?? element, mark, place);
  return mark;
}
