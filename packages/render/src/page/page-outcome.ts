// What a render on a page can result in, and the limit on the size of a file.
import type { FileMetadata } from "../file-metadata.ts";

export const maxFileBytes = 25_000_000;

/** A file and its properties; see `FileMetadata`. */
export type RenderedFile = Omit<FileMetadata, "fileSize" | "sha256"> & { bytes: Uint8Array<ArrayBuffer> };

/** After an outcome without a file, the page is still usable. */
export type PageOutcome =
  | ({ status: "rendered" } & RenderedFile)
  | { status: "impossible"; message: string }
  /** The headers and footers that read `page` were not available; see `PageMargins`. */
  | { status: "timed_out" }
  | { status: "crashed"; reason: string };

export function tooLarge(): Extract<PageOutcome, { status: "impossible" }> {
  return {
    status: "impossible",
    message: `The file would be larger than ${maxFileBytes / 1e6} MB. Use smaller images or split the document.`,
  };
}
