// The errors that a caller can see: a closed list of codes, and one error class. Messages are written for the caller. Causes are only
// logged. The HTTP layer chooses the status (`http/error-status.ts`), and converts numbers such as `retryAfterSeconds` into headers.
import type { ConformanceProblem } from "colophon-pdf-conformance/problem";
import { isDay, secondsUntilReset, type MonthlyUsage } from "./accounts/month.ts";
import type { Scope } from "./accounts/scopes.ts";

export const errorCodes = [
  "INVALID_API_KEY",
  "HTTPS_REQUIRED",
  "API_ACCESS_DENIED",
  "INSUFFICIENT_SCOPE",
  "VALIDATION_ERROR",
  "MISSING_FIELD",
  "TEMPLATE_NOT_FOUND",
  "DOCUMENT_NOT_FOUND",
  "BATCH_NOT_FOUND",
  "ACCOUNT_NOT_FOUND",
  "KEY_NOT_FOUND",
  "WEBHOOK_NOT_FOUND",
  "VERSION_CONFLICT",
  "BATCH_NOT_ENDED",
  "RENDER_LIMIT_EXCEEDED",
  "BATCH_LIMIT_EXCEEDED",
  "RENDER_FAILED",
  "TOO_MANY_REQUESTS",
  "IDEMPOTENCY_CONFLICT",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "INVALID_HEALTH_SECRET",
  "UNHEALTHY",
  "SERVICE_UNAVAILABLE",
  "INTERNAL_ERROR",
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/**
 * A problem with one input. `path` has the form `data.items.3.price`, or is a template file, with its line. `message` says which
 * values are allowed. `customId` identifies the item of a batch, if it has one.
 */
export type ErrorDetail = {
  path: string;
  line?: number;
  message: string;
  customId?: string;
} & Partial<ConformanceProblem>;

/** Why a render failed. */
export type RenderFailure =
  /** The template cannot be rendered with this data. */
  | "impossible"
  /** The browser failed, and the retry also failed or there was no time for one. */
  | "browser_failed"
  /** There is no capacity; the caller should retry after `retryAfterSeconds`. */
  | "no_capacity"
  /** The deadline has passed. */
  | "timed_out";

/** Distinguishes errors with the same code: render failures, and idempotency conflicts. */
export type ErrorReason = RenderFailure | keyof typeof keyMessages;

type ServiceErrorOptions = {
  reason?: ErrorReason;
  details?: ErrorDetail[];
  /** How long the caller should wait before trying again. */
  retryAfterSeconds?: number;
  /** The account's monthly usage, if the request was refused because the monthly allowance is used up. */
  usage?: MonthlyUsage;
  cause?: unknown;
};

export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly reason: ErrorReason | undefined;
  readonly details: ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly usage: MonthlyUsage | undefined;

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = "ServiceError";
    this.code = code;
    this.reason = options.reason;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.usage = options.usage;
  }
}

const keyProblems = {
  unknown: "The API key is missing or invalid. Send it as `Authorization: Bearer <API_KEY>`.",
  expired: "The API key has expired. Use a different key.",
  revoked: "The API key has been revoked. Use a different key.",
};

/** Only callers that have the complete key are told that it has expired or been revoked. */
export function invalidApiKey(reason: keyof typeof keyProblems = "unknown"): ServiceError {
  return new ServiceError("INVALID_API_KEY", keyProblems[reason]);
}

export function apiAccessDenied(): ServiceError {
  return new ServiceError("API_ACCESS_DENIED", "The account's plan does not include API access.");
}

/** Returns the error for a path that does not exist, or that this caller may never use. */
export function nothingHere(): ServiceError {
  return new ServiceError("NOT_FOUND", "Nothing exists at this path.");
}

/**
 * Returns the error for a key that may not call an operation. `needed` is null if the operation accepts no test keys.
 */
export function insufficientScope(needed: Scope | null): ServiceError {
  const reason =
    needed === null ? "A test key may not do this; use a live key." : `The key lacks the scope \`${needed}\`.`;
  return new ServiceError("INSUFFICIENT_SCOPE", reason);
}

/**
 * Returns the error for an invalid request. Its message contains the messages of all details, so that it suffices
 * alone. `message` is given if some problems are not in `details`.
 */
export function validationError(
  details: ErrorDetail[],
  message = details.map((detail) => detail.message).join(" "),
): ServiceError {
  return new ServiceError("VALIDATION_ERROR", message, { details });
}

export function missingField(details: ErrorDetail[], message: string): ServiceError {
  return new ServiceError("MISSING_FIELD", message, { details });
}

// Errors about things that do not exist or belong to another account.
export const templateNotFound = (cause?: Error) =>
  new ServiceError("TEMPLATE_NOT_FOUND", "No template with this id exists in the account.", { cause });
export const documentNotFound = (reason = "No document with this id exists in the account.") =>
  new ServiceError("DOCUMENT_NOT_FOUND", reason);
