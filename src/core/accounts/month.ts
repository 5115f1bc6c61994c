// Calendar arithmetic for the monthly quota. Months are UTC months in the form `2026-11`. The quota of test renders is per day; their
// period is a day in the form `2026-11-21`. Times are in ms since the epoch.
import { isTestAccountId } from "./account.ts";

/** Returns the UTC month of a time, e.g. `2026-11`. */
export function monthOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 7);
}

/** Returns the quota period of a render at this time: a month, or a day for a test account. */
export function quotaPeriodOf(accountId: string, nowMs: number): string {
  return isTestAccountId(accountId) ? new Date(nowMs).toISOString().slice(0, 10) : monthOf(nowMs);
}

export function isDay(period: string): boolean {
  return period.length === 10;
}

/** Returns the time at which the next month or day begins. */
export function monthResetsAtMs(period: string): number {
  const [year = NaN, month = NaN, day] = period.split("-").map(Number);
  return day === undefined ? Date.UTC(year, month) : Date.UTC(year, month - 1, day + 1);
}

export function periodBeginsAtMs(period: string): number {
  return Date.parse(`${period}${isDay(period) ? "" : "-01"}T00:00:00.000Z`);
}

/** Returns the seconds from `nowMs` until the quota of `month` resets, rounded up and at least 1. */
export function secondsUntilReset(nowMs: number, month = monthOf(nowMs)): number {
  return Math.max(1, Math.ceil((monthResetsAtMs(month) - nowMs) / 1000));
}

/** The usage in a month. `used` is the number of renders that are committed or held. */
export type MonthlyUsage = { used: number; limit: number; month: string; nowMs: number };
