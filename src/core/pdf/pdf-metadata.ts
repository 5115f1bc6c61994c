// What a PDF says about itself, and that the same document is the same bytes. Chromium writes the time of the print, and
// numbers table cells (which headers name) on through a browser's life: both are overwritten in place, so nothing moves.
// What it cannot be told (author, subject, the language and outline of an untagged file) is appended as an update.
import { outlineObjects } from "./pdf-outline.ts";
import { pdfText, readPdf, referenced, withObjects, type PdfFile } from "./pdf-objects.ts";
import type { DocumentMetadata } from "../rendering/prepared-page.ts";

/** `createdAt` in ms since the epoch, `language` BCP 47. */
export type PdfMetadata = Omit<DocumentMetadata, "isTagged"> & { createdAt: number; language: string };

/** A new file; takes its time from the copy of the bytes, not from reading them. The title is there already. */
export function withMetadata(pdf: Uint8Array, metadata: PdfMetadata): Uint8Array<ArrayBuffer> {
  const file = readPdf(pdf);
  const stamped = withObjects(file, new Map([...infoUpdate(file, metadata), ...catalogUpdate(file, metadata)]));
  const buffer = Buffer.from(stamped.buffer);
  stampDates(buffer, pdfDate(metadata.createdAt));
  renumberNodes(buffer);
  return stamped;
}

/** The same dictionary with the entries that Chromium has no way to be told. */
function infoUpdate(file: PdfFile, { author, subject, keywords }: PdfMetadata): Map<number, string> {
  const number = referenced(file.trailer, /\/Info\s+(\d+)/);
  const entries = Object.entries({ Author: author, Subject: subject, Keywords: keywords })
    .filter(([, text]) => text !== "")
    .map(([key, text]) => `/${key} ${pdfText(text)}`);
  if (entries.length === 0) return new Map();
  return new Map([[number, withEntries(file.object(number), entries)]]);
}

/** A tagged file has its language and outline from Chromium. */
function catalogUpdate(file: PdfFile, { language, outline }: PdfMetadata): Map<number, string> {
  const number = referenced(file.trailer, /\/Root\s+(\d+)/);
  const catalog = file.object(number);
  if (/\/Lang\b/.test(catalog)) return new Map();
  // Destinations are only there for headings that were printed.
  const hasOutline = outline.length > 0 && /\/Dests\b/.test(catalog);
  const objects = hasOutline ? outlineObjects(outline, file.size) : new Map<number, string>();
  const entries = [`/Lang ${pdfText(language)}`, ...(hasOutline ? [`/Outlines ${file.size} 0 R`] : [])];
  return objects.set(number, withEntries(catalog, entries));
}

function withEntries(dictionary: string, entries: string[]): string {
  return `${dictionary.slice(0, dictionary.lastIndexOf(">>"))}\n${entries.join("\n")}>>`;
}

/** Whole seconds, UTC; as long as the ones it replaces. */
function pdfDate(ms: number): string {
  return `(D:${new Date(ms).toISOString().slice(0, 19).replace(/[-:T]/g, "")}+00'00')`;
}

/** In each version of the information dictionary. Parentheses inside a title are escaped, so a date there is not met. */
function stampDates(pdf: Buffer, date: string): void {
  for (const key of ["/CreationDate (D:", "/ModDate (D:"]) {
    for (let at = pdf.indexOf(key); at >= 0; at = pdf.indexOf(key, at + 1)) {
      pdf.write(date, at + key.length - "(D:".length, "latin1");
    }
  }
}

const nodeId = /^\(node\d{8}\)/;

/** Numbers from 1, in the same order: the table of names that the file may have of them stays sorted. */
function renumberNodes(pdf: Buffer): void {
  const places: { at: number; id: string }[] = [];
  for (let at = pdf.indexOf("(node"); at >= 0; at = pdf.indexOf("(node", at + 1)) {
    const id = pdf.toString("latin1", at, at + 14);
    if (nodeId.test(id)) places.push({ at, id });
  }
  const ranks = new Map([...new Set(places.map(({ id }) => id))].sort().map((id, index) => [id, index + 1]));
  for (const { at, id } of places) pdf.write(String(ranks.get(id)).padStart(8, "0"), at + "(node".length, "latin1");
}
