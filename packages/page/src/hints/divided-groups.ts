// Finds groups that may be printed badly, depending on their position on the pages: a cell that spans rows on two pages, where its
// background does not end with its rows; a group that is kept together, which may leave most of a page empty; and a table on several
// pages. Only the print shows whether they are.
import { destinationMarker } from "../describe-document.ts";
import { bodyElement, boxOf, findAll, parentOf } from "../dom.ts";
import { fullNameOf } from "../overflow/hidden-content.ts";
import type { Overflow } from "../prepared-page.ts";
import type { UnnamedWidths } from "../references/print-width.ts";
import type { StyledElements } from "../style-rules.ts";
import { contentBefore, type Group, markIn } from "./kept-groups.ts";
import { repeatedHeads } from "./repeated-heads.ts";

/** Chromium compares each destination with each page. */
const maxGroups = 100;

/** No page has so little space between its margins. */
const minPx = 30;

/** `heightOf` returns the height between the margins of the page on which an element is printed. */
export function dividedGroups(
  styled: StyledElements,
  heightOf: (element: Element) => number,
  widths: UnnamedWidths,
): Overflow[] {
  const spanning = findAll(bodyElement(), "[rowspan]").slice(0, maxGroups);
  const kept = styled(keeps, /break-inside/i).filter((each) => {
    const { height } = boxOf(each);
    return height > minPx && height > heightOf(each) / 2;
  });
  // All are found before the first is marked, because after a mark the browser lays out the document again.
  const groups = [
    ...spanning.flatMap((cell) => spanningGroup(cell, heightOf(cell))),
    ...kept.slice(0, maxGroups).flatMap((element) => keptGroup(element, heightOf(element))),
    ...repeatedHeads(heightOf, widths),
  ];
  const nameOf = destinationMarker("colophon-temporary-group");
  return groups.map(({ message, emptyPx, isOnFirst, mark }) => {
    const [name, next] = mark().map(nameOf);
    return { name: name ?? "", message, next: { name: next ?? "", emptyPx, isOnFirst } };
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
  const message = `${fullNameOf(cell)} spans rows on two pages, so its background does not end with its rows. Put the rows of each group into a \`<tbody>\` with \`break-inside: avoid\`.`;
  return [{ message, emptyPx: 0, mark: () => [markIn(row, "start"), markIn(last, "start")] }];
}

function keptGroup(element: Element, pagePx: number): Group[] {
  const before = getComputedStyle(element).breakInside.startsWith("avoid") ? contentBefore(element) : null;
  if (!before) return [];
  const { endPx, markEnd, markStart } = before;
  const hasPicture = findAll(element, "img,svg").some((picture) => boxOf(picture).height > pagePx / 2);
  const advice = hasPicture
    ? "Make its picture lower."
    : "Leave out `break-inside: avoid`, or divide it into smaller groups.";
  const message = `More than half of the page is empty, because ${fullNameOf(element)} after it is kept together. ${advice}`;
  return [{ message, emptyPx: pagePx / 2 + endPx, mark: () => [markEnd(), markStart()] }];
}
