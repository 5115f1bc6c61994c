import { expect, it } from "vitest";
import { retryAfterMs } from "../../src/core/retry-after.ts";

const minute = 60_000;
const hour = 60 * minute;
const nowMs = Date.parse("2026-11-21T09:30:00.123Z");

it.each([
  ["0", 0],
  ["120", 120_000],
  ["0120", 120_000],
  ["999999999", 999_999_999_000],
])("Retry-After of %s seconds is %i ms", (header, expected) => {
  expect(retryAfterMs(header, nowMs)).toBe(expected);
});

it.each([
  ["Sat, 21 Nov 2026 09:31:00 GMT", minute - 123],
  ["Sat, 21 Nov 2026 09:29:00 GMT", 0],
  ["Sat, 21 Nov 2026 09:30:00 GMT", 0],
  ["Sun, 22 Nov 2026 09:30:00 GMT", 24 * hour - 123],
  ["Saturday, 21-Nov-26 09:31:00 GMT", minute - 123],
])("Retry-After with the date %s is %i ms", (header, expected) => {
  expect(retryAfterMs(header, nowMs)).toBe(expected);
});

it.each([
  ...["", "soon", "-120", "+5", "1.5", "5s", "5;q=1", "0x10", "1e3", "Infinity", "٣", "1,2", "1 2"],
  ...["Sat, 99 Nov 2026 09:31:00 GMT", "garbage 2050", "rate limit 2 of 2100", "-2050"],
])("Retry-After that is neither a number of seconds nor a date is ignored (%j)", (header) => {
  expect(retryAfterMs(header, nowMs) ?? 0).toBe(0);
});

it("Retry-After is null if the header is missing", () => {
  expect(retryAfterMs(null, nowMs)).toBeNull();
});
