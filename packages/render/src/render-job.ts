// A job for the renderer, and its outcome.
import type { FileMetadata } from "./file-metadata.ts";
import type { Margin, PageGeometry } from "colophon-page/page-geometry";
import type { DocumentFormat } from "colophon-page/document-format";
import type { JobMarkup } from "colophon-template-model/document-html";
import type { DocumentFace } from "colophon-fonts/font-index";

/** When many such renders are `waiting`, they are spread over browsers by `index`. */
export type Spread = { index: number; waiting: number };

export type RenderJob = JobMarkup & {
  accountId: string;
  /** Identifies `css` and `styleFiles`: they are the same in all jobs of the account with the same hash. */
  templateHash: string;
  /** The faces of the service's fonts, the preferred ones first. */
  fonts: DocumentFace[];
  format: DocumentFormat;
  page: PageGeometry;
  margin: Margin;
  deviceScaleFactor: number;
  /** Whether content that is cut off or shrunk is a warning or fails the render. */
  overflow: "warning" | "error";
  /** From 1 to 100; null for a format without a quality. */
  imageQuality: number | null;
  fileKey: string;
  /** For a render that nobody waits for. */
  spread?: Spread;
  /** Whether the file gets a watermark. */
  isTest?: boolean;
  /** Metadata that is written only into a PDF. `createdAt` is in ms since the epoch, and `language` is a BCP 47 tag. */
  metadata: { createdAt: number; language: string };
  /** The time that is left for this attempt before the deadline of the create request. */
  timeoutMs: number;
  /** Whether another attempt follows if this one crashes. */
  mayRetry: boolean;
};

export type RenderOutcome =
  | ({ status: "rendered" } & FileMetadata)
  /** The document cannot be made from this template and data. The message is for the caller. */
  | { status: "impossible"; message: string }
  /** The render was refused and has left nothing. */
  | { status: "no_capacity"; retryAfterSeconds: number }
  | { status: "timed_out" }
  /** `mayStore` has resolved with false. */
  | { status: "not_permitted" }
  /** The browser or its session failed. A retry gets a new session. The reason is for the log; see `loggableReason`. */
  | { status: "crashed"; reason: string };

/** The pool's measurements of one attempt. Values are null when the attempt ended before they were known. Times are in ms. */
export type RenderMeasurements = {
  /** The name of the pool. */
  pool: string | null;
  /** E.g. `HeadlessChrome/128.0.6613.84`. */
  browserVersion: string | null;
  /** Whether the browser had rendered before. */
  isSessionReused: boolean | null;
  /** The wait for admission. */
  queueMs: number | null;
  /** The wait for the browser, which is more than a moment only if it had to be started. */
  sessionMs: number | null;
  /** The work of the browser. */
  browserMs: number | null;
  /** The storage of the file. */
  putMs: number | null;
};

export function noMeasurements(pool: string | null = null): RenderMeasurements {
  return {
    pool,
    browserVersion: null,
    isSessionReused: null,
    queueMs: null,
    sessionMs: null,
    browserMs: null,
    putMs: null,
  };
}
