// Reads the named destinations of a PDF: the elements to which links in the document point.
import { latin1Bytes } from "../syntax/characters.ts";
import { isDictionary, isReference, type PdfValue } from "../syntax/values.ts";
import type { PdfFile, PdfObjects } from "./open-pdf.ts";
import { readPageAreas } from "./page-areas.ts";
import { catalogOf, readPages, type Page } from "./page-tree.ts";

/** A place on a page. `page` is an index from 0. The coordinates have their origin at the page's lower left. */
export type Destination = { page: number; xPt: number; yPt: number };

/** Returns the index of each destination's page, by name. Throws `PdfError` if the page tree is malformed. */
export function destinationPages(file: PdfObjects): Map<string, number> {
  const indexes = pageIndexes(readPages(file));
  return new Map(
    Array.from(writtenDestinations(file)).flatMap(([name, { page }]) => {
      const index = indexes.get(page);
      return index === undefined ? [] : [[unicode(name), index]];
    }),
  );
}

/**
 * Returns the destinations by name, which has one character for each byte. A destination that does not name a page of the file is left
 * out. Chromium measures destinations from the corner of the area between the margins, in the lengths of the layout.
 */
export function readDestinations(file: PdfFile, pages: Page[]): Map<string, Destination> {
  const written = writtenDestinations(file);
  const indexes = pageIndexes(pages);
  const areas = written.size === 0 ? [] : readPageAreas(file, pages);
  const placed = Array.from(written).flatMap(([name, { page: number, xPt, yPt }]) => {
    const index = indexes.get(number) ?? -1;
    const [page, area] = [pages[index], areas[index]];
    return page && area ? [{ name, index, page, area, xPt, downPt: page.box.top - (yPt ?? page.box.top) }] : [];
  });
  // Chromium 127 measures the height as if the areas of all pages were stacked vertically.
  const isContinuous = placed.some(({ area, downPt }) => !area.isTurned && downPt > area.heightPt + roundingPt);
  return new Map(
    placed.map(({ name, index, page: { box }, area, xPt, downPt }) => {
      const { scale, leftPt, topPt, isTurned } = area;
      const inAreaPt = isTurned ? 0 : (downPt - (isContinuous ? area.startPt : 0)) * scale;
      const yPt = box.top - topPt - inAreaPt;
      const acrossPt = isTurned ? 0 : (xPt ?? 0) * scale;
      const isOnPage = yPt > box.bottom && yPt <= box.top;
      return [name, { page: index, xPt: box.left + leftPt + acrossPt, yPt: isOnPage ? yPt : box.top }];
    }),
  );
}

/** Chromium writes destinations in whole pixels. */
const roundingPt = 1;

function pageIndexes(pages: readonly Page[]): Map<number, number> {
  return new Map(pages.map(({ number }, index) => [number, index]));
}

/** A destination as written in the file. `page` is an object number. */
export type WrittenDestination = { page: number; xPt: number | null; yPt: number | null };

/** Some versions of Chromium shift the destinations of later pages, but all destinations of a page by the same amount. */
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

/** Names are written in UTF-8. */
function unicode(name: string): string {
  return new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(latin1Bytes(name));
}
