import { expect, it } from "vitest";
import { Meter } from "colophon-liquid/meter";
import { exactly } from "../../../liquid/test/engine.ts";
import type { DocumentScope } from "../../src/filters.ts";
import type { MessageCatalog } from "../../src/messages/message-catalog.ts";
import { maxParsedChars, messageCatalog, messagesFor } from "../../src/messages/message-catalog.ts";
import { rendered } from "../engine.ts";

function catalogOf(languages: Record<string, Record<string, string>>): MessageCatalog {
  return messageCatalog(
    new Map(Object.entries(languages).map(([tag, texts]) => [tag, new Map(Object.entries(texts))])),
  );
}

type Render = {
  catalog: MessageCatalog;
  locale?: string;
  ownLocale?: string;
  data?: Record<string, unknown>;
  meter?: Meter;
};

function outcome(source: string, { catalog, locale = "en", ownLocale = "en", data = {}, meter }: Render) {
  const scope = { locale, messages: messagesFor(catalog, locale, ownLocale) };
  return rendered(source, data, { scope, ...(meter && { meter }) });
}

/** Renders one English message, called `m`, with plain spaces instead of other ones. */
function textOf(message: string, data: Record<string, unknown> = {}, locale = "en"): string {
  const names = Object.keys(data);
  const args = names.length > 0 ? `: ${names.map((name) => `${name}: ${name}`).join(", ")}` : "";
  const result = outcome(`{{ "m" | t${args} }}`, {
    catalog: catalogOf({ [locale]: { m: message } }),
    locale,
    ownLocale: locale,
    data,
  });
  if (result.status === "problem") throw new Error(result.problem.reason);
  return result.value.replaceAll(/\s/g, " ");
}

it("the filter `t` prints values in the same way as an output tag", () => {
  expect(textOf("{number}, {city}, {paid}{none}", { number: 20261, city: "Zürich", paid: true, none: null })).toBe(
    "20261, Zürich, true",
  );
});

it.each([
  ["{n, number}", "de", "1.234,5"],
  ["{n, number, integer}", "de", "1.235"],
  ["{n, number, ::.00}", "de", "1.234,50"],
  ["{n, number, ::.0#}", "en", "1,234.5"],
  ["{n, number, ::group-off .00}", "en", "1234.50"],
  ["{n, number, ::currency/EUR}", "de", "1.234,50 €"],
  ["{n, number, ::currency/EUR .##}", "en", "€1,234.5"],
  ["{n, number, percent}", "en", "123,450%"],
])("the filter `t` formats %s in %s", (message, locale, expected) => {
  expect(textOf(message, { n: 1234.5 }, locale)).toBe(expected);
});

it.each([
  ["{d, date}", "en", "Dec 20, 2026"],
  ["{d, date, long}", "de", "20. Dezember 2026"],
  ["{d, date, ::MMMM yyyy}", "fr", "décembre 2026"],
  ["{d, time}", "en", "9:30 AM"],
  ["{d, time, short}", "de", "09:30"],
  ["{d, time, ::Hmm}", "en", "09:30"],
  ["{d, time, ::Hmm}", "es", "9:30"],
])("the filter `t` formats %s in %s", (message, locale, expected) => {
  expect(textOf(message, { d: "2026-12-20T09:30:00Z" }, locale)).toBe(expected);
});

it.each([
  [0, "no items"],
  [1, "1 item"],
  [1234, "1,234 items"],
  [1e21, "1,000,000,000,000,000,000,000 items"],
  [-1, "-1 item"],
  ["2", "2 items"],
  [null, "no items"],
])("the filter `t` chooses the form of a plural for %s", (n, expected) => {
  expect(textOf("{n, plural, =0 {no items} one {# item} other {# items}}", { n })).toBe(expected);
});

it("the filter `t` prints all digits of a decimal, also in a plural", () => {
  const message = "{n} {n, number, ::currency/EUR} {n, plural, one {#} other {# items}}";

  expect(textOf(message, { n: exactly("90071992547409931234.10") })).toBe(
    "90071992547409931234.10 €90,071,992,547,409,931,234.10 90,071,992,547,409,931,234.1 items",
  );
});

it("the filter `t` uses every plural form that a language has", () => {
  const message = "{n, plural, one {plik} few {pliki} many {plików} other {pliku}}";

  expect([1, 3, 5, 1.5].map((n) => textOf(message, { n }, "pl"))).toEqual(["plik", "pliki", "plików", "pliku"]);
});

it("the filter `t` subtracts the offset of ordinals", () => {
  const ordinal = "{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}";
  const guests = "{n, plural, offset:1 =0 {nobody} =1 {Ann} one {Ann and # more} other {Ann and # others}}";

  expect([1, 2, 3, 4, 11, 21].map((n) => textOf(ordinal, { n }))).toEqual(["1st", "2nd", "3rd", "4th", "11th", "21st"]);
  expect([0, 1, 2, 3].map((n) => textOf(guests, { n }))).toEqual([
    "nobody",
    "Ann",
    "Ann and 1 more",
    "Ann and 2 others",
  ]);
});

it("the filter `t` selects a form by a value", () => {
  const message = "{kind, select, company {Good day} other {Hello {name}}}";

  expect(textOf(message, { kind: "company", name: "Ann" })).toBe("Good day");
  expect(textOf(message, { kind: "constructor", name: "Ann" })).toBe("Hello Ann");
});

