// Counts the pages of a PDF as Chromium writes it.
import { readPdf, referenced } from "./pdf-objects.ts";

/** Returns the number of pages. Throws when the bytes are not a PDF that Chromium has written. */
export function pdfPageCount(pdf: Uint8Array): number {
  try {
    const file = readPdf(pdf);
    const catalog = file.object(referenced(file.trailer, /\/Root\s+(\d+)/));
    const root = file.object(referenced(catalog, /\/Pages\s+(\d+)/));
    const count = referenced(root, /\/Count\s+(\d+)/);
    if (Number.isNaN(count)) throw new Error("the root of the page tree has no count");
    return count;
  } catch (cause) {
    throw new Error("the PDF's page tree cannot be read", { cause });
  }
}
