// The headers and footers of a document, as markup.
import type { DocumentFace } from "colophon-fonts/font-index";
import type { InlinedFile } from "../content/resolve-files.ts";

/** The markup of a header or footer, as HTML. It is parsed separately, so it cannot affect the rest of the document. */
export type MarginContent = { edge: "header" | "footer"; markup: string };

/** The headers and footers of all pages. Each markup occurs once, however many pages show it. */
export type MarginMarkups = {
  /** HTML with placeholders instead of files; see `resolveFiles`. */
  markups: string[];
  /** The index in `markups` of the header of each page. Null when there is no header that reads `page`. */
  headerOfPage: number[] | null;
  /** The index in `markups` of the footer of each page. Null when there is no footer that reads `page`. */
  footerOfPage: number[] | null;
  /** Each file that occurs in `markups`, except the files of the rest of the document. */
  files: InlinedFile[];
  /** The faces of the service's fonts for the document and these markups. Absent if the document has the same faces. */
  fonts?: DocumentFace[];
};
