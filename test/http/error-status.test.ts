import { expect, it } from "vitest";
import { documentNotFound, idempotencyConflict, internalError, renderFailed } from "../../src/core/errors.ts";
import { RequestError, statusOf } from "../../src/http/error-status.ts";

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
