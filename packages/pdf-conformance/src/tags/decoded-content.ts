// Reads the content streams of pages and forms, and the maps of fonts.
import { inflate, streamAt, type PdfFile } from "colophon-pdf/open-pdf";
import { PdfError } from "colophon-pdf/pdf-error";
import { isName, type PdfDictionary } from "colophon-pdf/values";

/** Far more than a page of text; a page with drawings may have this much. */
const maxContentBytes = 32_000_000;

export function decodedContent(file: PdfFile, number: number): { dictionary: PdfDictionary; bytes: Uint8Array } {
  const extent = file.extent(number);
  if (!extent?.isStream) throw new PdfError("the content of a page is not a single stream");
  const { dictionary, data } = streamAt(file, extent);
  const filter = dictionary.get("Filter");
  const isDeflated = isName(filter) && filter.text === "FlateDecode" && !dictionary.has("DecodeParms");
  const bytes = isDeflated ? inflate(data, maxContentBytes) : filter === undefined ? data : null;
  if (!bytes) throw new PdfError("the content of a page cannot be decoded");
  return { dictionary, bytes };
}
