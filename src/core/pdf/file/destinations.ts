// Reads the named destinations of a PDF: the elements of the document to which its links point.
import { isDictionary, isReference } from "../syntax/values.ts";
import { latin1Bytes } from "../syntax/characters.ts";
import type { PdfFile } from "./open-pdf.ts";
import { catalogOf, readPages, type Page } from "./page-tree.ts";

/** A place in the document. `page` is an index from 0. The coordinates have their origin at the page's lower left. */
export type Destination = { page: number; xPt: number; yPt: number };

/** The height of the part of each page between its margins. */
export type ContentArea = { contentHeightPt: number };

/**
 * Returns the destinations by name. A destination that does not name a page of the file is left out. Throws `PdfError`
 * if the page tree is malformed.
 */
export function destinations(file: PdfFile, area: ContentArea): Map<string, Destination> {
  const found = readDestinations(file, readPages(file), area);
  return new Map(Array.from(found, ([name, destination]) => [unicode(name), destination]));
}

/** Like `destinations`, with the names as they stand in the file: each character is one byte. */
export function readDestinations(file: PdfFile, pages: Page[], area: ContentArea): Map<string, Destination> {
  const indexes = new Map(pages.map(({ number }, index) => [number, index]));
  const destinations = new Map<string, Destination>();
  const entries = file.resolve(catalogOf(file).get("Dests"));
  if (!isDictionary(entries)) return destinations;
  for (const [name, value] of entries) {
    const place = file.resolve(value);
    const [target, , x, y] = Array.isArray(place) ? place : [];
    const index = isReference(target) ? indexes.get(target.number) : undefined;
    const page = index === undefined ? undefined : pages[index];
    if (index === undefined || !page) continue;
    const yPt = heightOn(page, typeof y === "number" ? y : page.box.top, index, area);
    destinations.set(name, { page: index, xPt: typeof x === "number" ? x : page.box.left, yPt });
  }
  return destinations;
}

/**
 * Returns the height of a destination on its page. Chromium 127 names the right page, but measures the height from the
 * top of the first page, as if the pages' contents stood below each other without gaps.
 */
function heightOn({ box }: Page, y: number, index: number, { contentHeightPt }: ContentArea): number {
  const lowest = box.top - contentHeightPt;
  const corrected = y <= lowest + 0.01 ? y + index * contentHeightPt : y;
  return corrected > box.bottom && corrected <= box.top ? corrected : box.top;
}

/** Names are written in UTF-8. */
function unicode(name: string): string {
  return new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(latin1Bytes(name));
}
