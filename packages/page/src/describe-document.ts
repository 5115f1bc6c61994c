// Reads a document's metadata, headings, sections and page values, and decides whether the document is short enough for accessibility
// tags. Makes Chromium write a destination into the PDF for each heading, section and value.
import {
  attributeOf,
  bodyElement,
  childrenOf,
  createElement,
  findAll,
  headElement,
  isLaidOut,
  setAttribute,
  linkTo,
} from "./dom.ts";
import { findValues, markValues } from "./page-values.ts";
import type { DocumentMetadata } from "./prepared-page.ts";
import { printedTexts, writtenText } from "./printed-text.ts";
import { type CounterStyle, counterStyles } from "./references/counter-styles.ts";

const maxTextChars = 500;
/** Chromium compares each destination with each page, so this many destinations take about as long as the pages themselves. */
const maxTaggedValues = 5_000;

/**
 * Returns the metadata, and marks the headings, the sections and the elements that set any of the values `valueNames`. `maxTaggedElements`
 * is null for a format that has neither tags nor destinations.
 */
export function describeDocument(maxTaggedElements: number | null, valueNames: readonly string[]): DocumentMetadata {
  const [head, body] = [headElement(), bodyElement()];
  const elements = body.getElementsByTagName("*").length;
  const isMarked = maxTaggedElements !== null;
  // All elements are found before the first one is marked, because each mark makes the browser lay out the document
  // again.
  const headings = isMarked ? findHeadings(body) : [];
  const sections = isMarked ? findSections(body) : [];
  const parts = isMarked ? findParts(body) : [];
  const values = isMarked ? findValues(body, valueNames) : [];
  const mark = destinationMarker("colophon-mark");
  const counts = [
    { count: elements, name: "elements", max: maxTaggedElements ?? 0 },
    { count: values.length, name: "page values", max: maxTaggedValues },
  ];
  const tooMany = counts.find(({ count, max }) => isMarked && count > max);
  return {
    title: documentTitle(head, body),
    author: metaContent(body, "author"),
    subject: metaContent(body, "description"),
    keywords: metaContent(body, "keywords"),
    untagged: tooMany
      ? `The document is too long for accessibility tags, so the PDF has none: it has ${tooMany.count} ${tooMany.name}, and at most ${tooMany.max} can be tagged. Split the document.`
      : null,
    outline: headings.map(({ element, text }) => {
      return { level: Number(element.tagName.slice(1)), text, name: mark(element) };
    }),
    sections: sections.map(({ element, title }) => ({ title, name: mark(element) })),
    parts: parts.map(({ element, numbering }) => ({ numbering, name: mark(element) })),
    values: markValues(values, valueNames, tooMany ? "links" : "destinations"),
  };
}

/** Returns the title in a page file or, without one, the template's title. */
function documentTitle(head: HTMLElement, body: HTMLElement): string {
  const ownTitle = plain(findAll(body, "title").find((title) => title instanceof HTMLTitleElement)?.textContent);
  return ownTitle || plain(findAll(head, "title")[0]?.textContent);
}

function metaContent(body: HTMLElement, name: string): string {
  const metas = findAll(body, "meta[name][content]");
  const meta = metas.find((candidate) => candidate.getAttribute("name")?.toLowerCase() === name);
  return plain(meta?.getAttribute("content"));
}

const headingSelector = "h1,h2,h3,h4,h5,h6";

/** Returns the headings for the PDF's outline. */
function findHeadings(body: HTMLElement): { element: Element; text: string }[] {
  const headings = findAll(body, headingSelector).filter(isLaidOut);
  const texts = printedTexts(headings);
  return headings.map((element, index) => ({ element, text: plain(texts[index]) })).filter(({ text }) => text !== "");
}

/**
 * Returns the sections in the order in which they start, with the elements to mark. A section starts at every `h1` and at
 * every element with `data-section`. The first `h1` inside such an element belongs to the element's section.
 */
