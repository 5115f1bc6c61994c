// Removes invisible nodes from the end of a page file. If the content fills the page exactly, these nodes would
// otherwise flow onto an extra, blank page.
import { findInDocument } from "./dom.ts";

export function trimPageEnds(): void {
  for (const box of findInDocument("body > .page")) {
    for (let last = box.lastChild; last && isInvisible(last); last = box.lastChild) last.remove();
  }
}

function isInvisible(node: Node): boolean {
  return node instanceof Element
    ? /^(br|p)$/i.test(node.tagName) && !node.hasChildNodes()
    : node instanceof Comment || !node.nodeValue?.trim();
}
