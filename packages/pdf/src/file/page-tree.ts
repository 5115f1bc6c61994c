// Reads the page tree of a PDF.
import { PdfError } from "../syntax/pdf-error.ts";
import { isDictionary, isName, isReference, type PdfDictionary, type PdfValue } from "../syntax/values.ts";
import { streamAt, type PdfFile, type PdfObjects, type PdfStream } from "./open-pdf.ts";

/** Points in a CSS pixel. */
export const ptPerPx = 0.75;

/** The corners of a page in points. */
export type Box = { left: number; bottom: number; right: number; top: number };

/** `resources` may be inherited from the page tree. */
export type Page = { number: number; dictionary: PdfDictionary; box: Box; resources: PdfDictionary };

/** Common readers cannot open larger pages; their limit is 14,400. */
const maxCoordinate = 1_000_000;
/** Chromium's page tree has eight children per node. */
const maxDepth = 60;

const malformed = "the page tree is malformed";

/** Returns the pages in order. Throws `PdfError` if the tree is malformed. */
export function readPages(file: PdfObjects): Page[] {
  const visited = new Set<number>();
  const pagesIn = (node: PdfValue | undefined, inherited: PdfValue = null, depth = 0): Page[] => {
    const dictionary = file.resolve(node);
    if (!isReference(node) || !isDictionary(dictionary)) throw new PdfError(malformed);
    if (visited.has(node.number) || depth > maxDepth) throw new PdfError("the page tree is circular or too deep");
    visited.add(node.number);
    const kids = dictionary.get("Kids");
    const type = dictionary.get("Type");
    const resources = dictionary.get("Resources") ?? inherited;
    const below = Array.isArray(kids) ? kids.flatMap((kid) => pagesIn(kid, resources, depth + 1)) : undefined;
    const isTyped = isName(type) && type.text === (below ? "Pages" : "Page");
    if (!isTyped || dictionary.get("Count") !== below?.length) throw new PdfError(malformed);
    return below ?? [pageOf(file, node.number, dictionary, resources)];
  };
  const pages = pagesIn(catalogOf(file).get("Pages"));
  if (pages.length === 0) throw new PdfError("the page tree has no pages");
  return pages;
}

/** Returns the size of each page in points. Throws `PdfError` if the page tree is malformed. */
export function pageBoxes(file: PdfObjects): { widthPt: number; heightPt: number }[] {
  return readPages(file).map(({ box }) => ({ widthPt: box.right - box.left, heightPt: box.top - box.bottom }));
}

/** Returns the content of a page; null if it is not a single stream. */
export function contentStream(file: PdfFile, { dictionary }: Page): PdfStream | null {
  const contents = dictionary.get("Contents");
  const extent = isReference(contents) ? file.extent(contents.number) : null;
  return extent?.isStream ? streamAt(file, extent) : null;
}

export function catalogOf(file: PdfObjects): PdfDictionary {
  const catalog = file.resolve(file.trailer.get("Root"));
  if (!isDictionary(catalog)) throw new PdfError("the trailer has no catalog");
  return catalog;
}

function pageOf(file: PdfObjects, number: number, dictionary: PdfDictionary, inherited: PdfValue): Page {
  const resources = file.resolve(inherited);
  const box = boxOf(dictionary.get("MediaBox"));
  return { number, dictionary, box, resources: isDictionary(resources) ? resources : new Map() };
}

function boxOf(corners: PdfValue | undefined): Box {
  if (!Array.isArray(corners)) throw new PdfError("a page has no size");
  const [left = NaN, bottom = NaN, right = NaN, top = NaN] = corners.map(coordinate);
  if (!(left < right && bottom < top)) throw new PdfError("a page is empty");
  return { left, bottom, right, top };
}

export function coordinate(value: PdfValue): number {
  if (typeof value !== "number" || Math.abs(value) > maxCoordinate)
    throw new PdfError("a coordinate is missing or out of range");
  return value;
}
