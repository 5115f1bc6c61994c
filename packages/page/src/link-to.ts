// Makes Chromium write destinations into the PDF, which it does only for elements to which a link of the same document points.
import { createElement, headElement } from "./dom.ts";

/** Adds a link to the head, where it is not shown. `fragment` is escaped as in a URL. */
export function linkTo(fragment: string): HTMLAnchorElement {
  const link = createElement("a");
  link.setAttribute("href", `#${fragment}`);
  headElement().append(link);
  return link;
}
