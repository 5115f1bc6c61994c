// The input and the output of the page script (`src/page`). Both are sent as JSON over the DevTools protocol.
import type { DocumentFormat } from "../documents/document.ts";
import type { Margin } from "./page-geometry.ts";

export type PrepareInput = {
  format: DocumentFormat;
  /** The page size in CSS pixels. */
  pageWidth: number;
  pageHeight: number;
  margin: Margin;
  limits: RenderLimits;
  /**
   * All the markup of the document except the first `commonHeadElements` elements of its head, which are already
   * loaded.
   */
  content: string;
  commonHeadElements: number;
};

export type RenderLimits = {
  /** An image with more pixels is left empty. */
  maxImagePixels: number;
  /** An image that is wider than this is redrawn at this width; null leaves all images as they are. */
  maxImageWidthPx: number | null;
  /** A PDF with more elements than this is printed without tags. Null for a format that has no tags. */
  maxTaggedElements: number | null;
};

/** A heading of the document. `level` is 1 to 6. `name` is the name of its destination in the PDF. */
export type Heading = { level: number; text: string; name: string };

/** A section of the document. `name` is the name of the destination at which it starts in the PDF. */
export type Section = { title: string; name: string };

/**
 * The metadata of a document except its title. It comes from the `<meta name>` elements, the headings and the sections.
 * A missing value is an empty string.
 */
export type DocumentMetadata = {
  author: string;
  subject: string;
  keywords: string;
  isTagged: boolean;
  /** The headings for the outline of a PDF; empty for a PNG. */
  outline: Heading[];
  /** The sections of a PDF in the order in which they start; empty for a PNG. */
  sections: Section[];
};

/** The result of preparing a page. If the page cannot be prepared, the message is for the caller. */
export type PagePreparation =
  | { status: "prepared"; prepared: PreparedPage }
  | { status: "impossible"; message: string };

/** The size of the document that will be printed. `pages` is an estimate from the layout on the screen. */
export type PrintEstimate = { elements: number; pages: number };

export type PreparedPage = {
  /** Null for a PNG. */
  print: PrintEstimate | null;
  /** The height of each page file's box in CSS pixels; empty for a PDF. */
  boxHeights: number[];
  metadata: DocumentMetadata;
  /** Sentences for the document's `warnings`. */
  warnings: string[];
};
