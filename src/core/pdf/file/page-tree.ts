// Reads the page tree of a PDF.
import { PdfError } from "../syntax/pdf-error.ts";
import { isDictionary, isName, isReference, type PdfDictionary, type PdfValue } from "../syntax/values.ts";
import type { PdfFile } from "./open-pdf.ts";

/** The corners of a page in points. */
export type Box = { left: number; bottom: number; right: number; top: number };

export type Page = { number: number; dictionary: PdfDictionary; box: Box; resources: PdfDictionary };

/** The depth of the tree. Chromium puts eight pages or nodes into each node, so 500 pages have a depth of 3. */
const maxTreeDepth = 20;
/** Larger pages than this cannot be opened by common readers, which end at 14,400. */
const maxCoordinate = 1_000_000;

/** Values that a page inherits from the nodes above it. */
type Inherited = { MediaBox: PdfValue | undefined; Resources: PdfValue | undefined };

/** The pages in their order, and the numbers of all objects of the tree. */
export type PageTree = { pages: Page[]; nodes: ReadonlySet<number> };

/** Throws `PdfError` if the tree is malformed. */
export function readPageTree(file: PdfFile): PageTree {
  const root = catalogOf(file).get("Pages");
  if (!isReference(root)) throw new PdfError("the catalog names no page tree");
  const pages: Page[] = [];
  const visited = new Set<number>();
  const visit = (number: number, parent: number | null, inherited: Inherited, depth: number): void => {
    if (visited.has(number) || depth > maxTreeDepth) throw new PdfError("the page tree has a loop or is too deep");
    visited.add(number);
    const node = file.object(number);
    if (!isDictionary(node) || !hasParent(node, parent)) throw new PdfError("the page tree is malformed");
    const own: Inherited = {
      MediaBox: node.get("MediaBox") ?? inherited.MediaBox,
      Resources: node.get("Resources") ?? inherited.Resources,
    };
    const type = node.get("Type");
    if (isName(type) && type.text === "Page") pages.push(pageOf(file, number, node, own));
    else if (isName(type) && type.text === "Pages") visitKids(node, number, own, depth);
    else throw new PdfError("the page tree contains another object than a page");
  };
  const visitKids = (node: PdfDictionary, number: number, inherited: Inherited, depth: number): void => {
    const kids = file.resolve(node.get("Kids"));
    if (!Array.isArray(kids)) throw new PdfError("the page tree is malformed");
    const before = pages.length;
    for (const kid of kids) {
      if (!isReference(kid)) throw new PdfError("the page tree is malformed");
      visit(kid.number, number, inherited, depth + 1);
    }
    if (file.resolve(node.get("Count")) !== pages.length - before) throw new PdfError("the page tree counts wrongly");
  };
  visit(root.number, null, { MediaBox: undefined, Resources: undefined }, 0);
  if (pages.length === 0) throw new PdfError("the page tree has no pages");
  return { pages, nodes: visited };
}

/** Returns the size of each page in points. Throws `PdfError` if the page tree is malformed. */
export function pageBoxes(file: PdfFile): { widthPt: number; heightPt: number }[] {
  return readPageTree(file).pages.map(({ box }) => ({ widthPt: box.right - box.left, heightPt: box.top - box.bottom }));
}

export function catalogOf(file: PdfFile): PdfDictionary {
  const catalog = file.resolve(file.trailer.get("Root"));
  if (!isDictionary(catalog)) throw new PdfError("the trailer names no catalog");
  return catalog;
}

function hasParent(node: PdfDictionary, parent: number | null): boolean {
  const named = node.get("Parent");
  return parent === null ? named === undefined : isReference(named) && named.number === parent;
}

function pageOf(file: PdfFile, number: number, dictionary: PdfDictionary, inherited: Inherited): Page {
  const resources = file.resolve(inherited.Resources) ?? new Map<string, PdfValue>();
  if (!isDictionary(resources)) throw new PdfError("a page's resources are not a dictionary");
  return { number, dictionary, box: boxOf(file, inherited.MediaBox), resources };
}

function boxOf(file: PdfFile, value: PdfValue | undefined): Box {
  const corners = file.resolve(value);
  if (!Array.isArray(corners)) throw new PdfError("a page has no size");
  const [x0, y0, x1, y1, ...more] = corners.map((corner) => file.resolve(corner)).map(coordinate);
  if (x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined || more.length > 0)
    throw new PdfError("a page's size is malformed");
  const box = { left: Math.min(x0, x1), bottom: Math.min(y0, y1), right: Math.max(x0, x1), top: Math.max(y0, y1) };
  if (box.left === box.right || box.bottom === box.top) throw new PdfError("a page is empty");
  return box;
}

export function coordinate(value: PdfValue): number {
  if (typeof value !== "number" || Math.abs(value) > maxCoordinate)
    throw new PdfError("a coordinate is missing or out of range");
  return value;
}
