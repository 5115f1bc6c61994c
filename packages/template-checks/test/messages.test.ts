import { expect, it } from "vitest";
import { manifest } from "colophon-test-kit/template-files";
import { findingsOf as findingsOfFiles } from "./corpus/base.ts";

const fields = [
  { key: "due", type: "date" },
  { key: "count", type: "integer" },
  { key: "status", type: "string" },
  { key: "tags", type: "list", items: "string" },
];

type Locales = Record<string, Record<string, unknown>>;

/** Returns the findings of a push about the page, or about the page and a part `p`. */
function findingsOf(page: string, locales: Locales, part?: string): string[] {
  const jsons = Object.entries(locales).map(([tag, texts]) => [`locales/${tag}.json`, JSON.stringify(texts, null, 1)]);
  const found = findingsOfFiles({
    "template.json": manifest({ fields, locale: "en" }),
    "sample.json": '{ "status": "due" }',
    "pages/1.liquid": page,
    ...(part !== undefined && { "parts/p.liquid": part }),
    ...Object.fromEntries(jsons),
  });
  return found.map(
    ({ severity, file, line, message }) => `${severity === "error" ? "" : "warning: "}${file}:${line}: ${message}`,
  );
}

const locales = { en: { invoice: { due: "Due" } } };

it.each([
  '\n{{ "invoice.due" | t }}',
  '{% assign k = "invoice.due" %}{{ k | t }}',
  '{{ "invoice." | append: status | t }}',
  '{{ status | prepend: "invoice." | t }}',
  "{% if due %}{{ status | t }}{% endif %}",
])("the key of a message exists, or may exist, in %s", (page) => {
  expect(findingsOf(page, locales)).toEqual([]);
});

it.each([
  ['{{ "summary" | t }}', "there is no message `summary` in locales/"],
  ['{{ "invoce.due" | t }}', "there is no message `invoce.due`; did you mean `invoice.due`?"],
  ['{{ "invoice" | t }}', "there is no message `invoice` in locales/"],
  ['{{ "constructor" | t }}', "there is no message `constructor` in locales/"],
  ['{% assign k = "invoice.duw" %}{{ k | t }}', "there is no message `invoice.duw`; did you mean `invoice.due`?"],
  ['{{ "bill." | append: status | t }}', "no message has a key that begins with `bill.`"],
])("the key of a message does not exist in %s", (page, message) => {
  expect(findingsOf(`\n${page}`, locales)).toEqual([`pages/1.liquid:2: ${message}`]);
});

it("the key of a message is also checked in a part that receives it as an argument", () => {
  expect(findingsOf('{% render "p", k: "invoice.duw" %}', locales, "\n{{ k | t }}")).toEqual([
    "parts/p.liquid:2: there is no message `invoice.duw`; did you mean `invoice.due`?",
  ]);
});

it("the filter `t` needs a folder `locales`", () => {
  expect(findingsOf('\n{{ "a" | t }}', {})).toEqual([
    "pages/1.liquid:2: the filter `t` needs messages; add a file such as locales/en.json",
  ]);
});

it("the key of a message must be text", () => {
  expect(findingsOf('{{ tags | t }}{{ "a" | t }}', { en: { a: "A" } })).toEqual([
    "pages/1.liquid:1: the filter `t` needs text, and `tags` is a list of strings",
  ]);
});

const page = '\n{{ "a" | t }}{{ "b.c" | t }}';

it("a message that a language lacks is reported in that language's file, at the line of the object that should contain it", () => {
  expect(findingsOf(page, { en: { a: "A", b: { c: "C" } }, de: { b: {}, a: "A" } })).toEqual([
    "locales/de.json:2: the message `b.c` is missing; pages/1.liquid uses it on line 2",
  ]);
});

it("a message that a language lacks may come from a fallback language, but not from any other language", () => {
  const en = { a: "A", b: { c: "C" } };

  expect(findingsOf(page, { en, "en-GB": { a: "B" } })).toEqual([]);
  expect(findingsOf(page, { en, de: en, "de-AT": {} })).toEqual([]);
  expect(findingsOf(page, { en, fr: { a: "A" } })).toHaveLength(1);
});

