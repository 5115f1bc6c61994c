import { expect, it } from "vitest";
import {
  documentNotFound,
  idempotencyConflict,
  internalError,
  invalidApiKey,
  renderFailed,
  renderLimitExceeded,
} from "../../src/core/errors.ts";
import { errorHeaders, RequestError, statusOf } from "../../src/http/error-status.ts";

it.each([
  [422, renderFailed("impossible", "501 pages.")],
  [502, renderFailed("browser_failed", "The browser failed.")],
  [503, renderFailed("no_capacity", "No capacity.")],
  [504, renderFailed("timed_out", "Too long.")],
  [409, idempotencyConflict("in_progress")],
  [422, idempotencyConflict("other_body")],
])("errors with the same code have the status of their reasons (%i)", (status, error) => {
  expect(statusOf(error)).toBe(status);
});

it("an error without a reason has the status of its code, and an error of the request has its own status", () => {
  const errors = [documentNotFound(), internalError(null), new RequestError(413, "The body is larger than 1 MiB.")];

  expect(errors.map(statusOf)).toEqual([404, 500, 413]);
});

const usage = { used: 2, limit: 2, month: "2026-11", nowMs: Date.parse("2026-11-30T23:59:00.000Z") };

it.each([
  [
    "an exhausted allowance",
    renderLimitExceeded(usage),
    { "Retry-After": "60", "RateLimit-Policy": '"monthly";q=2;w=2592000', RateLimit: '"monthly";r=0;t=60' },
  ],
  ["an invalid key", invalidApiKey(), { "WWW-Authenticate": "Bearer" }],
  ["no capacity", renderFailed("no_capacity", "No capacity.", { retryAfterSeconds: 3 }), { "Retry-After": "3" }],
  ["a key whose first request is in progress", idempotencyConflict("in_progress"), { "Retry-After": "1" }],
  ["a key that is reused with another body", idempotencyConflict("other_body"), {}],
  ["a fault in the service", internalError(new Error("D1 is down")), {}],
])("the response for %s has only the headers of its error", (_what, error, headers) => {
  expect(errorHeaders(error)).toEqual(headers);
});
