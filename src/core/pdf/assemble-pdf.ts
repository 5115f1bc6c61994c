// Makes the finished PDF from what the browser has printed: the body, and the sheets with headers and footers. It adds the
// outline and the metadata, checks the annotations, and writes a small file. The same input gives the same bytes.
import type { Heading } from "../rendering/prepared-page.ts";
import { readDestinations, type ContentArea, type Destination } from "./file/destinations.ts";
import { streamAt, type PdfFile } from "./file/open-pdf.ts";
import { readPageTree, type Page, type PageTree } from "./file/page-tree.ts";
import type { Deflate } from "./file/object-streams.ts";
import { pdfWriter, type PdfWriter } from "./file/pdf-writer.ts";
import { changePages, type ChangedObjects } from "./parts/body-pages.ts";
import { catalogSource, infoSource, writtenMetadata, xmpPacket, type PdfMetadata } from "./parts/metadata.ts";
import { nodeRenumbering } from "./parts/node-ids.ts";
import { outlineObjects } from "./parts/outline.ts";
import type { Sheets } from "./parts/sheets.ts";
import { stampWriter } from "./parts/stamps.ts";
import { valueCopier } from "./syntax/copy-value.ts";
import { PdfError } from "./syntax/pdf-error.ts";
import { isDictionary, isReference, nameSource, numberSource, sourceOf } from "./syntax/values.ts";

export type AssemblyInput = {
  body: PdfFile;
  /** Null for a document without headers and footers. */
  sheets: Sheets | null;
  metadata: PdfMetadata;
  /** The headings for the outline. Those without a destination in the body are left out. */
  headings: Heading[];
  area: ContentArea;
  deflate: Deflate;
};

export type AssembledPdf = {
  bytes: Uint8Array<ArrayBuffer>;
  /** The number of links whose target was removed, because it is not allowed. */
  removedLinks: number;
};

/** Throws `PdfError` if one of the files is malformed. */
export function assemblePdf({ body, sheets, metadata, headings, area, deflate }: AssemblyInput): AssembledPdf {
  const tree = readPageTree(body);
  const { pages } = tree;
  if (sheets && sheets.ofPage.length !== pages.length)
    throw new PdfError("the sheets are for another number of pages than the body has");
  const found = readDestinations(body, pages, area);
  const writer = pdfWriter(deflate);
  let nextNumber = body.size;
  const newNumber = () => nextNumber++;
  const stamps = sheets && stampWriter({ writer, body, sheets, newNumber, destinations: found });
  const changed = changePages(body, tree, stamps?.stampOf ?? (() => null));
  copyBody(writer, body, tree, changed);
  const addObject = (source: string): number => {
    const number = newNumber();
    writer.addObject(number, source);
    return number;
  };
  const destinations = found.size > 0 ? addObject(destinationsSource(found, pages)) : null;
  const written = writtenMetadata(body, metadata);
  const info = addObject(infoSource(written));
  const [outline = null] = outlineObjects(headings, found, nextNumber).map(addObject);
  const xmp = newNumber();
  writer.addStream(xmp, "/Type/Metadata/Subtype/XML", xmpPacket(written));
  const root = addObject(catalogSource(body, written, { outline, xmp, destinations }));
  const bytes = writer.finish({ root, info, nextNumber });
  return { bytes, removedLinks: changed.removedLinks + (stamps?.removedLinks ?? 0) };
}

/**
 * Copies the objects of the body under their own numbers. The information, the catalog and the destinations are left
 * out, because new ones take their places.
 */
function copyBody(writer: PdfWriter, body: PdfFile, { nodes }: PageTree, { objects }: ChangedObjects): void {
  const renumberNode = nodeRenumbering(body.bytes);
  const copy = valueCopier(body.bytes, renumberNode ? { renumberNode } : {});
  const replaced = replacedObjects(body);
  for (let number = 1; number < body.size; number++) {
    const extent = body.extent(number);
    const changed = objects.get(number);
    if (!extent) continue;
    if (changed !== undefined) writer.addObject(number, sourceOf(changed));
    else if (replaced.has(number) && !nodes.has(number)) continue;
    else if (extent.isStream) {
      streamAt(body, extent);
      writer.addStreamSource(number, body.bytes.subarray(extent.from, extent.to));
    } else writer.addObject(number, (sink) => copy(sink, extent.sourceFrom, extent.sourceTo));
  }
}

function replacedObjects(body: PdfFile): Set<number> {
  const { trailer } = body;
  const root = trailer.get("Root");
  if (!isReference(root)) throw new PdfError("the trailer names no catalog");
  const catalog = body.resolve(root);
  const values = [root, trailer.get("Info"), isDictionary(catalog) ? catalog.get("Dests") : undefined];
  return new Set(values.filter(isReference).map(({ number }) => number));
}

/** Returns the dictionary of the destinations, in the order of their names: Chromium writes them in any order. */
function destinationsSource(destinations: Map<string, Destination>, pages: Page[]): string {
  const names = [...destinations.keys()].sort();
  const entries = names.map((name) => {
    const { page, xPt, yPt } = destinations.get(name) ?? { page: 0, xPt: 0, yPt: 0 };
    const [x, y] = [xPt, yPt].map((points) => numberSource(Math.round(points * 1_000) / 1_000));
    return `${nameSource(name)}[${pages[page]?.number} 0 R/XYZ ${x} ${y} 0]`;
  });
  return `<<${entries.join("")}>>`;
}