it("a message is reported as missing if only the template's own language lacks it", () => {
  expect(findingsOf(page, { en: { a: "A" }, de: { a: "A", "b.c": "C" } })).toEqual([
    "locales/en.json:1: the message `b.c` is missing; pages/1.liquid uses it on line 2",
  ]);
});

it("all messages whose keys begin with a computed key's known prefix are required in every language", () => {
  const en = { status: { paid: "paid", open: "open" } };

  expect(findingsOf('{{ "status." | append: status | t }}', { en, de: { status: { paid: "bezahlt" } } })).toEqual([
    "locales/de.json:2: the message `status.open` is missing; pages/1.liquid uses it on line 1",
  ]);
});

const en = { due: "Due {date, date, long}", items: "{n, plural, one {# item} other {# items}}", name: "{who}" };

it("a page may pass all arguments that a message has", () => {
  const page = '{{ "due" | t: date: due }}{{ "items" | t: n: count }}{{ "name" | t: who: status }}';

  expect(findingsOf(page, { en })).toEqual([]);
});

it.each([
  ['{{ "due" | t }}', "the message `due` needs the argument `date`, as in `t: date: …`"],
  ['{{ "due" | t: dat: due }}', "the argument `dat` of the message `due`: did you mean `date`?"],
  ['{{ "due" | t: date: due, count: count }}', "the argument `count` of the message `due` does not exist"],
  ['{{ "due" | t: date: duu }}', "`duu`: did you mean `due`?"],
])("the arguments of a message are wrong in %s", (page, message) => {
  expect(findingsOf(page, { en })).toEqual([`pages/1.liquid:1: ${message}`]);
});

it("the arguments of a message include the arguments that it has in other languages", () => {
  const de = { due: "{date, date} {days}" };

  expect(findingsOf('{{ "due" | t: date: due }}', { en: { due: "{date, date}" }, de })).toEqual([
    "pages/1.liquid:1: the message `due` needs the argument `days`, as in `t: days: …`",
  ]);
});

const one = "{n, plural, one {a} other {b}}";
const pluralsIn = (locale: string, message: string) =>
  findingsOf('{{ "m" | t: n: count }}', { en: { m: one }, [locale]: { m: message } });

it.each([
  ["en", one],
  ["en", "{n, plural, =0 {none} =1 {one} other {#}}"],
  ["fr", one],
  ["pl", "{n, plural, one {a} few {b} many {c} other {d}}"],
  ["ja", "{n, plural, other {#}}"],
  ["en", "{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}"],
])("the plural forms of a message are complete in %s: %s", (locale, message) => {
  expect(pluralsIn(locale, message)).toEqual([]);
});

it.each([
  ["pl", one, "lacks the plural forms `few`, `many`, which pl has"],
  ["de", "{n, plural, other {#}}", "lacks the plural form `one`, which de has"],
  ["ar", one, "lacks the plural forms `zero`, `two`, `few`, `many`, which ar has"],
])("the plural forms of a message cause a warning in %s: %s", (locale, message, expected) => {
  expect(pluralsIn(locale, message)).toEqual([`warning: locales/${locale}.json:2: the message \`m\` ${expected}`]);
});

it("a push lists missing messages in the order of the lines", () => {
  const findings = findingsOf('{{ "b.c" | t }}{{ "a.c" | t }}', {
    en: { a: { c: "1" }, b: { c: "2" } },
    de: { a: {}, b: {} },
  });

  expect(findings.map((finding) => finding.split(": ")[0])).toEqual(["locales/de.json:2", "locales/de.json:3"]);
});

it("a push reports a limited number of problems if there are many messages and many mistakes", () => {
  const texts = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, index) => [`some.key.${index}`, "{a, plural, one {x} other {y}}"]),
  );
  const page = Array.from({ length: 500 }, (_, index) => `{{ "some.kei.${index}" | t: b: 1 }}`).join("\n");

  const findings = findingsOf(page, { en: texts, pl: texts });

  expect(findings.length).toBeGreaterThan(100);
  expect(findings.length).toBeLessThanOrEqual(400);
});
