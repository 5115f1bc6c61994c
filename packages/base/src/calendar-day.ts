export const dayMs = 24 * 3_600_000;

/** Returns whether the string is an existing date in the form `YYYY-MM-DD`. */
export function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

/**
 * Returns the date at the beginning of the string if it has the form of a date but does not exist, such as `2026-02-30`;
 * otherwise null. JavaScript would read it as a day of the next month.
 */
export function missingDay(text: string): string | null {
  const [day] = /^\d{4}-\d{2}-\d{2}(?![\d-])/.exec(text) ?? [];
  return day === undefined || isDate(day) ? null : day;
}
