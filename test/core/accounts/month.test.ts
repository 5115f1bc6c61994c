import { describe, expect, it } from "vitest";
import { monthOf, monthResetsAtMs, secondsUntilReset } from "../../../src/core/accounts/month.ts";

const at = (iso: string) => Date.parse(iso);

describe("monthOf", () => {
  it("returns the month in UTC", () => {
    const month = monthOf(at("2026-11-30T23:59:59.999-00:00"));

    expect(month).toBe("2026-11");
  });

  it("returns the new month from its first millisecond on", () => {
    const month = monthOf(at("2026-12-01T00:00:00.000Z"));

    expect(month).toBe("2026-12");
  });
});

describe("monthResetsAtMs", () => {
  it.each([
    ["2026-11", "2026-12-01T00:00:00.000Z"],
    ["2026-12", "2027-01-01T00:00:00.000Z"],
    ["2026-01", "2026-02-01T00:00:00.000Z"],
    ["2028-02", "2028-03-01T00:00:00.000Z"],
  ])("returns the end of %s as %s", (month, expected) => {
    const resetsAt = new Date(monthResetsAtMs(month)).toISOString();

    expect(resetsAt).toBe(expected);
  });
});

describe("secondsUntilReset", () => {
  it("counts 29 February of a leap year", () => {
    const seconds = secondsUntilReset(at("2028-02-28T00:00:00.000Z"));

    expect(seconds).toBe(2 * 86_400);
  });

  it("returns the time until the new year in December", () => {
    const seconds = secondsUntilReset(at("2026-12-31T23:00:00.000Z"));

    expect(seconds).toBe(3_600);
  });

  it("rounds up, so that a caller who waits for the returned time is not too early", () => {
    const seconds = secondsUntilReset(at("2026-11-30T23:59:58.001Z"));

    expect(seconds).toBe(2);
  });

  it("is at least one second", () => {
    const seconds = secondsUntilReset(at("2026-11-30T23:59:59.999Z"));

    expect(seconds).toBe(1);
  });

  it("returns the length of the whole month when the month begins", () => {
    const seconds = secondsUntilReset(at("2026-11-01T00:00:00.000Z"));

    expect(seconds).toBe(30 * 86_400);
  });

  it("counts to the end of the given month, not of the current month", () => {
    const seconds = secondsUntilReset(at("2026-11-30T23:59:00.000Z"), "2026-12");

    expect(seconds).toBe(60 + 31 * 86_400);
  });

  it("is one second for a past month", () => {
    const seconds = secondsUntilReset(at("2026-12-02T00:00:00.000Z"), "2026-11");

    expect(seconds).toBe(1);
  });
});