function findSections(body: HTMLElement): { element: Element; title: string }[] {
  const starts = new Set(findAll(body, "h1,[data-section]"));
  for (const element of findAll(body, "[data-section]")) {
    const [first] = findAll(element, "h1,[data-section]");
    if (first && attributeOf(first, "data-section") === null) starts.delete(first);
  }
  return [...starts].flatMap((element) => {
    const start = printedStart(element);
    return start ? { element: start, title: sectionTitle(element) } : [];
  });
}

/** Returns the elements at which the numbers of pages start again, with the style of the numbers. */
function findParts(body: HTMLElement): { element: Element; numbering: CounterStyle }[] {
  return findAll(body, "[data-part]").flatMap((element) => {
    const start = printedStart(element);
    return start ? { element: start, numbering: numberingIn(attributeOf(element, "data-part")) ?? "decimal" } : [];
  });
}

export function numberingIn(value: string | null): CounterStyle | undefined {
  return counterStyles.find((name) => name === value?.trim().toLowerCase());
}

/** An element without a box, such as one with `display: contents`, is marked at its first descendant with a box. */
export function printedStart(element: Element): Element | null {
  const laidOut = [element, ...findAll(element, "*")].find(isLaidOut);
  return laidOut ? innermostStart(laidOut) : null;
}

/**
 * Returns the element in which the content of a section starts. Chromium adds a `div` with an id to the tag tree, but one without
 * an id only if it contains text. So a `div` is not marked if an element inside it can be marked instead.
 */
export function innermostStart(element: Element, canStart = isLaidOut): Element {
  let start = element;
  while (/^div$/i.test(start.tagName) && !attributeOf(start, "id") && !hasOwnText(start)) {
    const inner = childrenOf(start).find(canStart);
    if (!inner) break;
    start = inner;
  }
  return start;
}

function hasOwnText(element: Element): boolean {
  return [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== "");
}

function sectionTitle(element: Element): string {
  const title = plain(attributeOf(element, "data-section"));
  if (title !== "") return title;
  const heading = /^h[1-6]$/i.test(element.tagName) ? element : findAll(element, headingSelector)[0];
  return heading ? plain(writtenText(heading)) : "";
}

/**
 * Returns a function that gives an element a destination and returns the destination's name. Names begin with `prefix`, unless the element
 * has an id.
 */
export function destinationMarker(prefix: string): (element: Element) => string {
  const names = new Map<Element, string>();
  let count = 0;
  return (element) => {
    const existingName = names.get(element);
    if (existingName !== undefined) return existingName;
    const link = linkTo(encodeURIComponent(targetId(element, `${prefix}-${count++}`)));
    const name = link.hash.slice(1);
    names.set(element, name);
    return name;
  };
}

/**
 * Returns an id that leads to the element. An existing id is kept, because the template's styles may use it. If an
 * earlier element has the same id, a span inside the element gets `newId`.
 */
function targetId(element: Element, newId: string): string {
  const id = attributeOf(element, "id") ?? "";
  if (id !== "" && Document.prototype.getElementById.call(document, id) === element) return id;
  const target = id === "" ? element : createElement("span");
  setAttribute(target, "id", newId);
  // Chromium adds a `span` with an id to the tag tree, unless the element has this role.
  if (/^span$/i.test(target.tagName) && attributeOf(target, "role") === null) setAttribute(target, "role", "none");
  if (target !== element) Element.prototype.prepend.call(element, target);
  return newId;
}

/** Returns the text without control characters, which readers display as boxes, truncated without splitting a surrogate pair. */
function plain(text: string | null | undefined): string {
  const shown = (text ?? "")
    .replace(/\s+/g, " ")
    .replace(/\p{Cc}/gu, "")
    .trim();
  return shown.slice(0, maxTextChars).replace(/[\ud800-\udbff]$/, "");
}
