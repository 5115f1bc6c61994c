import { describe, expect, it } from "vitest";
import type { FilterScope } from "../../../src/core/liquid/filters/filter.ts";
import { LiquidError } from "../../../src/core/liquid/liquid-error.ts";
import { liquidRender, parseLiquid, runAtOnce } from "../../../src/core/liquid/liquid.ts";

const defaults: FilterScope = {
  locale: "en-US",
  timeZone: "UTC",
  createdAt: Date.parse("2024-02-29T09:30:00Z"),
  assetReference: (name) => {
    if (name === "logo.svg") return "colophon-file:0;";
    throw new LiquidError(`there is no file assets/${name}`);
  },
  formatters: new Map(),
};

function outcome(source: string, scope: Partial<FilterScope> = {}, variables: Record<string, unknown> = {}) {
  const parsed = parseLiquid("pages/1.liquid", source);
  if (parsed.status !== "ok") throw new Error(parsed.problem.reason);
  return runAtOnce(liquidRender(variables, { ...defaults, formatters: new Map(), ...scope }).render(parsed.value));
}

/**
 * Renders the source. Replaces every no-break or narrow space in the result with a plain space, because ICU versions differ
 * in the kind of space that they use.
 */
function textOf(source: string, scope: Partial<FilterScope> = {}, variables: Record<string, unknown> = {}): string {
  const result = outcome(source, scope, variables);
  if (result.status === "problem") throw new Error(result.problem.reason);
  return result.value.replaceAll(/\s/g, " ");
}

function reasonOf(source: string, variables: Record<string, unknown> = {}): string {
  const result = outcome(source, {}, variables);
  if (result.status === "ok") throw new Error(`it was rendered: ${result.value.slice(0, 80)}`);
  return result.problem.reason;
}

