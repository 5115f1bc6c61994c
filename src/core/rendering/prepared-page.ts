// The input and the output of the page script (`src/page`); both cross the DevTools protocol as JSON.
import type { DocumentFormat } from "../documents/document.ts";
import type { Margin } from "./page-geometry.ts";

export type PrepareInput = {
  format: DocumentFormat;
  /** CSS pixels. */
  pageWidth: number;
  margin: Margin;
  limits: RenderLimits;
  /** All the markup except the first `commonHeadElements` elements of the head, which are already loaded. */
  content: string;
  commonHeadElements: number;
};

export type RenderLimits = {
  /** An image with more pixels is left empty. */
  maxImagePixels: number;
  /** An image that is wider than this is redrawn at this width; null leaves all images as they are. */
  maxImageWidthPx: number | null;
  /** A document with more elements is printed without tags; null for a format without tags. */
  maxTaggedElements: number | null;
};

/** `level` is 1 to 6; `name` is the destination in the PDF and consists of letters, digits and `-`. */
export type Heading = { level: number; text: string; name: string };

/** The metadata of a document besides its title, from `<meta name>` and headings. A missing value is an empty string. */
export type DocumentMetadata = {
  author: string;
  subject: string;
  keywords: string;
  isTagged: boolean;
  /** Empty for a document with tags, from which Chromium makes the outline itself. */
  outline: Heading[];
};

export type PreparedPage = {
  /** The height of each page file's box in CSS pixels; empty for a PDF. */
  boxHeights: number[];
  metadata: DocumentMetadata;
  /** Sentences for the document's `warnings`. */
  warnings: string[];
};
