// The result of a render, and its derivation from the pool's outcome.
import type { ConformanceProblem } from "colophon-pdf-conformance/problem";
import type { FileMetadata } from "../file-metadata.ts";
import type { RenderOutcome } from "../render-job.ts";

export type RenderResult =
  | { status: "rendered"; metadata: FileMetadata }
  /** The message is for the caller. */
  | { status: "failed"; reason: FailureReason; message: string; cause?: unknown; problems?: ConformanceProblem[] }
  /** No browser page was available. The caller may try again. `mayHaveFile` is true if an earlier attempt crashed. */
  | { status: "no_capacity"; retryAfterSeconds: number; mayHaveFile: boolean };

export type FailureReason = "impossible" | "browser_failed" | "timed_out";

/** `warnings` precede the renderer's warnings. `mayHaveFile` is used only for the result `no_capacity`. */
export function resultOf(outcome: RenderOutcome, warnings: string[], mayHaveFile: boolean): RenderResult {
  switch (outcome.status) {
    case "rendered": {
      const { status: _, ...metadata } = outcome;
      return { status: "rendered", metadata: { ...metadata, warnings: [...warnings, ...metadata.warnings] } };
    }
    case "impossible":
      return { ...failed("impossible", outcome.message), ...(outcome.problems && { problems: outcome.problems }) };
    case "no_capacity":
      return withoutCapacity(outcome.retryAfterSeconds, mayHaveFile);
    case "timed_out":
      return timedOut;
    case "not_permitted":
      return failed("browser_failed", "The render was stopped because the allowance could not be reserved.");
    case "crashed":
      return failed("browser_failed", "The browser failed while rendering the document.");
  }
}

export const timedOut = failed("timed_out", "The render took too long and was stopped.");

export function withoutCapacity(retryAfterSeconds: number, mayHaveFile = false) {
  return { status: "no_capacity", retryAfterSeconds, mayHaveFile } as const;
}

export function failed(reason: FailureReason, message: string, cause?: unknown) {
  return { status: "failed", reason, message, cause } as const;
}
