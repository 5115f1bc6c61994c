import { describe, expect, it } from "vitest";
import { retryAfterMs } from "../../src/core/retry-after.ts";

const minute = 60_000;
const hour = 60 * minute;
const nowMs = Date.parse("2026-11-21T09:30:00.123Z");

describe("Retry-After", () => {
  it.each([
    ["0", 0],
    ["1", 1_000],
    ["120", 120_000],
    ["0120", 120_000],
    ["999999999", 999_999_999_000],
  ])("of %s seconds is %i ms", (header, expected) => {
    expect(retryAfterMs(header, nowMs)).toBe(expected);
  });

  it.each(["1000000000", "9999999999", "99999999999", "1".repeat(30)])(
    "of %s seconds is read as at least a day",
    (header) => {
      expect(retryAfterMs(header, nowMs) ?? 0).toBeGreaterThanOrEqual(24 * hour);
    },
  );

  it.each([
    ["Sat, 21 Nov 2026 09:31:00 GMT", minute - 123],
    ["Sat, 21 Nov 2026 09:29:00 GMT", 0],
    ["Sat, 21 Nov 2026 09:30:00 GMT", 0],
    ["Sun, 22 Nov 2026 09:30:00 GMT", 24 * hour - 123],
    ["Saturday, 21-Nov-26 09:31:00 GMT", minute - 123],
  ])("with the date %s is %i ms", (header, expected) => {
    expect(retryAfterMs(header, nowMs)).toBe(expected);
  });

  it.each([
    "",
    "soon",
    "-1",
    "-120",
    "+5",
    "1.5",
    "5 s",
    "5s",
    "5;q=1",
    "0x10",
    "1e3",
    "NaN",
    "Infinity",
    "null",
    "٣",
    "1,2",
    "1 2",
    "x".repeat(100),
    "Sat, 99 Nov 2026 09:31:00 GMT",
    "garbage 2050",
    "wait until 2050",
    "5 2050",
    "rate limit 2 of 2100",
    "a-2030",
    "-2050",
  ])("that is neither a number of seconds nor a date is ignored (%j)", (header) => {
    expect(retryAfterMs(header, nowMs) ?? 0).toBe(0);
  });

  it("is null if the header is missing", () => {
    expect(retryAfterMs(null, nowMs)).toBeNull();
  });
});
