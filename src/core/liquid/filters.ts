// The filters that documents need beyond Liquid's own: money, numbers, dates, plurals, assets and codes.
// Locale and time zone are the template's. A new filter is one entry in `documentFilters`.
import { code128, datamatrix, drawingSVG, ean13, type DrawingContext, type RenderOptions } from "bwip-js/generic";
import type { Liquid } from "liquidjs";
import { encode as encodeQr } from "uqr";
import { markdownHtml } from "./markdown.ts";

/** What filters know about the render they run in. */
export type FilterScope = {
  locale: string;
  timeZone: string;
  /** ms since the epoch; what `"now"` means, so that a document's dates do not depend on the clock. */
  createdAt: number;
  /** The text that stands for an asset until it is inlined; throws when the template has no such asset. */
  assetReference: (name: string) => string;
  /** Formatters are dear to make: a template version makes each once. They follow from locale, time zone and the key. */
  formatters: Map<string, Formatter>;
};

export type Formatter = Intl.NumberFormat | Intl.DateTimeFormat | Intl.PluralRules;
type FilterCall = { context: { getRegister(key: string): unknown; renderLimit: { check(time: number): void } } };
type Filter = (this: FilterCall, value: unknown, ...args: unknown[]) => unknown;

const maxFormatters = 100;
export const filterScopeRegister = "colophon";

export function registerDocumentFilters(liquid: Liquid): void {
  for (const [name, handler] of Object.entries(documentFilters)) liquid.registerFilter(name, handler);
  for (const [name, handler] of Object.entries(markupFilters)) liquid.registerFilter(name, { raw: true, handler });
}

/** Filters whose result is text, escaped like every other value. */
const documentFilters: Record<string, Filter> = {
  /** `{{ 1234.5 | currency: "EUR" }}` -> €1,234.50; a second argument fixes the decimals. */
  currency(value, code, decimals) {
    const currency = String(code ?? "");
    if (!/^[A-Za-z]{3}$/.test(currency)) throw new Error(`currency needs an ISO 4217 code, got "${currency}"`);
    return formatNumber(scopeOf(this), value, { style: "currency", currency, ...fixedDecimals(decimals) });
  },
  /** `{{ 1234.5 | number: 2 }}` -> 1,234.50; without decimals up to three are shown. */
  number(value, decimals) {
    return formatNumber(scopeOf(this), value, fixedDecimals(decimals));
  },
  /** `{{ 0.19 | percent }}` -> 19% */
  percent(value, decimals) {
    return formatNumber(scopeOf(this), value, { style: "percent", ...fixedDecimals(decimals ?? 0) });
  },
  /** `{{ "2026-11-21" | date: "long" }}` -> November 21, 2026; also `short`, `medium`, `full`. */
  date(value, style, timeZone) {
    return formatDate(scopeOf(this), value, { dateStyle: dateTimeStyle(style ?? "medium") }, timeZone);
  },
  /** `{{ "2026-11-21T09:30:00Z" | time }}` -> 9:30 AM */
  time(value, style, timeZone) {
    return formatDate(scopeOf(this), value, { timeStyle: dateTimeStyle(style ?? "short") }, timeZone);
  },
  /** `{{ n }} {{ n | plural: "item", "items" }}`, or by CLDR category: `plural: one: "plik", few: "pliki", other: "plików"`. */
  plural(value, ...forms) {
    const named = new Map(forms.filter(Array.isArray).map(([key, form]) => [String(key), form]));
    const [one, other] = forms.filter((form) => !Array.isArray(form));
    const scope = scopeOf(this);
    const rules = memoized(scope, "plural", () => new Intl.PluralRules(scope.locale));
    const category = rules.select(Number(value));
    return named.get(category) ?? named.get("other") ?? (category === "one" ? one : other) ?? "";
  },
  /** `<img src="{{ 'logo.svg' | asset }}">`: a file of the template's `assets/`, inlined. */
  asset(name) {
    return scopeOf(this).assetReference(String(name));
  },
};

/** Filters whose result is markup made here; the value ends up as bars and dots, or escaped. */
const markupFilters: Record<string, Filter> = {
  /** `{{ notes | markdown }}`: CommonMark with tables and strikethrough; tags in the text are shown as text. */
  markdown(value) {
    const text = isPrintable(value) ? String(value) : "";
    // A character takes about as long as a node of the template, and is charged like one.
    charge(this, text.length);
    return markdownHtml(text);
  },
  /** `{{ url | qr_code }}`: an SVG that fills the width of its box. */
  qr_code(value) {
    charge(this, codeCost(value));
    return svgCode("qr_code", value, qrSvg);
  },
  /** `{{ "JD0146" | barcode: "code128" }}`; also `ean13`, `datamatrix`. A second argument gives the height in mm. */
  barcode(value, symbology, heightMm) {
    const name = String(symbology ?? "code128");
    const encode = Object.hasOwn(barcodes, name) ? barcodes[name] : undefined;
    if (!encode) throw new Error(`barcode knows ${Object.keys(barcodes).join(", ")}, got "${name}"`);
    charge(this, codeCost(value));
    const height = Number(heightMm ?? 15);
    const size = name === "datamatrix" ? {} : { height };
    return svgCode("barcode", value, (text) => encode({ bcid: name, text, ...size }, drawingSVG()));
  },
};

