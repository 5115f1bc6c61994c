// Every refusal and failure that a caller can see: one closed list of codes, one error class.
// A message here is written for the caller; causes stay in the log.

import { rateLimitHeaders, secondsUntilReset, type MonthlyUsage } from "./accounts/month.ts";

export type ErrorCode =
  | "INVALID_API_KEY"
  | "API_ACCESS_DENIED"
  | "VALIDATION_ERROR"
  | "MISSING_FIELD"
  | "TEMPLATE_NOT_FOUND"
  | "DOCUMENT_NOT_FOUND"
  | "RENDER_LIMIT_EXCEEDED"
  | "RENDER_FAILED"
  | "IDEMPOTENCY_CONFLICT"
  | "NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "INTERNAL_ERROR";

/** What is wrong with one input: `path` as in `data.items.3.price`, `message` with what is allowed. */
export type ErrorDetail = { path: string; message: string };

type ServiceErrorOptions = {
  details?: ErrorDetail[];
  /** Extra response headers; constants and numbers only, never user text. */
  headers?: Record<string, string>;
  cause?: unknown;
};

export class ServiceError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly details: ErrorDetail[] | undefined;
  readonly headers: Record<string, string>;

  constructor(status: number, code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = "ServiceError";
    this.status = status;
    this.code = code;
    this.details = options.details;
    this.headers = options.headers ?? {};
  }
}

export function invalidApiKey(): ServiceError {
  return new ServiceError(
    401,
    "INVALID_API_KEY",
    "The API key is missing or invalid. Send it as `Authorization: Bearer <API_KEY>`.",
    { headers: { "WWW-Authenticate": "Bearer" } },
  );
}

export function apiAccessDenied(): ServiceError {
  return new ServiceError(403, "API_ACCESS_DENIED", "The account's plan does not include API access.");
}

/** A request that is malformed in itself. The message names every detail, so that reading it alone is enough. */
export function validationError(details: ErrorDetail[], status = 400, unnamed = 0): ServiceError {
  const message = details.map(({ message }) => message).join(" ") + andMore(unnamed);
  return new ServiceError(status, "VALIDATION_ERROR", message, { details });
}

export function missingField(details: ErrorDetail[], unnamed = 0): ServiceError {
  const message = `The template requires ${details.map(({ path }) => `\`${path}\``).join(", ")}.${andMore(unnamed)}`;
  return new ServiceError(400, "MISSING_FIELD", message, { details });
}

function andMore(unnamed: number): string {
  return unnamed > 0 ? ` And ${unnamed} more.` : "";
}

export function templateNotFound(): ServiceError {
  return new ServiceError(404, "TEMPLATE_NOT_FOUND", "No template with this id exists in the account.");
}

export function documentNotFound(reason = "No document with this id exists in the account."): ServiceError {
  return new ServiceError(404, "DOCUMENT_NOT_FOUND", reason);
}

export function renderLimitExceeded(usage: MonthlyUsage): ServiceError {
  return new ServiceError(
    429,
    "RENDER_LIMIT_EXCEEDED",
    `Monthly render limit exceeded. Current: ${usage.used}/${usage.limit}`,
    { headers: { "Retry-After": String(secondsUntilReset(usage.nowMs, usage.month)), ...rateLimitHeaders(usage) } },
  );
}

/** 409: the first request of the key is still in progress. 422: the key came with another body before. */
export function idempotencyConflict(status: 409 | 422, message: string): ServiceError {
  const headers: Record<string, string> = status === 409 ? { "Retry-After": "1" } : {};
  return new ServiceError(status, "IDEMPOTENCY_CONFLICT", message, { headers });
}

/**
 * 422: template or data make it impossible. 502: the browser failed twice. 504: the deadline passed. 503: no capacity,
 * with `Retry-After`.
 */
export function renderFailed(
  status: 422 | 502 | 503 | 504,
  message: string,
  options: { retryAfterSeconds?: number; cause?: unknown } = {},
): ServiceError {
  const { retryAfterSeconds, cause } = options;
  const headers: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) };
  return new ServiceError(status, "RENDER_FAILED", message, { headers, cause });
}

/** A fault of ours: the same sentence whatever happened, the cause chain goes to the log. */
export function internalError(cause: unknown): ServiceError {
  return new ServiceError(500, "INTERNAL_ERROR", "Something went wrong on our side. The request id identifies it.", {
    cause,
  });
}
