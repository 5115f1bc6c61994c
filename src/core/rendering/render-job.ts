// What the renderer is asked for, and what it answers.
import type { DocumentFormat, FileMetadata } from "../documents/document.ts";
import type { Margin, PageGeometry } from "./page-geometry.ts";

export type RenderJob = {
  accountId: string;
  html: string;
  /** The beginning of `html` that the account's other documents of this template have too. */
  headChars: number;
  format: DocumentFormat;
  page: PageGeometry;
  margin: Margin;
  deviceScaleFactor: number;
  fileKey: string;
  /** Of the document, as a PDF tells it: ms since the epoch, BCP 47. */
  metadata: { createdAt: number; language: string };
  /** Characters of markup without inlined files: tells how large the output may get. */
  markupChars: number;
  /** What is left of the create's time, ms. */
  timeoutMs: number;
};

export type RenderOutcome =
  | ({ status: "rendered" } & FileMetadata)
  /** The document cannot be made from this template and data; the message is for the caller. */
  | { status: "impossible"; message: string }
  | { status: "no_capacity"; retryAfterSeconds: number }
  | { status: "timed_out" }
  /** The browser or its session failed; the next try gets a fresh one. */
  | { status: "crashed"; reason: string };
