// Calendar arithmetic for the monthly quota. Months are UTC months, written `2026-11`; instants are in ms since the
// epoch.

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

/** The number of whole seconds from `nowMs` until the quota of `month` resets, rounded up and at least 1. */
export function secondsUntilReset(nowMs: number, month = monthOf(nowMs)): number {
  return Math.max(1, Math.ceil((monthResetsAtMs(month) - nowMs) / 1000));
}

/** `used` is the number of renders in the month that are committed or held. */
export type MonthlyUsage = { used: number; limit: number; month: string; nowMs: number };
