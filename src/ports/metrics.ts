// The port for measurements, and what is measured of each request and each render. The log gets the same entries. They
// contain ids, constants and numbers, never text from a caller.
import type { DocumentFormat } from "../core/documents/document.ts";
import type { ErrorCode } from "../core/errors.ts";
import type { RenderMeasurements, RenderOutcome } from "../core/rendering/render-job.ts";
import type { StageTimes } from "../core/observation/stage-clock.ts";

/** Records one data point for each call. Never throws. */
export type Metrics = {
  request(entry: RequestEntry): void;
  render(entry: RenderEntry): void;
};

export type RequestEntry = {
  requestId: string;
  /** Null until the request is authenticated. */
  accountId: string | null;
  /** The document that the request created, read or deleted. */
  documentId: string | null;
  method: string;
  /** The pattern of the path, e.g. `/api/v1/documents/:id`. Null for an unknown path. */
  route: string | null;
  status: number;
  /** The code of the error, or null for a success. */
  code: ErrorCode | null;
  /** From the arrival of the request until its response begins. */
  totalMs: number;
  /** The length of the request's body as the caller states it. */
  requestBytes: number | null;
  stages: StageTimes;
};

/** One attempt to render a document. A create makes a second attempt after a crash. */
export type RenderEntry = RenderMeasurements & {
  requestId: string;
  accountId: string;
  documentId: string | null;
  /** 1 or 2. */
  attempt: number;
  outcome: RenderOutcome["status"];
  format: DocumentFormat;
  /** From the call of the renderer until its outcome. */
  totalMs: number;
  markupChars: number;
  /** In bytes; null when there is no file. */
  fileSize: number | null;
  pageCount: number | null;
};
