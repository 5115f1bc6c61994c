import { expect, it } from "vitest";
import { monthOf, monthResetsAtMs, periodBeginsAtMs, secondsUntilReset } from "../../../src/core/accounts/month.ts";

const at = (iso: string) => Date.parse(iso);

it.each([
  ["2026-11-30T23:59:59.999-00:00", "2026-11"],
  ["2026-12-01T00:00:00.000Z", "2026-12"],
])("the month of %s is %s, in UTC", (iso, month) => {
  expect(monthOf(at(iso))).toBe(month);
});

it.each([
  ["2026-11", "2026-11-01T00:00:00.000Z", "2026-12-01T00:00:00.000Z"],
  ["2026-12", "2026-12-01T00:00:00.000Z", "2027-01-01T00:00:00.000Z"],
  ["2026-01", "2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z"],
  ["2028-02", "2028-02-01T00:00:00.000Z", "2028-03-01T00:00:00.000Z"],
  ["2028-02-28", "2028-02-28T00:00:00.000Z", "2028-02-29T00:00:00.000Z"],
  ["2026-12-31", "2026-12-31T00:00:00.000Z", "2027-01-01T00:00:00.000Z"],
])("the month or day %s begins at %s and ends at %s", (period, ...expected) => {
  const times = [periodBeginsAtMs(period), monthResetsAtMs(period)];

  expect(times.map((time) => new Date(time).toISOString())).toEqual(expected);
});

it.each([
  ["on the last days of February in a leap year", "2028-02-28T00:00:00.000Z", undefined, 2 * 86_400],
  ["an hour before the new year", "2026-12-31T23:00:00.000Z", undefined, 3_600],
  ["rounded up, so that a caller who waits is not too early", "2026-11-30T23:59:58.001Z", undefined, 2],
  ["in the last millisecond", "2026-11-30T23:59:59.999Z", undefined, 1],
  ["when the month begins", "2026-11-01T00:00:00.000Z", undefined, 30 * 86_400],
  ["to the end of a given month", "2026-11-30T23:59:00.000Z", "2026-12", 60 + 31 * 86_400],
  ["to the end of a month that is over", "2026-12-02T00:00:00.000Z", "2026-11", 1],
])("the seconds until the reset are counted %s", (_what, iso, month, seconds) => {
  expect(secondsUntilReset(at(iso), month)).toBe(seconds);
});
