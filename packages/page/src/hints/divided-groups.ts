// Finds groups of rows whose place on the pages matters: a cell that spans rows of two pages, where its background does not end
// with its rows, and a group that is kept together, and so may leave most of a page empty. Only the print tells whether they do.
import { destinationMarker } from "../describe-document.ts";
import { bodyElement, boxOf, createElement, displayOf, findAll, insertInside, parentOf, setAttribute } from "../dom.ts";
import { fullNameOf } from "../overflow/hidden-content.ts";
import type { Overflow } from "../prepared-page.ts";
import type { StyledElements } from "../style-rules.ts";

/** Chromium compares each destination with each page. */
const maxGroups = 100;

/** No page has so little space between its margins. */
const minPx = 30;

type Group = { message: string; emptyPx: number; mark: () => [Element, Element] };

/** `heightOf` returns the height between the margins of the page on which an element is printed. */
export function dividedGroups(styled: StyledElements, heightOf: (element: Element) => number): Overflow[] {
  const spanning = findAll(bodyElement(), "[rowspan]").slice(0, maxGroups);
  const kept = styled(keeps, /break-inside/i).filter((each) => {
    const { height } = boxOf(each);
    return height > minPx && height > heightOf(each) / 2;
  });
  // All are found before the first is marked, because after a mark the browser lays out the document again.
  const groups = [
    ...spanning.flatMap((cell) => spanningGroup(cell, heightOf(cell))),
    ...kept.slice(0, maxGroups).flatMap((element) => keptGroup(element, heightOf(element))),
  ];
  const nameOf = destinationMarker("colophon-temporary-group");
  return groups.map(({ message, emptyPx, mark }) => {
    const [name, next] = mark().map(nameOf);
    return { name: name ?? "", message, next: { name: next ?? "", emptyPx } };
  });
}

function keeps(style: CSSStyleDeclaration): boolean {
  return style.getPropertyValue("break-inside").startsWith("avoid");
}

function spanningGroup(cell: Element, pagePx: number): Group[] {
  const row = parentOf(cell);
  const table = cell.closest("table");
  if (!(cell instanceof HTMLTableCellElement) || !row || !table || cell.rowSpan < 2) return [];
  const { backgroundColor, backgroundImage } = getComputedStyle(cell);
  const hasBackground = backgroundImage !== "none" || backgroundColor !== "rgba(0, 0, 0, 0)";
  if (!hasBackground || boxOf(table).bottom <= pagePx) return [];
  let last = row;
  for (let rows = cell.rowSpan; rows > 1 && last.nextElementSibling; rows--) last = last.nextElementSibling;
  const message = `${fullNameOf(cell)} spans rows of two pages, so its background does not end with its rows. Put the rows of each group into a \`<tbody>\` with \`break-inside: avoid\`.`;
  return [{ message, emptyPx: 0, mark: () => [markIn(row, "start"), markIn(last, "start")] }];
}

/** Only rows, because a mark beside other boxes could change how selectors such as `:first-child` match. */
function keptGroup(element: Element, pagePx: number): Group[] {
  const previous = element.previousElementSibling;
  if (!previous || !isRows(element) || !isRows(previous)) return [];
  if (isBreak(element, "break-before") || isBreak(previous, "break-after")) return [];
  const message = `More than half of the page is empty, because ${fullNameOf(element)} after it is kept together. Leave out \`break-inside: avoid\`, or divide it into smaller groups.`;
  return [{ message, emptyPx: pagePx / 2, mark: () => [markIn(previous, "end"), markIn(element, "start")] }];
}

/** Whether the element is a row or a group of rows, but not the head or the foot of a table. */
function isRows(element: Element): boolean {
  return displayOf(element).startsWith("table-row");
}

function isBreak(element: Element, property: "break-before" | "break-after"): boolean {
  return getComputedStyle(element).getPropertyValue(property) !== "auto";
}

/** Returns a new element without a size at the start of the first cell, or at the end of the last one. */
function markIn(rows: Element, place: "start" | "end"): Element {
  const mark = createElement("span");
  setAttribute(mark, "role", "none");
  setAttribute(mark, "style", "all:initial!important;position:absolute!important;margin:1px!important");
  const cells = findAll(rows, "td,th");
  insertInside((place === "start" ? cells[0] : cells.at(-1)) ?? rows, mark, place);
  return mark;
}
