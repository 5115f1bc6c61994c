// The monthly allowance as response headers, as the IETF draft defines them (draft-ietf-httpapi-ratelimit-headers).
import { monthResetsAtMs, secondsUntilReset, type MonthlyUsage } from "../../core/accounts/month.ts";

/** `RateLimit-Policy` and `RateLimit`. Their `q` and `r` are renders, `w` and `t` are seconds. */
export function rateLimitHeaders({ used, limit, month, nowMs }: MonthlyUsage): Record<string, string> {
  const windowSeconds = (monthResetsAtMs(month) - Date.parse(`${month}-01T00:00:00.000Z`)) / 1000;
  return {
    "RateLimit-Policy": `"monthly";q=${limit};w=${windowSeconds}`,
    RateLimit: `"monthly";r=${Math.max(0, limit - used)};t=${secondsUntilReset(nowMs, month)}`,
  };
}
