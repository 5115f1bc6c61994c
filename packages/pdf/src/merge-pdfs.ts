// Makes one PDF of many that `assemble-pdf` has written. It is written as a stream: only a few numbers of each part stay in
// memory. The same input gives the same bytes.
import { openFinishedPdf } from "./file/open-finished-pdf.ts";
import { pdfWriter } from "./file/pdf-writer.ts";
import { copyFile, once } from "./parts/copied-file.ts";
import { writeEnd, type MergedPart } from "./parts/merged-end.ts";
import { infoEntry } from "./parts/metadata.ts";
import { sharedStreams } from "./parts/shared-streams.ts";
import { PdfError } from "./syntax/pdf-error.ts";

/** `language` is a BCP 47 tag; null if the parts have several. Each part keeps its own. `createdAt` is in ms since the epoch. */
export type MergeOptions = { title: string; language: string | null; createdAt: number };

export type PdfMerger = {
  /**
   * Returns the bytes to append to the file. The entry `bookmark` of the outline leads to the first page of the part, and the
   * part's own outline is below it. Throws `PdfError` if the part is malformed; the merger cannot be used afterwards.
   */
  add(part: Uint8Array, bookmark: string): { bytes: Uint8Array<ArrayBuffer>; pageCount: number };
  /** Returns the end of the file. Throws `PdfError` if there is no part. May be called once. */
  finish(): Uint8Array<ArrayBuffer>;
};

export function pdfMerger({ title, language, createdAt }: MergeOptions): PdfMerger {
  const writer = pdfWriter();
  const sharedNumber = sharedStreams();
  const parts: MergedPart[] = [];
  let used = { object: once.catalog, parentKey: 0, id: 0 };
  let programs = { creator: "", producer: "" };
  return {
    add(part, bookmark) {
      const file = openFinishedPdf(part);
      const result = copyFile(file, used, { writer, sharedNumber });
      const { bytes, nextNumber } = writer.flush(result.used.object + 1);
      used = { ...result.used, object: nextNumber - 1 };
      if (parts.length === 0) programs = { creator: infoEntry(file, "Creator"), producer: infoEntry(file, "Producer") };
      parts.push({ ...result.copied, title: bookmark });
      return { bytes, pageCount: result.copied.pageCount };
    },
    finish() {
      if (parts.length === 0) throw new PdfError("a merged file needs at least one part");
      const texts = { title, language: language ?? "", author: "", subject: "", keywords: "" };
      writeEnd(writer, parts, { ...texts, ...programs, createdAt });
      return writer.finish({ root: once.catalog, info: once.info, nextNumber: used.object + 1 });
    },
  };
}
