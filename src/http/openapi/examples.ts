// Requests and responses that a test has recorded, as examples in the API's description.
import type { EndedStatus } from "../../core/documents/document.ts";

export type Examples = {
  /** The bodies of requests by `operationId`. */
  bodies: Record<string, unknown>;
  /** JSON responses by `operationId`. */
  responses: Record<string, unknown>;
  /** Error responses by `ErrorName`. */
  errors: Record<string, unknown>;
  webhooks: Record<EndedStatus | "batchCompleted", unknown>;
};
