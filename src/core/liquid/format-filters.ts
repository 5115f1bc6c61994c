// Filters that format numbers, money, dates and plurals for the template's locale and time zone.
import { isPrintable, scopeOf, type Filter, type FilterScope, type Formatter } from "./filter-call.ts";

const maxFormatters = 100;

export const formatFilters: Record<string, Filter> = {
  /**
   * Formats an amount of money: `{{ 1234.5 | currency: "EUR" }}` gives €1,234.50. A second argument sets the number of
   * decimals.
   */
  currency(value, code, decimals) {
    const currency = String(code ?? "");
    if (!/^[A-Za-z]{3}$/.test(currency)) throw new Error(`currency needs an ISO 4217 code, got "${currency}"`);
    return formatNumber(scopeOf(this), value, { style: "currency", currency, ...fixedDecimals(decimals) });
  },
  /**
   * Formats a number: `{{ 1234.5 | number: 2 }}` gives 1,234.50. Without an argument, up to three decimals are shown.
   */
  number(value, decimals) {
    return formatNumber(scopeOf(this), value, fixedDecimals(decimals));
  },
  /** Formats a share as a percentage: `{{ 0.19 | percent }}` gives 19%. */
  percent(value, decimals) {
    return formatNumber(scopeOf(this), value, { style: "percent", ...fixedDecimals(decimals ?? 0) });
  },
  /**
   * Formats a date: `{{ "2026-11-21" | date: "long" }}` gives November 21, 2026. Other styles are `short`, `medium` and
   * `full`.
   */
  date(value, style, timeZone) {
    return formatDate(scopeOf(this), value, { dateStyle: dateTimeStyle(style ?? "medium") }, timeZone);
  },
  /** Formats a time: `{{ "2026-11-21T09:30:00Z" | time }}` gives 9:30 AM. */
  time(value, style, timeZone) {
    return formatDate(scopeOf(this), value, { timeStyle: dateTimeStyle(style ?? "short") }, timeZone);
  },
  /**
   * Selects the form of a word for a number: `{{ n }} {{ n | plural: "item", "items" }}`. For languages with more than
   * two forms, the forms are named by CLDR category: `plural: one: "plik", few: "pliki", other: "plików"`.
   */
  plural(value, ...forms) {
    const named = new Map(forms.filter(Array.isArray).map(([key, form]) => [String(key), form]));
    const [one, other] = forms.filter((form) => !Array.isArray(form));
    const scope = scopeOf(this);
    const rules = formatterOf(scope, "plural", () => new Intl.PluralRules(scope.locale));
    const category = rules.select(Number(value));
    return named.get(category) ?? named.get("other") ?? (category === "one" ? one : other) ?? "";
  },
};

function formatNumber(scope: FilterScope, value: unknown, options: Intl.NumberFormatOptions): string {
  if (!isPrintable(value)) return "";
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) return String(value);
  const formatter = formatterOf(scope, JSON.stringify(options), () => new Intl.NumberFormat(scope.locale, options));
  return formatter.format(number);
}

function fixedDecimals(decimals: unknown): Intl.NumberFormatOptions {
  if (decimals === undefined || decimals === null) return {};
  const digits = Number(decimals);
  if (!Number.isInteger(digits) || digits < 0 || digits > 20) {
    throw new Error(`decimals must be a whole number from 0 to 20, got ${String(decimals)}`);
  }
  return { minimumFractionDigits: digits, maximumFractionDigits: digits };
}

function formatDate(
  scope: FilterScope,
  value: unknown,
  options: Intl.DateTimeFormatOptions,
  timeZone: unknown,
): string {
  if (!isPrintable(value) || value === "") return "";
  const date = value === "now" ? new Date(scope.createdAt) : toDate(value);
  if (Number.isNaN(date.getTime())) return String(value);
  // A date without a time is the same day in every time zone.
  const isCalendarDay = typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value);
  const zoned = { ...options, timeZone: isCalendarDay ? "UTC" : String(timeZone ?? scope.timeZone) };
  const formatter = formatterOf(scope, JSON.stringify(zoned), () => new Intl.DateTimeFormat(scope.locale, zoned));
  return formatter.format(date);
}

/**
 * Converts a value to a date. A number is in seconds since the epoch, as in Liquid's own filters. JavaScript has no
 * leap seconds, so a leap second is read as the second before it.
 */
function toDate(value: string | number | boolean): Date {
  return new Date(typeof value === "number" ? value * 1000 : String(value).replace(/:60(?=[.Zz+-])/, ":59"));
}

function dateTimeStyle(style: unknown): "short" | "medium" | "long" | "full" {
  if (style === "short" || style === "medium" || style === "long" || style === "full") return style;
  throw new Error(`the style must be short, medium, long or full, got "${String(style)}"`);
}

/**
 * Returns the cached formatter for this key, or creates one. `create` may depend only on the locale, the time zone and
 * the key.
 */
function formatterOf<F extends Formatter>(scope: FilterScope, key: string, create: () => F): F {
  const cached = scope.formatters.get(key);
  if (cached) return cached as F;
  const formatter = create();
  // Keys may contain values from a request, so the number of cached formatters is bounded.
  if (scope.formatters.size >= maxFormatters) scope.formatters.clear();
  scope.formatters.set(key, formatter);
  return formatter;
}