export const batchNotFound = (reason = "No batch with this id exists in the account.") =>
  new ServiceError("BATCH_NOT_FOUND", reason);
export const accountNotFound = () => new ServiceError("ACCOUNT_NOT_FOUND", "There is no account with this id.");
export const planNotFound = () => new ServiceError("NOT_FOUND", "There is no plan with this name.");
export const keyNotFound = () => new ServiceError("KEY_NOT_FOUND", "No key with this id exists in the account.");
export const webhookNotFound = () =>
  new ServiceError("WEBHOOK_NOT_FOUND", "No webhook with this id exists in the account.");

/** Returns the error for a version that a template of the account does not have. `newest` is its newest version. */
export function templateVersionNotFound(version: number, newest: number): ServiceError {
  const message = `The template has no version ${version}; its newest version is ${newest}.`;
  return new ServiceError("TEMPLATE_NOT_FOUND", message, { details: [{ path: "templateVersion", message }] });
}

/**
 * Returns the error for a template that somebody else has changed. `version` is its newest version, or 0 if the template does
 * not exist.
 */
export function versionConflict(version: number): ServiceError {
  const message = `The template is at version ${version}, which does not match \`If-Match\`. Read the current version, and try again.`;
  return new ServiceError("VERSION_CONFLICT", message);
}

export function batchNotEnded(): ServiceError {
  return new ServiceError(
    "BATCH_NOT_ENDED",
    "The batch has not ended. Cancel it first, and delete it after it has ended.",
  );
}

/** Returns the error for an account that has too many queued renders. It is independent of the monthly allowance. */
export function batchLimitExceeded(message: string, retryAfterSeconds: number): ServiceError {
  return new ServiceError("BATCH_LIMIT_EXCEEDED", message, { retryAfterSeconds });
}

export function renderLimitExceeded(usage: MonthlyUsage, details?: ErrorDetail[]): ServiceError {
  return new ServiceError(
    "RENDER_LIMIT_EXCEEDED",
    `${isDay(usage.month) ? "Daily test render limit" : "Monthly render limit"} exceeded. Current: ${usage.used}/${usage.limit}`,
    { retryAfterSeconds: secondsUntilReset(usage.nowMs, usage.month), usage, ...(details && { details }) },
  );
}

/** Returns the error for a caller that sends too many requests in a short time. It is independent of the monthly allowance. */
export function tooManyRequests(message: string, retryAfterSeconds: number): ServiceError {
  return new ServiceError("TOO_MANY_REQUESTS", message, { retryAfterSeconds });
}

/**
 * Returns the error for an idempotency key that cannot be used, or cannot be used until its first request has ended.
 */
export function idempotencyConflict(reason: keyof typeof keyMessages, retryAfterSeconds = 1): ServiceError {
  const retry = reason === "in_progress" ? { retryAfterSeconds } : {};
  return new ServiceError("IDEMPOTENCY_CONFLICT", keyMessages[reason], { reason, ...retry });
}

const keyMessages = {
  in_progress: "A request with this `Idempotency-Key` is still in progress. Try again shortly.",
  other_body: "This `Idempotency-Key` was used with a different body; use a new key for a new request.",
};

export function renderFailed(
  reason: RenderFailure,
  message: string,
  options: { retryAfterSeconds?: number; cause?: unknown; details?: ErrorDetail[] | undefined } = {},
): ServiceError {
  return new ServiceError("RENDER_FAILED", message, { reason, ...options });
}

export function noCapacity(retryAfterSeconds: number): ServiceError {
  return renderFailed("no_capacity", "No browser is available at the moment. Try again shortly.", {
    retryAfterSeconds,
  });
}

/**
 * Returns the error for a deep health check without the operator's secret. It does not reveal whether the secret is wrong or
 * unset.
 */
export function invalidHealthSecret(): ServiceError {
  return new ServiceError(
    "INVALID_HEALTH_SECRET",
    "The deep health check requires the operator's secret. Send it as `Authorization: Bearer <HEALTH_SECRET>`. If the operator has set no secret, the check is off.",
  );
}

export function unhealthy(parts: string[]): ServiceError {
  return new ServiceError("UNHEALTHY", `These parts of the service are failing: ${parts.join(", ")}.`);
}

/**
 * Returns the error for a request that cannot be served now because a part of the service is overloaded. The caller may
 * retry after `retryAfterSeconds`.
 */
export function serviceUnavailable({
  message = "The service is overloaded. Try again later.",
  ...options
}: {
  message?: string;
  retryAfterSeconds: number;
  cause?: unknown;
}): ServiceError {
  return new ServiceError("SERVICE_UNAVAILABLE", message, options);
}

/** Returns the error for a fault in the service. Its message is always the same. `cause` is only logged. */
export function internalError(cause: unknown): ServiceError {
  return new ServiceError(
    "INTERNAL_ERROR",
    "Something went wrong on our side. Please include the request id when you report it.",
    { cause },
  );
}
