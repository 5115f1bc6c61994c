// Reads the named destinations of a PDF: the elements of the document to which its links point.
import { isDictionary, isReference, type PdfValue } from "../syntax/values.ts";
import { latin1Bytes } from "../syntax/characters.ts";
import type { PdfObjects } from "./open-pdf.ts";
import { catalogOf, readPages, type Page } from "./page-tree.ts";

/** A place in the document. `page` is an index from 0. The coordinates have their origin at the page's lower left. */
export type Destination = { page: number; xPt: number; yPt: number };

/** The height of the part of each page between its margins. */
export type ContentArea = { contentHeightPt: number };

/**
 * Returns the destinations by name. A destination that does not name a page of the file is left out. Throws `PdfError`
 * if the page tree is malformed.
 */
export function destinations(file: PdfObjects, area: ContentArea): Map<string, Destination> {
  const written = readDestinations(file, readPages(file), area);
  return new Map(Array.from(written, ([name, destination]) => [unicode(name), destination]));
}

/** Like `destinations`, but the names are the bytes in the file: each character is one byte. */
export function readDestinations(file: PdfObjects, pages: Page[], area: ContentArea): Map<string, Destination> {
  const indexes = new Map(pages.map(({ number }, index) => [number, index]));
  const destinations = new Map<string, Destination>();
  for (const [name, { page: number, xPt, yPt }] of writtenDestinations(file)) {
    const index = indexes.get(number);
    const page = index === undefined ? undefined : pages[index];
    if (index === undefined || !page) continue;
    const correctedPt = heightOn(page, yPt ?? page.box.top, index, area);
    destinations.set(name, { page: index, xPt: xPt ?? page.box.left, yPt: correctedPt });
  }
  return destinations;
}

/** A destination as the file has it. `page` is the number of an object. */
export type WrittenDestination = { page: number; xPt: number | null; yPt: number | null };

/** Some versions of Chromium shift the destinations of later pages, but shift all destinations of a page alike. */
export function writtenDestinations(file: PdfObjects): Map<string, WrittenDestination> {
  const destinations = new Map<string, WrittenDestination>();
  const entries = file.resolve(catalogOf(file).get("Dests"));
  if (!isDictionary(entries)) return destinations;
  for (const [name, value] of entries) {
    const place = file.resolve(value);
    const [target, , x, y] = Array.isArray(place) ? place : [];
    if (isReference(target)) destinations.set(name, { page: target.number, xPt: numberOf(x), yPt: numberOf(y) });
  }
  return destinations;
}

function numberOf(value: PdfValue | undefined): number | null {
  return typeof value === "number" ? value : null;
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
