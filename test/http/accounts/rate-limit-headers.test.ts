// test/core/accounts/month.test.ts has the lengths of months and the seconds until their ends.
import { expect, it } from "vitest";
import { rateLimitHeaders } from "../../../src/http/accounts/rate-limit-headers.ts";

const nowMs = Date.parse("2026-11-30T23:00:00.000Z");

it.each([
  { used: 12, month: "2026-11", policy: '"monthly";q=50;w=2592000', left: '"monthly";r=38;t=3600' },
  { used: 12, month: "2026-11-30", policy: '"daily";q=50;w=86400', left: '"daily";r=38;t=3600' },
  // The allowance was lowered below the number of renders.
  { used: 120, month: "2026-11", policy: '"monthly";q=50;w=2592000', left: '"monthly";r=0;t=3600' },
])("after $used of 50 renders in $month, the headers state the limit and the remaining renders", (usage) => {
  const headers = rateLimitHeaders({ used: usage.used, limit: 50, month: usage.month, nowMs });

  expect(headers).toEqual({ "RateLimit-Policy": usage.policy, RateLimit: usage.left });
});
