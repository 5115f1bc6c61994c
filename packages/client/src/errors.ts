// The errors of the client. Code that catches a `ColophonError` can switch on its `code`, from a closed list. No error contains
// the API key.
import { errorCodes } from "./api.generated.ts";
import type { ErrorCode, ErrorDetail } from "./api.ts";

/** Codes that come from the client, not from the API. */
export type ClientErrorCode =
  /** The service could not be reached, or the connection was lost. */
  | "CONNECTION_FAILED"
  /** There was no complete response in time. */
  | "TIMEOUT"
  /** The response is not from this API, for example a proxy's page. */
  | "UNEXPECTED_RESPONSE"
  /** The service gave a code that this version of the client does not know. The message begins with that code. */
  | "UNKNOWN_CODE";

/** Why a request failed: a code of the API or of the client. */
export type ColophonErrorCode = ErrorCode | ClientErrorCode;

type Properties = {
  code: ColophonErrorCode;
  status?: number | null;
  details?: ErrorDetail[];
  requestId?: string | null;
  retryAfterSeconds?: number | null;
  cause?: unknown;
};

/** Thrown when a request has failed, after all retries. */
export class ColophonError extends Error {
  /** Why the request failed. Code should depend on this, not on the message. */
  readonly code: ColophonErrorCode;
  /** The HTTP status; null if there was no response. */
  readonly status: number | null;
  /** The individual problems of a request that was refused; empty if there are none. */
  readonly details: ErrorDetail[];
  /** The id under which the service logged the request; null if no response contained it. */
  readonly requestId: string | null;
  /** The number of seconds that the service asks to wait before the next request; null if it does not ask. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string, properties: Properties) {
    const { code, status = null, details = [], requestId = null, retryAfterSeconds = null, cause } = properties;
    super(message, cause === undefined ? undefined : { cause });
    this.name = "ColophonError";
    this.code = code;
    this.status = status;
    this.details = details;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export function connectionFailed(message: string, cause?: unknown): ColophonError {
  return new ColophonError(message, { code: "CONNECTION_FAILED", cause });
}

/** Returns whether this version of the client knows the code. */
export function isErrorCode(code: string): code is ErrorCode {
  return errorCodes.some((known) => known === code);
}
