// A job for the renderer, and its outcome.
import type { DocumentFormat, FileMetadata } from "../documents/document.ts";
import type { Margin, PageGeometry } from "./page-geometry.ts";

export type RenderJob = {
  accountId: string;
  html: string;
  /** The length of the beginning of `html` that the account's other documents of this template share. */
  headChars: number;
  format: DocumentFormat;
  page: PageGeometry;
  margin: Margin;
  deviceScaleFactor: number;
  fileKey: string;
  /** For the PDF: `createdAt` in ms since the epoch, `language` as a BCP 47 tag. */
  metadata: { createdAt: number; language: string };
  /** Characters of markup without inlined files, to estimate the size of the output. */
  markupChars: number;
  /** The time left in the create's budget. */
  timeoutMs: number;
};

export type RenderOutcome =
  | ({ status: "rendered" } & FileMetadata)
  /** The document cannot be made from this template and data; the message is for the caller. */
  | { status: "impossible"; message: string }
  | { status: "no_capacity"; retryAfterSeconds: number }
  | { status: "timed_out" }
  /** The browser or its session failed; the next attempt gets a new session. */
  | { status: "crashed"; reason: string };
