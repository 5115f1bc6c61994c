// Adds a destination to each element that loses content, which shows on which page of a PDF the element is.
import { destinationMarker } from "../describe-document.ts";
import { boxOf, createElement, findAll, insertInside, outermostForeign, rootElement, setAttribute } from "../dom.ts";
import type { Overflow } from "../prepared-page.ts";

/**
 * An element, and the problem of the element or its content. `isOffPage` is true if the element may be in a place where a print has no
 * destinations. `advise` returns text to append to the message; it tries out styles, which takes time.
 */
export type FoundOverflow = { element: Element; message: string; isOffPage?: boolean; advise?: () => string };

/** `boxes` are the pages of an image. The names of the destinations begin with `prefix`. */
export function markedOverflows(
  found: readonly FoundOverflow[],
  boxes: readonly Element[],
  prefix = "colophon-overflow",
): Overflow[] {
  const mark = destinationMarker(prefix);
  // All styles are tried before the first mark.
  const advised = found.map((each) => ({ ...each, message: each.message + (each.advise?.() ?? "") }));
  return advised.map(({ element, message, isOffPage = false }) => {
    const page = boxes.findIndex((box) => Node.prototype.contains.call(box, element));
    if (page >= 0) return { name: "", message: `Page ${page + 1}: ${message}` };
    const place = outermostForeign(element);
    return { name: mark(isOffPage ? placeOnPage(place) : place), message };
  });
}

/**
 * Returns a new element next to an element that is off the page, for which the print would have no destination. The margin of the new
 * element keeps it off the edges.
 */
function placeOnPage(element: Element): Element {
  const mark = createElement("span");
  const place = (leftPx: number) =>
    setAttribute(
      mark,
      "style",
      `all:initial!important;position:absolute!important;left:${leftPx}px!important;margin:1px!important`,
    );
  place(0);
  // Between the parts of a table, only cells can contain something else.
  const isTablePart = getComputedStyle(element).display.startsWith("table-");
  const [cell] = isTablePart ? [...findAll(element, "td,th"), element] : [];
  if (cell) insertInside(cell, mark, "start");
  else Element.prototype.before.call(element, mark);
  // The box to which it is relative may be off the page, too.
  place(boxOf(rootElement()).left - boxOf(mark).left + 1);
  return mark;
}
