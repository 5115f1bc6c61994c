import { describe, expect, it } from "vitest";
import { rateLimitHeaders } from "../../../src/http/accounts/rate-limit-headers.ts";

const at = (iso: string) => Date.parse(iso);

describe("rateLimitHeaders", () => {
  it("reports the policy, the remaining renders and the remaining seconds", () => {
    const headers = rateLimitHeaders({ used: 12, limit: 50, month: "2026-11", nowMs: at("2026-11-30T23:00:00.000Z") });

    expect(headers).toEqual({
      "RateLimit-Policy": '"monthly";q=50;w=2592000',
      RateLimit: '"monthly";r=38;t=3600',
    });
  });

  it("reports the time until the new year in December", () => {
    const headers = rateLimitHeaders({ used: 0, limit: 50, month: "2026-12", nowMs: at("2026-12-31T23:59:00.000Z") });

    expect(headers).toEqual({
      "RateLimit-Policy": '"monthly";q=50;w=2678400',
      RateLimit: '"monthly";r=50;t=60',
    });
  });

  it("never reports less than one second until the reset, even if the given month is over", () => {
    const { RateLimit } = rateLimitHeaders({ used: 1, limit: 50, month: "2026-11", nowMs: at("2026-12-01T00:00:01Z") });

    expect(RateLimit).toBe('"monthly";r=49;t=1');
  });

  it.each([
    ["2028-02", 29],
    ["2027-02", 28],
  ])("counts the days of %s as %i", (month, days) => {
    const headers = rateLimitHeaders({ used: 0, limit: 50, month, nowMs: at(`${month}-01T00:00:00.000Z`) });

    expect(headers).toEqual({
      "RateLimit-Policy": `"monthly";q=50;w=${days * 86_400}`,
      RateLimit: `"monthly";r=50;t=${days * 86_400}`,
    });
  });

  it.each([
    ["used up", 50],
    ["lowered below the number of renders used", 120],
  ])("reports 0 remaining renders if the allowance was %s", (_what, used) => {
    const { RateLimit } = rateLimitHeaders({ used, limit: 50, month: "2026-11", nowMs: at("2026-11-30T23:00:00Z") });

    expect(RateLimit).toBe('"monthly";r=0;t=3600');
  });
});
