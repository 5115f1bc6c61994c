import { expect, it, vi } from "vitest";
import { LiquidError } from "../src/errors.ts";
import type { FilterScope } from "../src/filters/filter.ts";
import { Meter } from "../src/meter.ts";
import { problemOf, textOf as exactTextOf } from "./engine.ts";

type Data = Record<string, unknown>;

const scope: Partial<FilterScope> = {
  createdAt: Date.parse("2024-02-29T09:30:00Z"),
  assetReference: (name) => {
    if (name === "logo.svg") return "colophon-file:0;";
    throw new LiquidError(`there is no file assets/${name}`);
  },
};

const reasonOf = (source: string, data: Data = {}) => problemOf(source, data, { scope }).reason;

/**
 * Renders the source. Replaces every no-break or narrow space in the result with a plain space, because ICU versions differ
 * in the kind of space that they use.
 */
function textOf(source: string, own: Partial<FilterScope> = {}, data: Data = {}): string {
  return exactTextOf(source, data, { scope: { ...scope, ...own } }).replaceAll(/\s/g, " ");
}

it.each([
  ["1234.5 | currency: 'EUR'", "en-US", "€1,234.50"],
  ["1234.5 | currency: 'EUR'", "de-DE", "1.234,50 €"],
  ["1234567.8912 | number", "en-US", "1,234,567.891"],
  ["1234567.8912 | number", "de-DE", "1.234.567,891"],
  ["1234567.8912 | number", "ar-EG", "١٬٢٣٤٬٥٦٧٫٨٩١"],
  ["0.19 | percent", "en-US", "19%"],
  ["-0.004 | currency: 'EUR'", "en-US", "€0.00"],
  ["-0.4 | number: 0", "en-US", "0"],
  ["-0.001 | percent", "en-US", "0%"],
  ["-0.006 | currency: 'EUR'", "en-US", "-€0.01"],
])("a number: `%s` is formatted for the locale %s", (expression, locale, expected) => {
  expect(textOf(`{{ ${expression} }}`, { locale })).toBe(expected);
});

it.each([
  ["ar", "USD", "\u2067\u200f\u200e-1,234.50 \u2066US$\u2069\u2069"],
  ["he", "EUR", "\u2067\u200f\u200e-1,234.50 \u200f€\u2069"],
  ["fa", "USD", "\u2066\u200e−\u200e$۱٬۲۳۴٫۵۰\u2069"],
])(
  "a number and its currency are isolated from the surrounding text in the locale %s",
  (locale, currency, expected) => {
    expect(textOf(`{{ -1234.5 | currency: '${currency}' }}`, { locale })).toBe(expected);
  },
);

it.each([
  ["1234.5 | currency: 'JPY'", "¥1,235"],
  ["1234.5 | currency: 'EUR', 0", "€1,235"],
  ["1 | currency: 'USD', 4", "$1.0000"],
  ["'12.5' | currency: 'USD'", "$12.50"],
  ["1234.5 | number: 2", "1,234.50"],
  ["1.005 | number: 0", "1"],
  ["0 | number", "0"],
  ["missing | number", ""],
  ["nil | number", ""],
  ["'' | number", ""],
  ["'<n/a>' | number", "&lt;n/a&gt;"],
  ["0.1234 | percent: 1", "12.3%"],
  ["4 | roman", "iv"],
  ["'1994' | roman | upcase", "MCMXCIV"],
  ["3999 | roman", "mmmcmxcix"],
  ["'4.0' | roman", "iv"],
  ["'1e3' | roman", "i"],
  ["nil | roman", ""],
])("a number: `%s` is printed as %j", (expression, expected) => {
  expect(textOf(`{{ ${expression} }}`)).toBe(expected);
});