/** Of an encoder of its own: bwip's takes seven times as long, a fifth of an invoice's whole render. */
function qrSvg(text: string): string {
  const { size, data } = encodeQr(text, { ecc: "M", border: 0 });
  // One path of one bar for each run of dark modules: neighbours in the same path leave no hairline between them.
  const bars = data.flatMap((row, y) =>
    [
      ...row
        .map((isDark) => (isDark ? "#" : " "))
        .join("")
        .matchAll(/#+/g),
    ].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`),
  );
  return `<svg viewBox="0 0 ${size} ${size}" xmlns="http://www.w3.org/2000/svg"><path d="${bars.join("")}"/></svg>`;
}

type Encoder = (options: RenderOptions, drawing: DrawingContext<string>) => string;

const barcodes: Record<string, Encoder> = { code128, ean13, datamatrix };

/**
 * Nothing is drawn for a value that is absent. The encoder's own messages name its internals; ours names the filter and
 * keeps the reason.
 */
function svgCode(filter: string, value: unknown, encode: (text: string) => string): string {
  const text = isPrintable(value) ? String(value) : "";
  if (text === "") return "";
  try {
    return encode(text).replace(
      "<svg ",
      '<svg style="display:block;width:100%;height:100%;shape-rendering:crispEdges" preserveAspectRatio="xMidYMid meet" ',
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^bwipp?\.?\w*#?\d*:\s*/i, "") : "";
    throw new Error(`${filter} cannot encode the value: ${reason}`, { cause: error });
  }
}

/** A code of 20 characters takes milliseconds, one of 2,000 a tenth of a second: a loop of them has to come to an end. */
function codeCost(value: unknown): number {
  return isPrintable(value) ? 500 + 50 * String(value).length : 0;
}

/** Takes visits from the document's budget; throws when it is used up. */
function charge(call: FilterCall, visits: number): void {
  for (let charged = 0; charged < visits; charged++) call.context.renderLimit.check(0);
}

function scopeOf(call: FilterCall): FilterScope {
  return call.context.getRegister(filterScopeRegister) as FilterScope;
}

/** Liquid's nil is an object of its own, as are lists; none of them has a text to show. */
function isPrintable(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function formatNumber(scope: FilterScope, value: unknown, options: Intl.NumberFormatOptions): string {
  if (!isPrintable(value)) return "";
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) return String(value);
  const formatter = memoized(scope, JSON.stringify(options), () => new Intl.NumberFormat(scope.locale, options));
  return formatter.format(number);
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
  // A date without a time is the same day everywhere.
  const isCalendarDay = typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value);
  const zoned = { ...options, timeZone: isCalendarDay ? "UTC" : String(timeZone ?? scope.timeZone) };
  const formatter = memoized(scope, JSON.stringify(zoned), () => new Intl.DateTimeFormat(scope.locale, zoned));
  return formatter.format(date);
}

/** Numbers are seconds since the epoch, as elsewhere in Liquid. JavaScript knows no leap second: it is shown as the one before. */
function toDate(value: string | number | boolean): Date {
  return new Date(typeof value === "number" ? value * 1000 : String(value).replace(/:60(?=[.Zz+-])/, ":59"));
}

function memoized<F extends Formatter>(scope: FilterScope, key: string, make: () => F): F {
  const known = scope.formatters.get(key);
  if (known) return known as F;
  const made = make();
  // Keys may come from data; what is dropped is made again.
  if (scope.formatters.size >= maxFormatters) scope.formatters.clear();
  scope.formatters.set(key, made);
  return made;
}

function fixedDecimals(decimals: unknown): Intl.NumberFormatOptions {
  if (decimals === undefined || decimals === null) return {};
  const digits = Number(decimals);
  if (!Number.isInteger(digits) || digits < 0 || digits > 20)
    throw new Error(`decimals go from 0 to 20, got ${String(decimals)}`);
  return { minimumFractionDigits: digits, maximumFractionDigits: digits };
}

function dateTimeStyle(style: unknown): "short" | "medium" | "long" | "full" {
  if (style === "short" || style === "medium" || style === "long" || style === "full") return style;
  throw new Error(`the style is short, medium, long or full, got "${String(style)}"`);
}
