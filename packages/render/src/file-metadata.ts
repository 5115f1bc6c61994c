import type { ConformanceProblem } from "colophon-pdf-conformance/problem";
// The metadata of a finished file, and the results of a render on a page.
import type { Conformance } from "colophon-pdf/conformance";

/** The size of a complete image in device pixels. */
export type PixelSize = { width: number; height: number };

/** The properties that identify a stored file's content. `sha256` is in hexadecimal. */
export type StoredFile = { fileSize: number; sha256: string };

/**
 * The properties of a file that its render determines. `width` and `height` are the size of a PDF's first page, or of the first page
 * file's box in an image, in whole CSS pixels. `imageSize` is null for a PDF.
 */
export type FileMetadata = StoredFile & {
  pageCount: number;
  width: number;
  height: number;
  imageSize: PixelSize | null;
  /** The standards that the file conforms to; absent if none was asked for. */
  conformance?: readonly Conformance[];
  warnings: string[];
};

export const maxFileBytes = 25_000_000;

/** A file and its properties; see `FileMetadata`. */
export type RenderedFile = Omit<FileMetadata, "fileSize" | "sha256"> & { bytes: Uint8Array<ArrayBuffer> };

/** If the outcome has no file, the page is still usable. */
export type PageOutcome =
  | ({ status: "rendered" } & RenderedFile)
  | { status: "impossible"; message: string; problems?: ConformanceProblem[] }
  /** The headers and footers that read `page` were not available; see `PageMargins`. */
  | { status: "timed_out" }
  | { status: "crashed"; reason: string };

export function tooLarge(): Extract<PageOutcome, { status: "impossible" }> {
  return {
    status: "impossible",
    message: `The file would be larger than ${maxFileBytes / 1e6} MB. Use smaller images or split the document.`,
  };
}
