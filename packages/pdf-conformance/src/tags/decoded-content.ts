// Reads the content streams of pages and forms, and the maps of fonts.
import { decodedData, streamAt, type PdfFile } from "colophon-pdf/open-pdf";
import type { Page } from "colophon-pdf/page-tree";
import { PdfError } from "colophon-pdf/pdf-error";
import { isReference, type PdfDictionary } from "colophon-pdf/values";

/** The content of a page or a form: the number of its stream, and its resources. */
export type Place = { stream: number; resources: PdfDictionary };

/** Returns the content of pages and forms by their numbers. `forms` has the resources of each form. */
export function placesOf(pages: readonly Page[], forms: ReadonlyMap<number, PdfDictionary>): Map<number, Place> {
  const places = new Map<number, Place>();
  for (const { number, dictionary, resources } of pages) {
    const contents = dictionary.get("Contents");
    if (isReference(contents)) places.set(number, { stream: contents.number, resources });
  }
  for (const [stream, resources] of forms) places.set(stream, { stream, resources });
  return places;
}

/** Far more than a page of text; a page with drawings may have this much. */
const maxContentBytes = 32_000_000;

export function decodedContent(file: PdfFile, number: number): { dictionary: PdfDictionary; bytes: Uint8Array } {
  const extent = file.extent(number);
  if (!extent?.isStream) throw new PdfError("the content of a page is not a single stream");
  const stream = streamAt(file, extent);
  const bytes = decodedData(stream, maxContentBytes);
  if (!bytes) throw new PdfError("the content of a page cannot be decoded");
  return { dictionary: stream.dictionary, bytes };
}
