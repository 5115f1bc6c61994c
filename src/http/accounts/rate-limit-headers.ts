// Response headers for the monthly allowance, as the IETF draft `draft-ietf-httpapi-ratelimit-headers` defines them.
import {
  isDay,
  monthResetsAtMs,
  periodBeginsAtMs,
  secondsUntilReset,
  type MonthlyUsage,
} from "../../core/accounts/month.ts";
import type { HttpContext } from "../context.ts";

/**
 * Returns `RateLimit-Policy` with the allowance in renders (`q`) and the length of the month in seconds (`w`), and
 * `RateLimit` with the remaining renders (`r`) and the seconds until the next month (`t`).
 */
export function rateLimitHeaders({ used, limit, month, nowMs }: MonthlyUsage): Record<string, string> {
  const windowSeconds = (monthResetsAtMs(month) - periodBeginsAtMs(month)) / 1000;
  const name = isDay(month) ? "daily" : "monthly";
  return {
    "RateLimit-Policy": `"${name}";q=${limit};w=${windowSeconds}`,
    RateLimit: `"${name}";r=${Math.max(0, limit - used)};t=${secondsUntilReset(nowMs, month)}`,
  };
}

export function setRateLimitHeaders(context: HttpContext, { used, month }: { used: number; month: string }): void {
  const { account, services } = context.var;
  const usage = { used, limit: account.plan.monthlyRenders, month, nowMs: services.now() };
  for (const [name, value] of Object.entries(rateLimitHeaders(usage))) context.header(name, value);
}
