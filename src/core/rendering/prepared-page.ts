// What the page script (`src/page`) is given and what it returns; both cross the DevTools protocol as JSON.
import type { DocumentFormat } from "../documents/document.ts";
import type { Margin } from "./page-geometry.ts";

export type PrepareInput = {
  format: DocumentFormat;
  /** CSS pixels. */
  pageWidth: number;
  margin: Margin;
  limits: RenderLimits;
  /** All the markup but for the `commonHeadElements`, which are loaded. */
  content: string;
  commonHeadElements: number;
};

export type RenderLimits = {
  /** An image of more pixels is left out. */
  maxImagePixels: number;
  /** An image of more pixels across is redrawn; null leaves all as they are. */
  maxImageWidthPx: number | null;
  /** A document of more elements is printed without tags; null where there are none anyway. */
  maxTaggedElements: number | null;
};

/** `level` 1 to 6; `name` is its destination in the PDF, of letters, digits and `-`. */
export type Heading = { level: number; text: string; name: string };

/** What a document says of itself beside its title, by `<meta name>` and headings; empty strings where it says nothing. */
export type DocumentMetadata = {
  author: string;
  subject: string;
  keywords: string;
  isTagged: boolean;
  /** Only of a document without tags: out of tags Chromium makes the outline itself. */
  outline: Heading[];
};

export type PreparedPage = {
  /** PNG: the height of each page file's box, CSS pixels. */
  boxHeights: number[];
  metadata: DocumentMetadata;
  /** Sentences for the document's `warnings`. */
  warnings: string[];
};
