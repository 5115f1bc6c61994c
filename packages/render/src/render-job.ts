// A job for the renderer, and its outcome.
import type { DocumentFace } from "colophon-fonts/font-index";
import type { DocumentFormat } from "colophon-page/document-format";
import type { Margin, PageGeometry } from "colophon-page/page-geometry";
import type { ConformanceProblem } from "colophon-pdf-conformance/problem";
import type { AttachedFiles } from "colophon-pdf/attachments";
import type { Conformance } from "colophon-pdf/conformance";
import type { PdfEncryption } from "colophon-pdf/encryption";
import type { JobMarkup } from "colophon-template-model/document-html";
import type { Viewer } from "colophon-template-model/template";
import type { FileMetadata } from "./file-metadata.ts";

/** The position of a render in a batch. If many renders are `waiting`, they are spread over browsers by `index`. */
export type BatchPosition = { index: number; waiting: number };

export type RenderJob = JobMarkup & {
  accountId: string;
  /** Identifies `css` and `styleFiles`, which are the same in all of the account's jobs with this hash. */
  templateHash: string;
  /** The faces of the service's fonts, in order of preference. */
  fonts: DocumentFace[];
  /** The names of the hyphenation patterns for the document's languages; null if no style divides words. */
  hyphenation: string[] | null;
  format: DocumentFormat;
  page: PageGeometry;
  margin: Margin;
  deviceScaleFactor: number;
  /** Whether content that is cut off or shrunk causes a warning or fails the render. */
  overflow: "warning" | "error";
  /** From 1 to 100; null if the format has no quality setting. */
  imageQuality: number | null;
  fileKey: string;
  /** Only for a render that no request waits for. */
  batchPosition?: BatchPosition;
  /** Whether the file gets a watermark. */
  isTest?: boolean;
  /** The standards that a PDF must conform to. */
  conformance?: readonly Conformance[];
  /** Only for a PDF. A job is never logged or stored, because it has the passwords. */
  encryption?: PdfEncryption;
  /** Only for a PDF. */
  attached?: AttachedFiles;
  /** Metadata that is written only into a PDF. `createdAt` is in ms since the epoch, and `language` is a BCP 47 tag. */
  metadata: { createdAt: number; language: string; viewer?: Viewer | undefined };
  /** The time left for this attempt before the deadline of the create. */
  timeoutMs: number;
  /** Whether another attempt follows if this one crashes. */
  mayRetry: boolean;
};

export type RenderOutcome =
  | ({ status: "rendered" } & FileMetadata)
  /** The document cannot be created from this template and data. The message is for the caller. */
  | { status: "impossible"; message: string; problems?: ConformanceProblem[] }
  /** The render was refused and stored nothing. */
  | { status: "no_capacity"; retryAfterSeconds: number }
  | { status: "timed_out" }
  /** `mayStore` has resolved with false. */
  | { status: "not_permitted" }
  /** The browser or its session failed. A retry uses a new session. The reason is for the log; see `loggableReason`. */
  | { status: "crashed"; reason: string };

/** The pool's measurements of an attempt. Values are null if the attempt ended before they were known. Times are in ms. */
export type RenderMeasurements = {
  /** The name of the pool. */
  pool: string | null;
  /** E.g. `HeadlessChrome/128.0.6613.84`. */
  browserVersion: string | null;
  /** Whether the browser had rendered before. */
  isSessionReused: boolean | null;
  /** Waiting for admission. */
  queueMs: number | null;
  /** Waiting for the browser, which takes longer only if it must be started. */
  sessionMs: number | null;
  /** The browser's work. */
  browserMs: number | null;
  /** Storing the file. */
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
