// Formats values for people. Times are in the reader's time zone.
const dateTime = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const month = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
const number = new Intl.NumberFormat("en");

export function timeText(iso: string): string {
  return dateTime.format(new Date(iso));
}

/** Returns the UTC day of a time or a day such as `2026-11-26`, formatted. */
export function dayText(iso: string): string {
  return date.format(new Date(iso));
}

/** Returns for example `November 2026` for `2026-11`. */
export function monthText(period: string): string {
  return month.format(new Date(period));
}

export function numberText(value: number): string {
  return number.format(value);
}

/** Returns the start of an id, which is enough to recognise it in a list. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

export function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
