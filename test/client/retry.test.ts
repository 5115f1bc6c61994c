import { expect, it } from "vitest";
import { ColophonError } from "../../packages/client/src/client.ts";
import { parseRetryAfter, retryDelayMs } from "../../packages/client/src/retry.ts";

const error = (retryAfterSeconds: number | null = null) =>
  new ColophonError("", { code: "UNEXPECTED_RESPONSE", retryAfterSeconds });

it("the delay of a retry doubles up to 8 s, and up to half of it is random", () => {
  expect([0, 1, 2, 3, 4, 5, 50].map((retries) => retryDelayMs(error(), retries, 1))).toEqual([
    500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000,
  ]);
  expect(retryDelayMs(error(), 2, 0)).toBe(1_000);
});

it("the delay of a retry is the delay in `Retry-After` plus a random part", () => {
  expect(retryDelayMs(error(10), 0, 0)).toBe(10_000);
  expect(retryDelayMs(error(10), 0, 1)).toBe(10_500);
  expect(retryDelayMs(error(0), 3, 0)).toBe(0);
});

it.each([
  ["120", 120],
  [" 5 ", 5],
  ["Sun, 22 Nov 2026 10:00:30 GMT", 30],
  ["Sun, 22 Nov 2026 09:00:00 GMT", 0],
  ["soon", null],
  [null, null],
])("the `Retry-After` header %j is read as %j", (header, seconds) => {
  expect(parseRetryAfter(header, Date.parse("2026-11-22T10:00:00.001Z"))).toBe(seconds);
});
