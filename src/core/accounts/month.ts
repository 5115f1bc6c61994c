// Calendar arithmetic for the monthly quota. Months are UTC months in the form `2026-11`. Times are in ms since the
// epoch.

/** Returns the UTC month of a time, e.g. `2026-11`. */
export function monthOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 7);
}

/** Returns the time at which the month after `month` begins. */
export function monthResetsAtMs(month: string): number {
  const year = Number(month.slice(0, 4));
  const monthNumber = Number(month.slice(5, 7));
  return Date.UTC(year, monthNumber);
}

/** Returns the seconds from `nowMs` until the quota of `month` resets, rounded up and at least 1. */
export function secondsUntilReset(nowMs: number, month = monthOf(nowMs)): number {
  return Math.max(1, Math.ceil((monthResetsAtMs(month) - nowMs) / 1000));
}

/** The usage in a month. `used` is the number of renders that are committed or held. */
export type MonthlyUsage = { used: number; limit: number; month: string; nowMs: number };
