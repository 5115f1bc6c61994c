// Headers and footers in the body of the page. There, their fonts load, their images are prepared and their heights are
// measured. After that, they are models, whose copies are put on the sheets.
import { attributeOf, bodyElement, createElement, findAll, findInDocument } from "../dom.ts";

export type Edge = "header" | "footer";

/** A header or footer with the elements for all pages. */
export type MarginHost = { edge: Edge; host: HTMLElement };

const counters = ".pageNumber, .totalPages";

/**
 * Adds the headers and footers of the document to the body. There are several for an edge that reads `page`. Those
 * are examples, which show how high it may become.
 */
export function attachMarginHosts(): MarginHost[] {
  return (["header", "footer"] as const).flatMap((edge) =>
    templateContents(edge).map((content) => attachHost(edge, content)),
  );
}

/** As wide as the number of a page in a long document. */
const widestNumber = "000";

/** Adds a copy of the content to the body, without moving what is there. Its counters get their widest text. */
export function attachHost(edge: Edge, content: Node): MarginHost {
  const host = createElement("div");
  host.className = `page-${edge}`;
  host.style.cssText = "position:absolute;left:0;top:0";
  host.append(content.cloneNode(true));
  fillCounters(host, widestNumber, widestNumber);
  bodyElement().append(host);
  return { edge, host };
}

function templateContents(edge: Edge): DocumentFragment[] {
  return findInDocument("head > template")
    .filter((template) => attributeOf(template, "id") === `colophon-${edge}`)
    .flatMap((template) => (template instanceof HTMLTemplateElement ? template.content : []));
}

export function hasCounters(host: Element): boolean {
  return findAll(host, counters).length > 0;
}

/** Replaces the content of the page counters. */
export function fillCounters(host: Element, number: string, total: string): void {
  for (const counter of findAll(host, counters)) {
    counter.textContent = counter.classList.contains("pageNumber") ? number : total;
  }
}
