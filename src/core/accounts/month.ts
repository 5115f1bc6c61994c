// The calendar of the allowance: UTC months, written `2026-11`. Pure arithmetic on milliseconds since the epoch.

/** The UTC calendar month of an instant, e.g. `2026-11`. */
export function monthOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 7);
}

/** The first instant of the month after `month`, in ms since the epoch. */
export function monthResetsAtMs(month: string): number {
  const year = Number(month.slice(0, 4));
  const monthNumber = Number(month.slice(5, 7));
  return Date.UTC(year, monthNumber);
}

/** Whole seconds from `nowMs` to the reset of `month`, rounded up, at least 1 (a `Retry-After`). */
export function secondsUntilReset(nowMs: number, month = monthOf(nowMs)): number {
  return Math.max(1, Math.ceil((monthResetsAtMs(month) - nowMs) / 1000));
}

/** `used`: places taken in the month, committed and held together. */
export type MonthlyUsage = { used: number; limit: number; month: string; nowMs: number };

/**
 * `RateLimit-Policy` and `RateLimit` of the monthly allowance, as the IETF draft has them
 * (draft-ietf-httpapi-ratelimit-headers): q and r in renders, w and t in seconds.
 */
export function rateLimitHeaders({ used, limit, month, nowMs }: MonthlyUsage): Record<string, string> {
  const windowSeconds = (monthResetsAtMs(month) - Date.parse(`${month}-01T00:00:00.000Z`)) / 1000;
  return {
    "RateLimit-Policy": `"monthly";q=${limit};w=${windowSeconds}`,
    RateLimit: `"monthly";r=${Math.max(0, limit - used)};t=${secondsUntilReset(nowMs, month)}`,
  };
}
