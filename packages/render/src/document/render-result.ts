// The result of a render, and how the pool's outcome becomes a result.
import type { FileMetadata } from "../file-metadata.ts";
import type { RenderOutcome } from "../render-job.ts";

export type RenderResult =
  | { status: "rendered"; metadata: FileMetadata }
  /** The message is for the caller. */
  | { status: "failed"; reason: FailureReason; message: string; cause?: unknown }
  /** No browser page was available. The caller may try again. `mayHaveFile` is true if an attempt before that has crashed. */
  | { status: "no_capacity"; retryAfterSeconds: number; mayHaveFile: boolean };

export type FailureReason = "impossible" | "browser_failed" | "timed_out";

export function resultOf(outcome: RenderOutcome, warnings: string[]): RenderResult {
  switch (outcome.status) {
    case "rendered": {
      const { status: _, ...metadata } = outcome;
      return { status: "rendered", metadata: { ...metadata, warnings: [...warnings, ...metadata.warnings] } };
    }
    case "impossible":
      return failed("impossible", outcome.message);
    case "no_capacity":
      return withoutCapacity(outcome.retryAfterSeconds);
    case "timed_out":
      return failed("timed_out", "The render took too long and was stopped.");
    case "not_permitted":
      return failed("browser_failed", "The render was stopped because it had no hold.");
    case "crashed":
      return failed("browser_failed", "The browser failed while rendering the document.");
  }
}

export function withoutCapacity(retryAfterSeconds: number): Extract<RenderResult, { status: "no_capacity" }> {
  return { status: "no_capacity", retryAfterSeconds, mayHaveFile: false };
}

export function failed(
  reason: FailureReason,
  message: string,
  cause?: unknown,
): Extract<RenderResult, { status: "failed" }> {
  return { status: "failed", reason, message, cause };
}
