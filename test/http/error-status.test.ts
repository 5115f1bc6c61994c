import { expect, it } from "vitest";
import {
  apiAccessDenied,
  documentNotFound,
  idempotencyConflict,
  internalError,
  invalidApiKey,
  renderFailed,
  renderLimitExceeded,
  validationError,
} from "../../src/core/errors.ts";
import { errorHeaders, RequestError, statusOf } from "../../src/http/error-status.ts";

it.each([
  [422, renderFailed("impossible", "501 pages.")],
  [502, renderFailed("browser_failed", "The browser failed.")],
  [503, renderFailed("no_capacity", "No capacity.")],
  [504, renderFailed("timed_out", "Too long.")],
  [409, idempotencyConflict("in_progress")],
  [422, idempotencyConflict("other_body")],
])("errors with the same code have the status of their reason (%i)", (status, error) => {
  expect(statusOf(error)).toBe(status);
});

it("an error without a reason has the status of its code", () => {
  expect([statusOf(documentNotFound()), statusOf(internalError(null))]).toEqual([404, 500]);
});

it("an error of the request itself brings its own status", () => {
  expect(statusOf(new RequestError(413, "The body is larger than 1 MiB."))).toBe(413);
});

it("sends Retry-After and the RateLimit headers with RENDER_LIMIT_EXCEEDED", () => {
  const nowMs = Date.parse("2026-11-30T23:59:00.000Z");

  const headers = errorHeaders(renderLimitExceeded({ used: 2, limit: 2, month: "2026-11", nowMs }));

  expect(headers).toEqual({
    "Retry-After": "60",
    "RateLimit-Policy": '"monthly";q=2;w=2592000',
    RateLimit: '"monthly";r=0;t=60',
  });
});

it("sends a Retry-After of one second when the month ended before the render was refused", () => {
  const nowMs = Date.parse("2026-12-01T00:00:00.010Z");

  const headers = errorHeaders(renderLimitExceeded({ used: 0, limit: 0, month: "2026-11", nowMs }));

  expect(headers["Retry-After"]).toBe("1");
});

it("names the authentication scheme with INVALID_API_KEY", () => {
  expect(errorHeaders(invalidApiKey())).toEqual({ "WWW-Authenticate": "Bearer" });
});

it("sends only Retry-After when there is no capacity", () => {
  expect(errorHeaders(renderFailed("no_capacity", "No capacity.", { retryAfterSeconds: 3 }))).toEqual({
    "Retry-After": "3",
  });
});

it("sends only Retry-After while the first request with an idempotency key is in progress", () => {
  expect(errorHeaders(idempotencyConflict("in_progress"))).toEqual({ "Retry-After": "1" });
});

it.each([
  ["an idempotency key that is reused with another body", idempotencyConflict("other_body")],
  [
    "a render that failed",
    renderFailed("browser_failed", "The browser failed.", { cause: new Error("Target closed") }),
  ],
  ["a plan without API access", apiAccessDenied()],
  ["an invalid request", validationError([{ path: "width", message: "`width` must be smaller." }])],
  ["a fault in the service", internalError(new Error("D1 is down"))],
])("adds no headers to the response for %s", (_what, error) => {
  expect(errorHeaders(error)).toEqual({});
});