it.each(["", "'Euro'", "'E'", "12"])("a number cannot be formatted in the currency %j", (code) => {
  expect(reasonOf(`{{ 1 | currency${code && `: ${code}`} }}`)).toMatch(/^currency needs an ISO 4217 code, got "/);
});

it.each(["0", "4000", "1.5", "'1.5'", "'x'"])("a number: %s has no roman numeral", (value) => {
  expect(reasonOf(`{{ ${value} | roman }}`)).toBe("roman needs a whole number from 1 to 3999");
});

it.each(["21", "-1", "1.5", "'x'"])("a number cannot have %s decimals", (decimals) => {
  expect(reasonOf(`{{ 1 | number: ${decimals} }}`)).toMatch(/^decimals must be a whole number from 0 to 20, got /);
});

it.each([
  ["'2026-11-21' | date: 'short'", "11/21/26"],
  ["'2026-11-21' | date: 'medium'", "Nov 21, 2026"],
  ["'2026-11-21' | date: 'long'", "November 21, 2026"],
  ["'2026-11-21' | date: 'full'", "Saturday, November 21, 2026"],
  ["'2026-11-21' | date", "Nov 21, 2026"],
  ["'2026-11-21' | date: 'MMMM yyyy'", "November 2026"],
  ["'2026-11-21T23:30:00Z' | date: 'medium', 'Asia/Tokyo'", "Nov 22, 2026"],
  ["86400 | date", "Jan 2, 1970"],
  ["'<soon>' | date", "&lt;soon&gt;"],
  ["missing | date", ""],
  ["nil | date", ""],
  ["'' | date", ""],
])("date prints `%s` as %j", (expression, expected) => {
  expect(textOf(`{{ ${expression} }}`)).toBe(expected);
});

it.each([
  ["de-DE", "long", "21. November 2026"],
  ["ar-EG", "long", "٢١ نوفمبر ٢٠٢٦"],
  ["de", "MMMM d", "21. November"],
])("date is formatted for the locale %s in the style %s", (locale, style, expected) => {
  expect(textOf(`{{ '2026-11-21' | date: '${style}' }}`, { locale })).toBe(expected);
});

it.each([
  ["Pacific/Kiritimati", "2026-11-21", "Nov 21, 2026"],
  ["Pacific/Pago_Pago", "2026-11-21", "Nov 21, 2026"],
  ["Asia/Tokyo", "2026-11-21T23:30:00Z", "Nov 22, 2026"],
])("date depends on the time zone %s only if the value has a time: %s", (timeZone, value, expected) => {
  expect(textOf(`{{ '${value}' | date }}`, { timeZone })).toBe(expected);
});

it("date reads `now` as the time when the document was created, not as the current time", () => {
  expect(textOf("{{ 'now' | date: 'long' }}")).toBe("February 29, 2024");
});

it.each(["2026-02-30", "2025-02-29T10:00:00Z", "2026-04-31 10:00", "2026-13-01"])(
  "date prints %s unchanged",
  (value) => {
    expect(textOf("{{ value | date: '%F' }}", {}, { value })).toBe(value);
  },
);

it("date reads dates of at most 64 characters", () => {
  const dateOf = (chars: number) => `2026-11-21T09:30:00.${"0".repeat(chars - 21)}Z`;

  expect(textOf("{{ value | date: '%F' }}", {}, { value: dateOf(64) })).toBe("2026-11-21");
  expect(textOf("{{ value | date: '%F' }}", {}, { value: dateOf(65) })).toBe(dateOf(65));
});

it("date refuses an unknown style", () => {
  expect(reasonOf("{{ 'now' | date: 'Q' }}")).toBe(
    'the style must be short, medium, long, full, a skeleton such as MMMM yyyy or a pattern such as %Y-%m-%d, got "Q"',
  );
});

it("date refuses an unknown time zone", () => {
  expect(reasonOf("{{ 'now' | date: 'long', 'Mars/Olympus' }}")).toContain("Mars/Olympus");
});

it.each([
  ["en-US", "America/New_York", "4:30 AM"],
  ["de-DE", "Europe/Berlin", "10:30"],
  ["fr", "Asia/Kolkata", "15:00"],
])("time is formatted for the locale %s and the time zone %s", (locale, timeZone, expected) => {
  expect(textOf("{{ '2026-11-21T09:30:00Z' | time }}", { locale, timeZone })).toBe(expected);
});

it("time formats a leap second, which a `datetime` may contain", () => {
  expect(textOf("{{ '2016-12-31T23:59:60Z' | time: 'medium' }}")).toBe("11:59:59 PM");
});

it.each([
  [1, "item"],
  [0, "items"],
  [2, "items"],
])("plural chooses one of two forms for %i", (n, expected) => {
  expect(textOf("{{ n | plural: 'item', 'items' }}", {}, { n })).toBe(expected);
});

it.each([
  [1, "plik"],
  [3, "pliki"],
  [5, "plików"],
  [22, "pliki"],
])("plural chooses among the categories of Polish for %i", (n, expected) => {
  const source = "{{ n | plural: one: 'plik', few: 'pliki', other: 'plików' }}";

  expect(textOf(source, { locale: "pl" }, { n })).toBe(expected);
});

it("plural falls back to `other`", () => {
  expect(textOf("{{ 1 | plural: other: 'many' }}")).toBe("many");
});

it.each([
  ["{{ v | slice: 0 }}", "😀"],
  ["{{ v | slice: 1, 2 }}", "x𝒜"],
  ["{{ v | slice: -2, 2 }}", "𝒜y"],
  ["{{ v | slice: 3, 9 }}", "y"],
  ["{{ v | slice: 5 }}", ""],
  ["{{ v | truncate: 3, '…' }}", "😀x…"],
  ["{{ v | truncate: 9 }}", "😀x𝒜y"],
  ["{{ v | size }} {{ v.size }}", "4 4"],
])("slice, truncate and size: %s counts characters and does not split one", (source, expected) => {
  expect(textOf(source, {}, { v: "😀x𝒜y" })).toBe(expected);
});

it.each([
  ["'a-a' | replace: 'a', 'bcd'", "allocateText", 7],
  ["'😀' | split: ''", "allocateItems", 2],
  ["v | where: 'a'", "allocateItems", 3],
  ["v | map: 'a'", "allocateItems", 3],
  ["v | reverse", "allocateItems", 3],
  ["v | concat: v", "allocateItems", 6],
  ["v | slice: 0, 2", "allocateItems", 2],
  ["v | join", "allocateItems", 3],
] as const)("`%s` reserves the memory for its result before creating it", (expression, method, reserved) => {
  const allocate = vi.spyOn(Meter.prototype, method);

  textOf(`{% assign result = ${expression} %}`, {}, { v: [{}, {}, {}] });

  expect(allocate.mock.calls[0]).toEqual([reserved]);
  allocate.mockRestore();
});

it("`uniq` compares twenty long texts within the budget", () => {
  const v = Array.from({ length: 20 }, (_, index) => "x".repeat(20_000) + index);

  expect(textOf("{{ v | uniq | size }}", {}, { v })).toBe("20");
});

it("`join` refuses a result whose separators make it too long", () => {
  const data = { list: Array.from({ length: 100 }, () => "a"), long: "x".repeat(30_000) };

  expect(reasonOf("{% assign text = list | join: long %}", data)).toBe("a string exceeds 2,000,000 characters");
});

it("asset returns the placeholder for a file of the template", () => {
  expect(textOf("{{ 'logo.svg' | asset }}")).toBe("colophon-file:0;");
});

it.each([
  { error: new RangeError("Invalid string length"), reason: /keeps too much data/ },
  { error: new TypeError("a bug"), reason: /a bug/ },
])(
  "asset reports that a limit of JavaScript was reached, and passes on any other error: $error",
  ({ error, reason }) => {
    const assetReference = () => {
      throw error;
    };
    const render = () => textOf("{{ 'logo.svg' | asset }}", { assetReference });

    expect(render).toThrow(reason);
  },
);

it("asset fails for a file that does not exist", () => {
  expect(reasonOf("{{ v | asset }}", { v: "nope.png" })).toBe("there is no file assets/nope.png");
});

it.each([
  ["'özeti' | upcase", "tr", "ÖZETİ"],
  ["'ILIK' | downcase", "tr", "ılık"],
  ["'istanbul ILIK' | capitalize", "tr", "İstanbul ılık"],
  ["'άδεια' | upcase", "el", "ΑΔΕΙΑ"],
])("a text changes its case by the rules of the document's language: `%s` in %s", (expression, language, expected) => {
  expect(textOf(`{{ ${expression} }}`, { language })).toBe(expected);
});

const sorted = (names: string, locale: string) =>
  textOf("{{ n | sort_natural | join }}", { locale }, { n: names.split(" ") });

it.each([
  ["Öberg Zorn Adler Åse", "sv", "Adler Zorn Åse Öberg"],
  ["ılık ince hala çay dal", "tr", "çay dal hala ılık ince"],
])("sort_natural sorts %s by the alphabet of %s", (names, locale, expected) => {
  expect(sorted(names, locale)).toBe(expected);
});

it("sort_natural keeps the order of names that differ only in case", () => {
  expect(sorted("b B a A b", "en-US")).toBe("a A b B b");
});

it("sort_natural sorts texts that begin with the same 200 characters by the rest", () => {
  const start = "x".repeat(200);

  expect(sorted(`${start}b ${start}a`, "sv")).toBe(`${start}a ${start}b`);
});

it("sort_natural does not change `sort`, which orders texts by code point", () => {
  expect(textOf("{{ n | sort | join }}", { locale: "de" }, { n: ["Öl", "Zug", "auf"] })).toBe("Zug auf Öl");
});
