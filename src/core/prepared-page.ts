// What goes into the page script (`in-page/prepare-page.ts`) and what comes back, through CDP as JSON.
import type { DocumentFormat } from "./document.ts";
import type { Margin } from "./page-geometry.ts";

export type PrepareInput = {
  format: DocumentFormat;
  /** CSS pixels. */
  pageWidth: number;
  margin: Margin;
};

export type PreparedPage = {
  /** PNG: the height of each page file's box, CSS pixels. */
  boxHeights: number[];
  /** Sentences for the document's `warnings`. */
  warnings: string[];
};
