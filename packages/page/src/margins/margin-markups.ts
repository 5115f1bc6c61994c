// The headers and footers of a document, as markup.
import type { DocumentFace } from "colophon-fonts/font-index";
import type { InlinedFile } from "../content/resolve-files.ts";

/**
 * A header's or footer's markup, as HTML. It is parsed separately, so it cannot affect the rest of the document. If it reads `page`, it is an
 * example.
 */
export type MarginContent = { edge: "header" | "footer"; markup: string; readsPage?: boolean };

/** The headers and footers of all pages. Each markup is listed once, however many pages show it. */
export type MarginMarkups = {
  /** HTML with placeholders instead of files; see `resolveFiles`. */
  markups: string[];
  /** For each page, the index of its header in `markups`. Null if no header reads `page`. */
  headerOfPage: number[] | null;
  /** For each page, the index of its footer in `markups`. Null if no footer reads `page`. */
  footerOfPage: number[] | null;
  /** The files in `markups`, except files that also occur in the rest of the document. */
  files: InlinedFile[];
  /** The service's faces for the document and these markups. Absent if the document needs the same faces. */
  fonts?: DocumentFace[];
};
