// Reads the metadata that a document contains, and decides whether the document is short enough for accessibility tags.
import type { DocumentMetadata, Heading } from "../core/rendering/prepared-page.ts";
import { bodyElement, createElement, findAll, findInTrees, headElement } from "./dom.ts";

const maxTextChars = 500;

/**
 * Returns the metadata, copies the document's own title into the head, and marks the headings of an untagged document.
 * `maxTaggedElements` is null for a format without tags.
 */
export function describeDocument(shadowRoots: ShadowRoot[], maxTaggedElements: number | null): DocumentMetadata {
  const [head, body] = [headElement(), bodyElement()];
  useOwnTitle(head, body);
  const elements = body.getElementsByTagName("*").length + findInTrees(shadowRoots, "*").length;
  const isTagged = maxTaggedElements === null || elements <= maxTaggedElements;
  return {
    author: metaContent(body, "author"),
    subject: metaContent(body, "description"),
    keywords: metaContent(body, "keywords"),
    isTagged,
    outline: isTagged ? [] : markHeadings(head, body),
  };
}

/**
 * If a page file contains a title, replaces the template's title with it. Chromium uses only the first title, which is
 * the template's.
 */
function useOwnTitle(head: HTMLElement, body: HTMLElement): void {
  const ownTitle = plain(findAll(body, "title").find((title) => title instanceof HTMLTitleElement)?.textContent);
  const title = findAll(head, "title")[0];
  if (ownTitle !== "" && title) title.textContent = ownTitle;
}

function metaContent(body: HTMLElement, name: string): string {
  const metas = findAll(body, "meta[name][content]");
  const meta = metas.find((candidate) => candidate.getAttribute("name")?.toLowerCase() === name);
  return plain(meta?.getAttribute("content"));
}

/**
 * Gives each heading an id and adds a link to it to the head, because Chromium writes a destination into the PDF for
 * every element that a link points to. Returns the headings for the PDF's outline.
 */
function markHeadings(head: HTMLElement, body: HTMLElement): Heading[] {
  const headings = findAll(body, "h1,h2,h3,h4,h5,h6")
    .map((element) => ({ element, text: plain(element.textContent) }))
    .filter(({ element, text }) => text !== "" && element.getClientRects().length > 0);
  return headings.map(({ element, text }, index) => {
    const name = `colophon-heading-${index}`;
    // If a heading already has an id, the heading keeps it, because the template's styles may use it. That id may not
    // be unique, so the new id is set on a span inside the heading.
    const marker = element.id === "" ? element : createElement("span");
    marker.id = name;
    if (marker !== element) element.prepend(marker);
    const link = createElement("a");
    link.setAttribute("href", `#${name}`);
    head.append(link);
    return { level: Number(element.tagName.slice(1)), text, name };
  });
}

function plain(text: string | null | undefined): string {
  return (text ?? "").replace(/\s+/g, " ").trim().slice(0, maxTextChars);
}
