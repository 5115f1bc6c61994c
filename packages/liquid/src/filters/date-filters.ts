// Filters that format dates and times for the template's locale and time zone.
import { missingDay } from "colophon-base/calendar-day";
import { costs } from "../costs.ts";
import { LiquidError } from "../errors.ts";
import { isDateStyle, skeletonOptions, type DateStyle } from "../locale/date-skeleton.ts";
import { isNumber, plainNumber } from "../values/numbers.ts";
import { toText } from "../values/text.ts";
import { isNil } from "../values/value.ts";
import { filter, type Filter, type FilterCall, isPrintable } from "./filter.ts";
import { formatterOf } from "./format-filters.ts";

export const dateFilters: Record<string, Filter> = {
  /**
   * `{{ "2026-11-21" | date: "long" }}` -> November 21, 2026; other styles are `short`, `medium`, `full`, skeletons
   * such as `MMMM yyyy`, and patterns such as `%Y-%m-%d`. The second argument is a time zone.
   */
  date: filter([0, 2], (call, input, style, timeZone) =>
    formatDate(call, input, timeZone, (date, zone) => {
      const pattern = toText(call.meter, style);
      if (pattern.includes("%")) return formatPattern(call, date, pattern, zone);
      return formatted(call, date, { ...dateOptions(isNil(style) ? "medium" : pattern), timeZone: zone });
    }),
  ),
  /** `{{ "2026-11-21T09:30:00Z" | time }}` -> 9:30 AM */
  time: filter([0, 2], (call, input, style, timeZone) =>
    formatDate(call, input, timeZone, (date, zone) => {
      const name = isNil(style) ? "short" : toText(call.meter, style);
      return formatted(call, date, { timeStyle: timeStyle(name), timeZone: zone });
    }),
  ),
};

function formatDate(
  call: FilterCall,
  value: unknown,
  timeZone: unknown,
  format: (date: Date, timeZone: string) => string,
): unknown {
  if (!isPrintable(value) || value === "") return "";
  const text = toText(call.meter, value);
  call.meter.charge(costs.parsedDate);
  const date = text === "now" ? new Date(call.scope.createdAt) : toDate(value, text);
  if (Number.isNaN(date.getTime())) return value;
  // A date without a time is the same day in all time zones.
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return format(date, "UTC");
  const zone = isNil(timeZone) ? call.scope.timeZone : toText(call.meter, timeZone);
  if (zone.length > maxZoneChars) throw unknownTimeZone(zone);
  return format(date, zone);
}

const maxZoneChars = 64;
/** No date needs more characters than this. */
const maxDateChars = 64;

/**
 * Converts a value to a date. A number, or a string of nine or more digits, is a time in seconds since the epoch.
 * JavaScript has no leap seconds, so a leap second is read as the previous second.
 */
function toDate(value: unknown, text: string): Date {
  if (text.length > maxDateChars) return new Date(NaN);
  if (isNumber(value)) return new Date(plainNumber(value) * 1000);
  if (/^\d{9,}$/.test(text)) return new Date(Number(text) * 1000);
  return missingDay(text) !== null ? new Date(NaN) : new Date(text.replace(/:60(?=[.Zz+-])/, ":59"));
}

function dateOptions(style: string): Intl.DateTimeFormatOptions {
  if (isDateStyle(style)) return { dateStyle: style };
  const options = style.length > maxPatternChars ? null : skeletonOptions(style);
  if (options) return options;
  const expected = "short, medium, long, full, a skeleton such as MMMM yyyy or a pattern such as %Y-%m-%d";
  throw new LiquidError(`the style must be ${expected}, got "${style.slice(0, 40)}"`);
}

function timeStyle(style: string): DateStyle {
  if (isDateStyle(style)) return style;
  throw new LiquidError(`the style must be short, medium, long or full, got "${style.slice(0, 40)}"`);
}

function formatted(call: FilterCall, date: Date, options: Intl.DateTimeFormatOptions): string {
  const { locale } = call.scope;
  const formatter = dateFormatter(call, locale, options);
  call.meter.charge(/-ca-/i.test(locale) ? costs.formattedCalendar : costs.formattedDate);
  try {
    return formatter.format(date);
  } catch (error) {
    // For the most distant years, the runtime cannot find the new moons that some calendars need.
    throw new LiquidError(`the date is too far away for the calendar of ${locale}`, { cause: error });
  }
}

function dateFormatter(call: FilterCall, locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    const key = `${locale}${JSON.stringify(options)}`;
    return formatterOf(call, key, () => new Intl.DateTimeFormat(locale, options));
  } catch (error) {
    throw error instanceof RangeError ? unknownTimeZone(String(options.timeZone)) : error;
  }
}