it("the filter `t` reads quoted braces and a single apostrophe as text", () => {
  expect(textOf("It's '{'{a}'}', '' and 'x'", { a: 1 })).toBe("It&#39;s {1}, &#39; and &#39;x&#39;");
});

it("the filter `t` escapes the message and its values", () => {
  const catalog = catalogOf({ en: { m: "<b>{a}</b>" } });

  expect(outcome('{{ "m" | t: a: a }}', { catalog, data: { a: "<i>" } })).toEqual({
    status: "ok",
    value: "&lt;b&gt;&lt;i&gt;&lt;/b&gt;",
  });
});

it("the filter `t` escapes its arguments, except markup", () => {
  const catalog = catalogOf({ en: { m: "{a} & {b}" } });
  const source = '{% capture a %}<b>{{ x }}</b>{% endcapture %}{{ "m" | t: a: a, b: x }}';

  expect(outcome(source, { catalog, data: { x: "<" } })).toEqual({ status: "ok", value: "<b>&lt;</b> &amp; &lt;" });
});

it("the filter `t` prints nothing for a key that is nil", () => {
  expect(outcome("{{ nothing | t }}", { catalog: catalogOf({ en: {} }) })).toEqual({ status: "ok", value: "" });
});

it.each(["missing", "constructor", "__proto__", "toString", "m.x"])(
  "the filter `t` fails for the key %s, which has no message",
  (key) => {
    const result = outcome("{{ key | t }}", {
      catalog: catalogOf({ en: { m: "x" }, de: {} }),
      locale: "de",
      data: { key },
    });

    expect(result).toMatchObject({
      status: "problem",
      problem: { line: 1, reason: `there is no message "${key}" in locales/de.json, locales/en.json` },
    });
  },
);

it("the filter `t` passes an argument called `__proto__` like any other", () => {
  const catalog = catalogOf({ en: { m: "{__proto__}{constructor}" } });

  expect(outcome('{{ "m" | t: __proto__: a }}', { catalog, data: { a: "x" } })).toEqual({ status: "ok", value: "x" });
});

const catalog = catalogOf({
  en: { m: "en", onlyEnglish: "{n, plural, one {one} other {many}} {n, number}" },
  de: { m: "de", street: "Straße" },
  "de-AT": { m: "de-AT" },
  zh: { m: "zh" },
  "zh-Hant": { m: "zh-Hant" },
});
const messageIn = (key: string, locale: string, data: Record<string, unknown> = {}) =>
  outcome(`{{ "${key}" | t: n: n }}`, { catalog, locale, data });

it.each([
  ["de-AT", "de-AT"],
  ["de-CH", "de"],
  ["de-AT-u-nu-latn", "de-AT"],
  ["de-1901", "de"],
  ["en-u-nu-arab", "en"],
  ["zh-CN", "zh"],
  ["zh-TW", "zh-Hant"],
  ["zh-Hant-HK", "zh-Hant"],
  ["fr", "en"],
])("the language of a message is chosen for the locale %s: %s", (locale, expected) => {
  expect(messageIn("m", locale)).toEqual({ status: "ok", value: expected });
});

it("the language of a message is the nearest language that has the message", () => {
  expect(messageIn("street", "de-AT")).toEqual({ status: "ok", value: "Straße" });
});

it("the language of a message decides its plural forms, while the locale decides the format of its numbers", () => {
  expect(messageIn("onlyEnglish", "de-AT", { n: 1.5 })).toEqual({ status: "ok", value: "many 1,5" });
});

it("messages format numbers for each locale, although the renders of a version share their formatters", () => {
  const formatters: DocumentScope["formatters"] = new Map();

  const texts = ["en", "de", "en"].map((locale) =>
    rendered("{{ 1234.5 | number }}", {}, { scope: { locale, formatters } }),
  );

  expect(texts).toEqual(["1,234.5", "1.234,5", "1,234.5"].map((value) => ({ status: "ok", value })));
});

it("the budget of a render covers the parsing of messages and their output", () => {
  const catalog = catalogOf({ en: { long: "{a}".repeat(1_600) } });
  const first = new Meter();
  const second = new Meter();

  outcome('{{ "long" | t: a: 1 }}', { catalog, meter: first });
  outcome('{{ "long" | t: a: 1 }}', { catalog, meter: second });

  expect(first.work - second.work).toBeGreaterThan(4_800 * 50);
  expect(second.work).toBeGreaterThan(1_600 * 50);
});

it("the budget of a render stops a message that prints a long value many times", () => {
  const catalog = catalogOf({ en: { m: "{a}".repeat(1_000) } });

  const result = outcome('{{ "m" | t: a: a }}', { catalog, data: { a: "x".repeat(100_000) } });

  expect(result).toMatchObject({ status: "problem", problem: { reason: "a message is too long" } });
});

it("a render keeps only a limited number of parsed messages", () => {
  const texts = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, "x".repeat(5_000)]));
  const catalog = catalogOf({ en: texts });

  outcome("{% for i in (0..99) %}{% assign k = i | prepend: 'k' %}{% assign x = k | t %}{% endfor %}", { catalog });

  expect(catalog.parsedChars).toBeLessThanOrEqual(maxParsedChars);
  expect(catalog.parsed.size).toBeLessThanOrEqual(maxParsedChars / 5_000);
});
