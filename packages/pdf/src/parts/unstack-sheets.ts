// Locates the sheets on pages with several stacked sheets, and splits the contents of these pages.
import { deflateSync } from "node:zlib";
import { decodedData, type PdfFile } from "../file/open-pdf.ts";
import { contentStream, ptPerPx, readPages, type Box, type Page } from "../file/page-tree.ts";
import { splitContent } from "./split-content.ts";

/**
 * `page` is the index of the page on which a sheet is printed. `area` is the sheet's area from the page's upper left corner, in
 * CSS pixels; null for the whole page.
 */
export type SheetPlace = { page: number; area: { topPx: number; heightPx: number } | null };

/** `page` is the index of the page that contains a sheet. `cut` is null if the sheet is the whole page. */
export type SheetPart = { page: number; cut: SheetCut | null };
/** The sheet's area of the page, and its content, compressed in the zlib format. */
export type SheetCut = { box: Box; content: Uint8Array };

/**
 * The maximum decompressed content of all pages together, which limits the time and the memory. It allows 16 KB for each sheet
 * of a document of 500 pages. Reading this much took at most a second.
 */
export const maxContentBytes = 8_000_000;

/**
 * Returns the part at each place, or null if the sheets cannot be separated with certainty. Throws `PdfError` if the file is
 * malformed.
 */
export function unstackSheets(file: PdfFile, places: readonly SheetPlace[]): SheetPart[] | null {
  const pages = readPages(file);
  const parts: SheetPart[] = [];
  const indexesOfPage = new Map<number, number[]>();
  const content: ContentBudget = { bytesLeft: maxContentBytes };
  for (const [index, { page, area }] of places.entries()) {
    if (area) indexesOfPage.set(page, [...(indexesOfPage.get(page) ?? []), index]);
    else parts[index] = { page, cut: null };
  }
  for (const [number, indexes] of indexesOfPage) {
    const page = pages[number];
    if (!page) return null;
    const boxes = indexes.map((index) => boxOf(page, places[index]));
    const cuts = cutPage(file, page, boxes, content);
    if (!cuts) return null;
    for (const [at, index] of indexes.entries()) parts[index] = { page: number, cut: cuts[at] ?? null };
  }
  return parts;
}

function boxOf({ box }: Page, place: SheetPlace | undefined): Box {
  const { topPx = 0, heightPx = 0 } = place?.area ?? {};
  const top = box.top - topPx * ptPerPx;
  return { left: box.left, bottom: top - heightPx * ptPerPx, right: box.right, top };
}

/** The number of content bytes that may still be decompressed. */
type ContentBudget = { bytesLeft: number };

function cutPage(file: PdfFile, page: Page, boxes: Box[], content: ContentBudget): SheetCut[] | null {
  const stream = contentStream(file, page);
  if (!stream?.dictionary.has("Filter") || page.dictionary.has("Annots")) return null;
  const bytes = decodedData(stream, content.bytesLeft);
  if (!bytes) return null;
  content.bytesLeft -= bytes.length;
  const parts = splitContent(bytes, boxes);
  return parts && boxes.map((box, index) => ({ box, content: deflateSync(parts[index] ?? new Uint8Array()) }));
}
