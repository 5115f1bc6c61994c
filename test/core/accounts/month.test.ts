import { describe, expect, it } from "vitest";
import { monthOf, monthResetsAtMs, rateLimitHeaders, secondsUntilReset } from "../../../src/core/accounts/month.ts";

const at = (iso: string) => Date.parse(iso);

describe("monthOf", () => {
  it("is the month in UTC, whatever the day is elsewhere", () => {
    const month = monthOf(at("2026-11-30T23:59:59.999-00:00"));

    expect(month).toBe("2026-11");
  });

  it("begins with the first millisecond", () => {
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
  ])("of %s is %s", (month, expected) => {
    const resetsAt = new Date(monthResetsAtMs(month)).toISOString();

    expect(resetsAt).toBe(expected);
  });
});

describe("secondsUntilReset", () => {
  it("counts the 29th of a leap February", () => {
    const seconds = secondsUntilReset(at("2028-02-28T00:00:00.000Z"));

    expect(seconds).toBe(2 * 86_400);
  });

  it("goes over the end of the year", () => {
    const seconds = secondsUntilReset(at("2026-12-31T23:00:00.000Z"));

    expect(seconds).toBe(3_600);
  });

  it("rounds up, so that who waits as told is not early", () => {
    const seconds = secondsUntilReset(at("2026-11-30T23:59:58.001Z"));

    expect(seconds).toBe(2);
  });

  it("is at least one second", () => {
    const seconds = secondsUntilReset(at("2026-11-30T23:59:59.999Z"));

    expect(seconds).toBe(1);
  });

  it("is the whole month at its first millisecond", () => {
    const seconds = secondsUntilReset(at("2026-11-01T00:00:00.000Z"));

    expect(seconds).toBe(30 * 86_400);
  });

  it("counts to the end of the month it is given, whatever the clock's own", () => {
    const seconds = secondsUntilReset(at("2026-11-30T23:59:00.000Z"), "2026-12");

    expect(seconds).toBe(60 + 31 * 86_400);
  });

  it("is one second for a month that is over", () => {
    const seconds = secondsUntilReset(at("2026-12-02T00:00:00.000Z"), "2026-11");

    expect(seconds).toBe(1);
  });
});

describe("rateLimitHeaders", () => {
  it("gives the policy and what is left, in renders and seconds", () => {
    const headers = rateLimitHeaders({ used: 12, limit: 50, month: "2026-11", nowMs: at("2026-11-30T23:00:00.000Z") });

    expect(headers).toEqual({
      "RateLimit-Policy": '"monthly";q=50;w=2592000',
      RateLimit: '"monthly";r=38;t=3600',
    });
  });

  it("goes over the end of the year in December", () => {
    const headers = rateLimitHeaders({ used: 0, limit: 50, month: "2026-12", nowMs: at("2026-12-31T23:59:00.000Z") });

    expect(headers).toEqual({
      "RateLimit-Policy": '"monthly";q=50;w=2678400',
      RateLimit: '"monthly";r=50;t=60',
    });
  });

  it("counts to the end of its own month when the next one has begun", () => {
    const { RateLimit } = rateLimitHeaders({ used: 1, limit: 50, month: "2026-11", nowMs: at("2026-12-01T00:00:01Z") });

    expect(RateLimit).toBe('"monthly";r=49;t=1');
  });

  it.each([
    ["2028-02", 29],
    ["2027-02", 28],
  ])("counts the days of %s: %i", (month, days) => {
    const headers = rateLimitHeaders({ used: 0, limit: 50, month, nowMs: at(`${month}-01T00:00:00.000Z`) });

    expect(headers).toEqual({
      "RateLimit-Policy": `"monthly";q=50;w=${days * 86_400}`,
      RateLimit: `"monthly";r=50;t=${days * 86_400}`,
    });
  });

  it.each([
    ["used up", 50],
    ["lowered below what was used", 120],
  ])("leaves nothing, and never less, of an allowance that was %s", (_what, used) => {
    const { RateLimit } = rateLimitHeaders({ used, limit: 50, month: "2026-11", nowMs: at("2026-11-30T23:00:00Z") });

    expect(RateLimit).toBe('"monthly";r=0;t=3600');
  });
});
