// The HTTP status of each error, and its headers. Errors that exist only in HTTP, such as a body that is too large, carry their own
// status.
import { ServiceError, type ErrorCode, type ErrorReason } from "../core/errors.ts";
import { rateLimitHeaders } from "./accounts/rate-limit-headers.ts";

export const statuses: Record<ErrorCode | ErrorReason, number> = {
  INVALID_API_KEY: 401,
  HTTPS_REQUIRED: 403,
  API_ACCESS_DENIED: 403,
  INSUFFICIENT_SCOPE: 403,
  VALIDATION_ERROR: 400,
  MISSING_FIELD: 400,
  TEMPLATE_NOT_FOUND: 404,
  DOCUMENT_NOT_FOUND: 404,
  BATCH_NOT_FOUND: 404,
  ACCOUNT_NOT_FOUND: 404,
  KEY_NOT_FOUND: 404,
  WEBHOOK_NOT_FOUND: 404,
  VERSION_CONFLICT: 412,
  BATCH_NOT_ENDED: 409,
  RENDER_LIMIT_EXCEEDED: 429,
  BATCH_LIMIT_EXCEEDED: 429,
  RENDER_FAILED: 502,
  impossible: 422,
  browser_failed: 502,
  no_capacity: 503,
  timed_out: 504,
  TOO_MANY_REQUESTS: 429,
  IDEMPOTENCY_CONFLICT: 409,
  in_progress: 409,
  other_body: 422,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  INVALID_HEALTH_SECRET: 401,
  UNHEALTHY: 503,
  SERVICE_UNAVAILABLE: 503,
  INTERNAL_ERROR: 500,
};

/** An invalid request with a more specific status than 400. */
export class RequestError extends ServiceError {
  readonly status: 411 | 412 | 413 | 415 | 416;

  constructor(status: RequestError["status"], message: string, path?: string) {
    super("VALIDATION_ERROR", message, path === undefined ? {} : { details: [{ path, message }] });
    this.status = status;
  }
}

export function statusOf(error: ServiceError): number {
  return error instanceof RequestError ? error.status : statuses[error.reason ?? error.code];
}

/** The headers contain only constants and numbers, never text from a caller. */
export function errorHeaders({ code, retryAfterSeconds, usage }: ServiceError): Record<string, string> {
  const headers: Record<string, string> = usage ? rateLimitHeaders(usage) : {};
  if (code === "INVALID_API_KEY" || code === "INVALID_HEALTH_SECRET") headers["WWW-Authenticate"] = "Bearer";
  if (retryAfterSeconds !== undefined) headers["Retry-After"] = String(retryAfterSeconds);
  return headers;
}