describe("currency", () => {
  it.each([
    ["en-US", "€1,234.50"],
    ["de-DE", "1.234,50 €"],
    ["fr", "1 234,50 €"],
    ["ja-JP", "€1,234.50"],
  ])("is formatted for the locale %s", (locale, expected) => {
    expect(textOf("{{ 1234.5 | currency: 'EUR' }}", { locale })).toBe(expected);
  });

  it("is formatted for the locale ar-EG", () => {
    expect(textOf("{{ 1234.5 | currency: 'EUR' }}", { locale: "ar-EG" })).toMatch(/١٬٢٣٤٫٥٠.*€/);
  });

  it("has as many decimals as the currency uses", () => {
    expect(textOf("{{ 1234.5 | currency: 'JPY' }}")).toBe("¥1,235");
  });

  it("has the given number of decimals", () => {
    expect(textOf("{{ 1234.5 | currency: 'EUR', 0 }} {{ 1 | currency: 'USD', 4 }}")).toBe("€1,235 $1.0000");
  });

  it("accepts a number given as text", () => {
    expect(textOf("{{ '12.5' | currency: 'USD' }}")).toBe("$12.50");
  });

  it.each(["", "'Euro'", "'E'", "12"])("refuses the code %j", (code) => {
    expect(reasonOf(`{{ 1 | currency${code && `: ${code}`} }}`)).toMatch(/^currency needs an ISO 4217 code, got "/);
  });
});

describe("number", () => {
  it.each([
    ["en-US", "1,234,567.891"],
    ["de-DE", "1.234.567,891"],
    ["fr", "1 234 567,891"],
    ["ar-EG", "١٬٢٣٤٬٥٦٧٫٨٩١"],
    ["en-IN", "12,34,567.891"],
  ])("is formatted for the locale %s", (locale, expected) => {
    expect(textOf("{{ 1234567.8912 | number }}", { locale })).toBe(expected);
  });

  it("has the given number of decimals", () => {
    expect(textOf("{{ 1234.5 | number: 2 }} {{ 1.005 | number: 0 }}")).toBe("1,234.50 1");
  });

  it.each(["21", "-1", "1.5", "'x'"])("refuses %s decimals", (decimals) => {
    expect(reasonOf(`{{ 1 | number: ${decimals} }}`)).toMatch(/^decimals must be a whole number from 0 to 20, got /);
  });

  it("escapes text that is not a number, but does not format it", () => {
    expect(textOf("{{ v | number }}", {}, { v: "<n/a>" })).toBe("&lt;n/a&gt;");
  });

  it.each(["missing", "nil", "''"])("prints nothing for %s", (value) => {
    expect(textOf(`[{{ ${value} | number }}]`)).toBe("[]");
  });

  it("prints zero", () => {
    expect(textOf("{{ 0 | number }}")).toBe("0");
  });
});

describe("percent", () => {
  it.each([
    ["en-US", "19%"],
    ["de-DE", "19 %"],
    ["fr", "19 %"],
  ])("is formatted for the locale %s", (locale, expected) => {
    expect(textOf("{{ 0.19 | percent }}", { locale })).toBe(expected);
  });

  it("has the given number of decimals", () => {
    expect(textOf("{{ 0.1234 | percent: 1 }}")).toBe("12.3%");
  });
});

describe("date", () => {
  it.each([
    ["short", "11/21/26"],
    ["medium", "Nov 21, 2026"],
    ["long", "November 21, 2026"],
    ["full", "Saturday, November 21, 2026"],
  ])("has the style %s", (style, expected) => {
    expect(textOf(`{{ '2026-11-21' | date: '${style}' }}`)).toBe(expected);
  });

  it("is medium by default", () => {
    expect(textOf("{{ '2026-11-21' | date }}")).toBe("Nov 21, 2026");
  });

  it.each([
    ["de-DE", "21. November 2026"],
    ["fr", "21 novembre 2026"],
    ["ar-EG", "٢١ نوفمبر ٢٠٢٦"],
  ])("is formatted for the locale %s", (locale, expected) => {
    expect(textOf("{{ '2026-11-21' | date: 'long' }}", { locale })).toBe(expected);
  });

  it.each(["Pacific/Kiritimati", "Pacific/Pago_Pago"])(
    "is the same day in the time zone %s when the value has no time",
    (timeZone) => {
      expect(textOf("{{ '2026-11-21' | date }}", { timeZone })).toBe("Nov 21, 2026");
    },
  );

  it("is the day in the template's time zone when the value has a time", () => {
    expect(textOf("{{ '2026-11-21T23:30:00Z' | date }}", { timeZone: "Asia/Tokyo" })).toBe("Nov 22, 2026");
  });

  it("accepts a time zone as its second argument", () => {
    const text = textOf("{{ '2026-11-21T23:30:00Z' | date: 'medium', 'Asia/Tokyo' }}");

    expect(text).toBe("Nov 22, 2026");
  });

  it("reads `now` as the time when the document was created, not as the current time", () => {
    expect(textOf("{{ 'now' | date: 'long' }}")).toBe("February 29, 2024");
  });

  it("reads a number as seconds since the epoch", () => {
    expect(textOf("{{ 86400 | date }}")).toBe("Jan 2, 1970");
  });

  it("escapes text that is not a date, but does not format it", () => {
    expect(textOf("{{ v | date }}", {}, { v: "<soon>" })).toBe("&lt;soon&gt;");
  });

  it.each(["missing", "nil", "''"])("prints nothing for %s", (value) => {
    expect(textOf(`[{{ ${value} | date }}]`)).toBe("[]");
  });

  it.each(["2026-02-30", "2025-02-29T10:00:00Z", "2026-04-31 10:00", "2026-13-01"])(
    "prints %s, a day that does not exist, as it is",
    (value) => {
      expect(textOf("{{ value | date: '%F' }}", {}, { value })).toBe(value);
    },
  );

  it("takes a CLDR skeleton in the order of the language", () => {
    expect(textOf("{{ '2026-11-21' | date: 'MMMM yyyy' }}")).toBe("November 2026");
    expect(textOf("{{ '2026-11-21' | date: 'MMMM d' }}", { locale: "de" })).toBe("21. November");
  });

  it("refuses an unknown style", () => {
    expect(reasonOf("{{ 'now' | date: 'Q' }}")).toBe(
      'the style must be short, medium, long, full, a skeleton such as MMMM yyyy or a pattern such as %Y-%m-%d, got "Q"',
    );
  });

  it("refuses an unknown time zone", () => {
    expect(reasonOf("{{ 'now' | date: 'long', 'Mars/Olympus' }}")).toContain("Mars/Olympus");
  });
});

describe("time", () => {
  it.each([
    ["en-US", "America/New_York", "4:30 AM"],
    ["de-DE", "Europe/Berlin", "10:30"],
    ["fr", "Asia/Kolkata", "15:00"],
  ])("is formatted for the locale %s and the time zone %s", (locale, timeZone, expected) => {
    expect(textOf("{{ '2026-11-21T09:30:00Z' | time }}", { locale, timeZone })).toBe(expected);
  });

  it("follows daylight saving time", () => {
    const text = textOf("{{ '2026-07-01T12:00:00Z' | time: 'short' }}", { locale: "de-DE", timeZone: "Europe/Berlin" });

    expect(text).toBe("14:00");
  });

  it("formats a leap second, which a `datetime` may contain", () => {
    expect(textOf("{{ '2016-12-31T23:59:60Z' | time: 'medium' }}")).toBe("11:59:59 PM");
  });
});

describe("plural", () => {
  it.each([
    [1, "item"],
    [0, "items"],
    [2, "items"],
  ])("chooses between two forms for %i", (n, expected) => {
    expect(textOf("{{ n | plural: 'item', 'items' }}", {}, { n })).toBe(expected);
  });

  it.each([
    [1, "plik"],
    [3, "pliki"],
    [5, "plików"],
    [22, "pliki"],
  ])("chooses among the categories of Polish for %i", (n, expected) => {
    const source = "{{ n | plural: one: 'plik', few: 'pliki', other: 'plików' }}";

    expect(textOf(source, { locale: "pl" }, { n })).toBe(expected);
  });

  it("knows the six forms of Arabic", () => {
    const forms = "zero: 'z', one: 'o', two: 't', few: 'f', many: 'm', other: 'x'";
    const source = `{% for n in ns %}{{ n | plural: ${forms} }}{% endfor %}`;

    expect(textOf(source, { locale: "ar" }, { ns: [0, 1, 2, 3, 11, 100] })).toBe("zotfmx");
  });

  it("falls back to `other`", () => {
    expect(textOf("{{ 1 | plural: other: 'many' }}")).toBe("many");
  });
});

describe("slice and size", () => {
  it.each([
    ["{{ v | slice: 0 }}", "😀"],
    ["{{ v | slice: 1, 2 }}", "x𝒜"],
    ["{{ v | slice: -2, 2 }}", "𝒜y"],
    ["{{ v | slice: 3, 9 }}", "y"],
    ["{{ v | slice: 5 }}", ""],
    ["{{ v | size }} {{ v.size }}", "4 4"],
  ])("%s counts characters and cuts none in half", (source, expected) => {
    expect(textOf(source, {}, { v: "😀x𝒜y" })).toBe(expected);
  });
});

describe("asset", () => {
  it("returns the placeholder for a file of the template", () => {
    expect(textOf("{{ 'logo.svg' | asset }}")).toBe("colophon-file:0;");
  });

  it("fails for a file that does not exist", () => {
    expect(reasonOf("{{ v | asset }}", { v: "nope.png" })).toBe("there is no file assets/nope.png");
  });
});

it.each(["qr_code", "barcode: 'datamatrix'"])("%s is charged to the budget of the document", (filter) => {
  const source = `{% for n in (1..100000) %}{% assign code = v | ${filter} %}{% endfor %}`;

  expect(reasonOf(source, { v: "x".repeat(500) })).toMatch(/does too much work/);
});

it("allows a thousand barcodes in a document", () => {
  expect(textOf("{% for n in (1..1000) %}{% assign code = n | barcode %}{% endfor %}done")).toBe("done");
});

describe("markdown", () => {
  it("returns markup that shows the tags in the value as text", () => {
    expect(textOf("{{ v | markdown }}", {}, { v: "**a** <b>" }).trim()).toBe("<p><strong>a</strong> &lt;b&gt;</p>");
  });

  it.each(["''", "missing", "nil"])("draws nothing for %s", (value) => {
    expect(textOf(`{{ ${value} | markdown }}`)).toBe("");
  });

  it("refuses a text whose conversion would keep the Worker busy for too long, although the budget allows it", () => {
    expect(reasonOf("{{ v | markdown }}", { v: "*a **b** `c` [x](y) ".repeat(5_500) })).toBe(
      "this tag alone does too much work; give it less data at once",
    );
  });

  it("is charged to the budget of the document even if its result is not printed", () => {
    const source = "{% for n in (1..1000) %}{% assign t = v | markdown %}{% endfor %}";

    expect(reasonOf(source, { v: "words and words ".repeat(500) })).toMatch(/does too much work/);
  });

  it("counts towards the limit on the document's output", () => {
    const source = "{% assign html = v | markdown %}{% for n in (1..100) %}{{ html }}{% endfor %}";

    expect(reasonOf(source, { v: "a|b\n-|-\n".concat("x\n".repeat(2_000)) })).toMatch(/exceeds 2,000,000/);
  });
});

describe("qr_code", () => {
  it("draws an SVG that is not escaped", () => {
    expect(textOf("{{ 'https://example.com' | qr_code }}")).toMatch(/^<svg [^>]*viewBox=.*<\/svg>\s*$/);
  });

  it("draws a different code for a different value", () => {
    expect(textOf("{{ 'a' | qr_code }}")).not.toBe(textOf("{{ 'b' | qr_code }}"));
  });

  it("keeps the value out of the markup", () => {
    const text = textOf("{{ v | qr_code }}", {}, { v: "</svg><script>alert(1)</script>" });

    expect(text).not.toContain("script");
  });

  it("refuses a value that does not fit with a reason of one sentence", () => {
    expect(reasonOf("{{ v | qr_code }}", { v: "x".repeat(10_000) })).toBe(
      "qr_code cannot encode the value: Data too long",
    );
  });

  it("does not encode the text `undefined` for a field that is absent", () => {
    const result = outcome("{{ missing | qr_code }}");

    expect(result).not.toEqual(outcome("{{ 'undefined' | qr_code }}"));
  });

  it.each(["''", "missing"])("draws nothing for %s", (value) => {
    expect(textOf(`{{ ${value} | qr_code }}`)).toBe("");
  });
});

describe("barcode", () => {
  it.each([
    ["code128", "JD0146"],
    ["ean13", "4006381333931"],
    ["datamatrix", "JD0146"],
  ])("draws %s", (symbology, v) => {
    expect(textOf(`{{ v | barcode: '${symbology}' }}`, {}, { v })).toMatch(/^<svg .*<\/svg>\s*$/);
  });

  it("is code128 by default", () => {
    expect(textOf("{{ 'JD0146' | barcode }}")).toBe(textOf("{{ 'JD0146' | barcode: 'code128' }}"));
  });

  it("has the given height", () => {
    const height = (source: string) => Number(/viewBox="0 0 \d+ (\d+)"/.exec(textOf(source))?.[1]);

    expect(height("{{ 'A' | barcode: 'code128', 30 }}")).toBeGreaterThan(1.8 * height("{{ 'A' | barcode }}"));
  });

  it.each(["pdf417", "constructor"])("refuses the symbology %s", (symbology) => {
    expect(reasonOf(`{{ 'A' | barcode: '${symbology}' }}`)).toBe(
      `barcode does not support "${symbology}", only code128, ean13, datamatrix`,
    );
  });

  it("states why a value is not an EAN-13", () => {
    expect(reasonOf("{{ '12' | barcode: 'ean13' }}")).toBe(
      "barcode cannot encode the value: EAN-13 must be 12 or 13 digits",
    );
  });

  it("refuses a height that is not a number", () => {
    expect(reasonOf("{{ 'A' | barcode: 'code128', 'tall' }}")).toBe(
      "the height of a barcode must be a number of mm from 1 to 1000",
    );
  });

  it("does not encode the text `undefined` for a field that is absent", () => {
    expect(outcome("{{ missing | barcode }}")).not.toEqual(outcome("{{ 'undefined' | barcode }}"));
  });
});
