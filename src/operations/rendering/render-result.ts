// What a render results in, and how the outcome of the pool becomes such a result.
import type { FileMetadata } from "../../core/documents/document.ts";
import { noCapacity, renderFailed, type ServiceError } from "../../core/errors.ts";
import type { PoolRefusal, RenderOutcome } from "../../core/rendering/render-job.ts";

export type RenderResult =
  | { status: "rendered"; metadata: FileMetadata }
  | { status: "failed"; error: ServiceError }
  /**
   * No browser page was available. The caller may try again. `refusal` is present if a pool has refused the render because
   * of its queue. `mayHaveFile` is true if an attempt before that has crashed.
   */
  | { status: "no_capacity"; error: ServiceError; refusal?: PoolRefusal; mayHaveFile: boolean };

export function resultOf(outcome: RenderOutcome, warnings: string[]): RenderResult {
  switch (outcome.status) {
    case "rendered": {
      const { status: _, ...metadata } = outcome;
      return { status: "rendered", metadata: { ...metadata, warnings: [...warnings, ...metadata.warnings] } };
    }
    case "impossible":
      return failed(422, outcome.message);
    case "no_capacity": {
      const { retryAfterSeconds, queue } = outcome;
      return withoutCapacity(retryAfterSeconds, queue ? { retryAfterSeconds, queue } : null);
    }
    case "timed_out":
      return failed(504, "The render took too long and was stopped.");
    case "crashed":
      return failed(502, "The browser failed while rendering the document.");
  }
}

/** `refusal` is null if it was not a pool that has refused the render. */
export function withoutCapacity(
  retryAfterSeconds: number,
  refusal: PoolRefusal | null,
): Extract<RenderResult, { status: "no_capacity" }> {
  const error = noCapacity(retryAfterSeconds);
  return { status: "no_capacity", error, ...(refusal ? { refusal } : {}), mayHaveFile: false };
}

export function failed(status: 422 | 502 | 504, message: string): RenderResult {
  return { status: "failed", error: renderFailed(status, message) };
}
