// Filters that format numbers, money and plurals for the template's locale.
import { isRightToLeft } from "colophon-base/text-direction";
import { costs } from "../costs.ts";
import { LiquidError } from "../errors.ts";
import type { Meter } from "../meter.ts";
import { ExactDecimal } from "../values/exact-decimal.ts";
import { chargedNumber, exactNumberIn, numberIn, plainNumber, wholeNumberIn } from "../values/numbers.ts";
import { toText } from "../values/text.ts";
import { isNil, Markup } from "../values/value.ts";
import { filter, type Filter, type FilterCall, type Formatter, isPrintable, type NumberFormatter } from "./filter.ts";

const maxFormatters = 100;

export const formatFilters: Record<string, Filter> = {
  /** `{{ 1234.5 | currency: "EUR" }}` -> €1,234.50; a second argument sets the number of decimals. */
  currency: filter([0, 2], (call, input, code, decimals) => {
    const currency = toText(call.meter, code);
    if (!/^[A-Za-z]{3}$/.test(currency)) {
      throw new LiquidError(`currency needs an ISO 4217 code, got "${currency.slice(0, 40)}"`);
    }
    return formatNumber(call, input, { style: "currency", currency, ...fixedDecimals(decimals) });
  }),
  /** `{{ 1234.5 | number: 2 }}` -> 1,234.50; without an argument, up to three decimals are shown. */
  number: filter([0, 1], (call, input, decimals) => formatNumber(call, input, fixedDecimals(decimals))),
  /** `{{ 0.19 | percent }}` -> 19% */
  percent: filter([0, 1], (call, input, decimals) =>
    formatNumber(call, input, { style: "percent", ...fixedDecimals(decimals ?? 0) }),
  ),
  /** `{{ 4 | roman }}` -> iv; `upcase` converts it to upper case. */
  roman: filter([0, 0], ({ meter }, input) => {
    if (isNil(input)) return "";
    const number = plainNumber(chargedNumber(meter, input));
    if (!Number.isInteger(number) || number < 1 || number > maxRoman)
      throw new LiquidError(`roman needs a whole number from 1 to ${maxRoman}`);
    meter.charge(costs.formatted);
    return romanText(number);
  }),
  /**
   * `{{ n }} {{ n | plural: "item", "items" }}`, or with a form for each CLDR category:
   * `plural: one: "plik", few: "pliki", other: "plików"`.
   */
  plural: {
    arity: [0, 2],
    options: "any",
    apply(call, input, one, other) {
      const { scope, options, meter } = call;
      const rules = formatterOf(call, "plural", () => new Intl.PluralRules(scope.locale));
      const number = plainNumber(chargedNumber(meter, input));
      chargeFormat(meter, number);
      const category = rules.select(number);
      const named = Object.hasOwn(options, category) ? options[category] : options["other"];
      return named ?? (category === "one" ? one : other) ?? "";
    },
  },
};

const maxRoman = 3_999;
const romanDigits = {
  m: 1000,
  cm: 900,
  d: 500,
  cd: 400,
  c: 100,
  xc: 90,
  l: 50,
  xl: 40,
  x: 10,
  ix: 9,
  v: 5,
  iv: 4,
  i: 1,
};

function romanText(number: number): string {
  let rest = number;
  return Object.entries(romanDigits)
    .map(([digit, value]) => {
      const count = Math.floor(rest / value);
      rest -= count * value;
      return digit.repeat(count);
    })
    .join("");
}

/** Returns the value itself if it is not a number. */
export function formatNumber(call: FilterCall, value: unknown, options: Intl.NumberFormatOptions): unknown {
  if (!isPrintable(value)) return "";
  // Numbers in strings are also formatted.
  const number = exactNumberIn(value instanceof Markup ? value.html : value);
  if (number === null) return value;
  const { meter, scope } = call;
  const formatter = formatterOf(call, JSON.stringify(options), () => numberFormatter(scope.locale, options));
  chargeFormat(meter, number);
  // `Intl` formats a text with all of its digits.
  return formatter.format(number instanceof ExactDecimal ? (number.text as Intl.StringNumericLiteral) : number);
}

function numberFormatter(locale: string, options: Intl.NumberFormatOptions): NumberFormatter {
  // An amount that is rounded to zero has no sign.
  const formatter = new Intl.NumberFormat(locale, { signDisplay: "negative", ...options });
  if (options.style !== "currency" || !isRightToLeft(locale)) return formatter;
  return { format: (number) => withIsolates(formatter.format(number)) };
}

/**
 * Isolates an amount in a right-to-left language, and the Latin symbol after its number. With CLDR's marks alone, `US$` is torn
 * apart, and the symbols of negative and positive amounts are on different sides.
 */
function withIsolates(text: string): string {
  if (!/[\p{L}\p{Sc}]\P{Nd}*$/u.test(text)) return `\u2066${text}\u2069`;
  return `\u2067${text.replace(/\p{Sc}*\p{Script=Latin}\P{Nd}*$/u, "\u2066$&\u2069")}\u2069`;
}

export function chargeFormat(meter: Meter, number: number | ExactDecimal): void {
  if (number instanceof ExactDecimal) {
    return meter.charge(costs.formatted + number.chars * costs.formattedDigit);
  }
  // A number has at most 17 significant digits, but trailing zeros cost as much as digits.
  const zeros = Number.isFinite(number) ? Math.max(0, Math.log10(Math.abs(number)) - 15) : 0;
  meter.charge(costs.formatted + zeros * costs.formattedDigit);
}

function fixedDecimals(decimals: unknown): Intl.NumberFormatOptions {
  if (isNil(decimals)) return {};
  const digits = wholeNumberIn(decimals);
  if (digits === null || digits < 0 || digits > 20) {
    throw new LiquidError(`decimals must be a whole number from 0 to 20, got ${String(numberIn(decimals))}`);
  }
  return { minimumFractionDigits: digits, maximumFractionDigits: digits };
}

/**
 * Returns the cached formatter for this key and the locale, or a new one. `create` may depend only on them. The renders of a version share
 * the cache, even across locales. Creating a formatter is expensive, and is charged accordingly.
 */
export function formatterOf<F extends Formatter>({ scope, meter }: FilterCall, key: string, create: () => F): F {
  const localKey = `${scope.locale} ${key}`;
  const cached = scope.formatters.get(localKey);
  if (cached) return cached as F;
  meter.charge(costs.formatter);
  const formatter = create();
  // Keys may come from data, so the number of cached formatters is bounded.
  if (scope.formatters.size >= maxFormatters) scope.formatters.clear();
  scope.formatters.set(localKey, formatter);
  return formatter;
}