function unknownTimeZone(timeZone: string): LiquidError {
  return new LiquidError(`there is no time zone "${timeZone.slice(0, 40)}"`);
}

type DateParts = Record<Intl.DateTimeFormatPartTypes, string>;

/**
 * Formats a date with a pattern of directives such as `%Y`. `-` before the letter removes leading zeros, and `^` converts to
 * upper case.
 */
function formatPattern(call: FilterCall, date: Date, pattern: string, timeZone: string): string {
  call.meter.chargeChars(pattern.length, costs.copiedChar);
  if (pattern.length > maxPatternChars)
    throw new LiquidError(`a date pattern may have at most ${maxPatternChars} characters`);
  const formatter = dateFormatter(call, "en-US", { ...numericParts, timeZone });
  call.meter.charge(costs.dateParts);
  const entries = formatter.formatToParts(date).map(({ type, value }) => [type, value]);
  const numeric = Object.fromEntries(entries) as DateParts;
  const named = (options: Intl.DateTimeFormatOptions) => formatted(call, date, { ...options, timeZone });
  return pattern.replace(/%([-^0_]*)([A-Za-z%])/g, (whole, flags: string, letter: string) => {
    call.meter.charge(costs.directive);
    const directive = Object.hasOwn(directives, letter) ? directives[letter] : undefined;
    if (!directive) return whole;
    const text = directive(numeric, named, date);
    const unpadded = flags.includes("-") ? text.replace(/^[0 ]+(?=.)/, "") : text;
    return flags.includes("^") ? unpadded.toUpperCase() : unpadded;
  });
}

const maxPatternChars = 200;

const numericParts = {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
  timeZoneName: "longOffset",
} as const;

type Directive = (parts: DateParts, named: (options: Intl.DateTimeFormatOptions) => string, date: Date) => string;

const hour12 = ({ hour }: DateParts) => String(((Number(hour) + 11) % 12) + 1);
const dayOfYear = ({ year, month, day }: DateParts) =>
  Math.round((Date.UTC(Number(year), Number(month) - 1, Number(day)) - Date.UTC(Number(year), 0, 1)) / 86_400_000) + 1;
const weekday = ({ year, month, day }: DateParts) =>
  new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDay();
const clock = ({ hour, minute, second }: DateParts) => `${hour}:${minute}:${second}`;

const directives: Record<string, Directive> = {
  "%": () => "%",
  A: (_parts, named) => named({ weekday: "long" }),
  a: (_parts, named) => named({ weekday: "short" }),
  B: (_parts, named) => named({ month: "long" }),
  b: (_parts, named) => named({ month: "short" }),
  h: (_parts, named) => named({ month: "short" }),
  c: (parts, named) =>
    `${named({ weekday: "short" })} ${named({ month: "short" })} ${parts.day} ${clock(parts)} ${parts.year}`,
  D: ({ year, month, day }) => `${month}/${day}/${year.slice(-2)}`,
  d: ({ day }) => day,
  e: ({ day }) => day.replace(/^0/, " "),
  F: ({ year, month, day }) => `${year}-${month}-${day}`,
  H: ({ hour }) => hour,
  I: (parts) => hour12(parts).padStart(2, "0"),
  j: (parts) => String(dayOfYear(parts)).padStart(3, "0"),
  k: ({ hour }) => hour.replace(/^0/, " "),
  L: (_parts, _named, date) => String(date.getUTCMilliseconds()).padStart(3, "0"),
  l: (parts) => hour12(parts).padStart(2),
  M: ({ minute }) => minute,
  m: ({ month }) => month,
  P: ({ hour }) => (Number(hour) < 12 ? "am" : "pm"),
  p: ({ hour }) => (Number(hour) < 12 ? "AM" : "PM"),
  R: ({ hour, minute }) => `${hour}:${minute}`,
  S: ({ second }) => second,
  s: (_parts, _named, date) => String(Math.floor(date.getTime() / 1000)),
  T: clock,
  u: (parts) => String(weekday(parts) || 7),
  w: (parts) => String(weekday(parts)),
  X: clock,
  x: ({ year, month, day }) => `${month}/${day}/${year.slice(-2)}`,
  Y: ({ year }) => year,
  y: ({ year }) => year.slice(-2),
  Z: ({ timeZoneName }) => (/^GMT(\+00:00)?$/.test(timeZoneName) ? "UTC" : timeZoneName),
  z: ({ timeZoneName }) => timeZoneName.slice(3).replace(":", "") || "+0000",
};
