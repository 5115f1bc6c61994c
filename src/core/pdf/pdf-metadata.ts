// Sets the metadata of a PDF, and makes sure that its bytes depend only on the document. Chromium writes the time of
// printing, and numbers table cells with a counter that continues as long as the browser runs. This module overwrites
// the time and the numbers in place. It also appends metadata that Chromium cannot write itself: the author, the
// subject and the keywords. If the file has no tags, it appends the language and the outline too.
import { outlineObjects } from "./pdf-outline.ts";
import { pdfText, readPdf, referenced, withObjects, type PdfFile } from "./pdf-objects.ts";
import type { DocumentMetadata } from "../rendering/prepared-page.ts";

/** The metadata to write. `createdAt` is in ms since the epoch, and `language` is a BCP 47 tag. */
export type PdfMetadata = Omit<DocumentMetadata, "isTagged"> & { createdAt: number; language: string };

/** Returns a new file with the metadata. The title is not changed, because Chromium has already written it. */
export function withMetadata(pdf: Uint8Array, metadata: PdfMetadata): Uint8Array<ArrayBuffer> {
  const file = readPdf(pdf);
  const stamped = withObjects(file, new Map([...infoUpdate(file, metadata), ...catalogUpdate(file, metadata)]));
  const buffer = Buffer.from(stamped.buffer);
  stampDates(buffer, pdfDate(metadata.createdAt));
  renumberNodes(buffer);
  return stamped;
}

/**
 * Returns the information dictionary with the author, subject and keywords added. Returns an empty map when none of
 * them is set.
 */
function infoUpdate(file: PdfFile, { author, subject, keywords }: PdfMetadata): Map<number, string> {
  const number = referenced(file.trailer, /\/Info\s+(\d+)/);
  const entries = Object.entries({ Author: author, Subject: subject, Keywords: keywords })
    .filter(([, text]) => text !== "")
    .map(([key, text]) => `/${key} ${pdfText(text)}`);
  if (entries.length === 0) return new Map();
  return new Map([[number, withEntries(file.object(number), entries)]]);
}

/**
 * Returns the catalog, with the language and the outline added, and the objects of the outline. Returns an empty map for a tagged
 * file, because Chromium has already written the language and the outline.
 */
function catalogUpdate(file: PdfFile, { language, outline }: PdfMetadata): Map<number, string> {
  const number = referenced(file.trailer, /\/Root\s+(\d+)/);
  const catalog = file.object(number);
  if (/\/Lang\b/.test(catalog)) return new Map();
  // Chromium writes destinations only for headings that it prints. Without `/Dests`, an outline would have nothing to
  // refer to.
  const hasOutline = outline.length > 0 && /\/Dests\b/.test(catalog);
  const objects = hasOutline ? outlineObjects(outline, file.size) : new Map<number, string>();
  const entries = [`/Lang ${pdfText(language)}`, ...(hasOutline ? [`/Outlines ${file.size} 0 R`] : [])];
  return objects.set(number, withEntries(catalog, entries));
}

function withEntries(dictionary: string, entries: string[]): string {
  return `${dictionary.slice(0, dictionary.lastIndexOf(">>"))}\n${entries.join("\n")}>>`;
}

/** Returns a PDF date in UTC, in whole seconds. The date has the same length as the dates that it replaces. */
function pdfDate(ms: number): string {
  return `(D:${new Date(ms).toISOString().slice(0, 19).replace(/[-:T]/g, "")}+00'00')`;
}

/**
 * Overwrites the dates in each version of the information dictionary. Parentheses in a title are escaped, so no title
 * is mistaken for a date.
 */
function stampDates(pdf: Buffer, date: string): void {
  for (const key of ["/CreationDate (D:", "/ModDate (D:"]) {
    for (let at = pdf.indexOf(key); at >= 0; at = pdf.indexOf(key, at + 1)) {
      pdf.write(date, at + key.length - "(D:".length, "latin1");
    }
  }
}

const nodeId = /^\(node\d{8}\)/;

/**
 * Renumbers the nodes from 1, in their current order. A table in the PDF is sorted by the names of the nodes, and must
 * stay sorted.
 */
function renumberNodes(pdf: Buffer): void {
  const occurrences: { at: number; id: string }[] = [];
  for (let at = pdf.indexOf("(node"); at >= 0; at = pdf.indexOf("(node", at + 1)) {
    const id = pdf.toString("latin1", at, at + 14);
    if (nodeId.test(id)) occurrences.push({ at, id });
  }
  const ranks = new Map([...new Set(occurrences.map(({ id }) => id))].sort().map((id, index) => [id, index + 1]));
  for (const { at, id } of occurrences)
    pdf.write(String(ranks.get(id)).padStart(8, "0"), at + "(node".length, "latin1");
}
