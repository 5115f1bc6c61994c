import { describe, expect, it } from "vitest";
import { allFindings } from "../src/findings.ts";
import { validateTemplate } from "colophon-template-model/validate-template";
import { advice } from "../src/check-template.ts";
import { manifest, templateFiles } from "../../../test/fixtures/template-files.ts";

const fields = [
  { key: "due", type: "date" },
  { key: "count", type: "integer" },
  { key: "status", type: "string" },
  { key: "tags", type: "list", items: "string" },
  { key: "logo", type: "image" },
];

type Locales = Record<string, Record<string, unknown>>;

/** Returns what a push says about the page. */
function findingsOf(page: string, locales: Locales, more: Record<string, string> = {}): string[] {
  const jsons = Object.entries(locales).map(([tag, texts]) => [`locales/${tag}.json`, JSON.stringify(texts, null, 1)]);
  const texts = {
    "template.json": manifest({ fields, locale: "en" }),
    "sample.json": '{ "status": "due" }',
    "pages/1.liquid": page,
    ...more,
  };
  const files = templateFiles({ ...texts, ...Object.fromEntries(jsons) });
  const result = validateTemplate({ files, problems: [] }, { advise: advice() });
  return allFindings(result).map(
    ({ severity, file, line, message }) => `${severity === "error" ? "" : "warning: "}${file}:${line}: ${message}`,
  );
}

describe("a message that a page prints", () => {
  it.each([
    ["in another file", '\n{{ "invoice.due" | t }}', []],
    ["that does not exist", '\n{{ "summary" | t }}', ["pages/1.liquid:2: there is no message `summary` in locales/"]],
    [
      "that is misspelt",
      '\n{{ "invoce.due" | t }}',
      ["pages/1.liquid:2: there is no message `invoce.due`; did you mean `invoice.due`?"],
    ],
    ["that is an object", '\n{{ "invoice" | t }}', ["pages/1.liquid:2: there is no message `invoice` in locales/"]],
    [
      "called like a property of JavaScript",
      '{{ "constructor" | t }}',
      ["pages/1.liquid:1: there is no message `constructor` in locales/"],
    ],
    ["in a variable", '{% assign k = "invoice.due" %}{{ k | t }}', []],
    [
      "misspelt in a variable",
      '{% assign k = "invoice.duw" %}\n{{ k | t }}',
      ["pages/1.liquid:2: there is no message `invoice.duw`; did you mean `invoice.due`?"],
    ],
    [
      "misspelt in a part's argument",
      '{% render "p", k: "invoice.duw" %}',
      ["parts/p.liquid:2: there is no message `invoice.duw`; did you mean `invoice.due`?"],
    ],
    ["whose key begins with a known text", '{{ "invoice." | append: status | t }}', []],
    ["whose key begins with a known text, the other way round", '{{ status | prepend: "invoice." | t }}', []],
    [
      "whose key begins like no message",
      '{{ "bill." | append: status | t }}',
      ["pages/1.liquid:1: no message has a key that begins with `bill.`"],
    ],
    ["whose key is data", "{% if due %}{{ status | t }}{% endif %}", []],
  ])("%s", (_what, page, expected) => {
    const findings = findingsOf(
      page,
      { en: { invoice: { due: "Due" } } },
      page.includes("render") ? { "parts/p.liquid": "\n{{ k | t }}" } : {},
    );

    expect(findings).toEqual(expected);
  });

  it("needs a folder `locales`", () => {
    expect(findingsOf('\n{{ "a" | t }}', {})).toEqual([
      "pages/1.liquid:2: the filter `t` needs messages; add a file such as locales/en.json",
    ]);
  });

  it("must have a key that is text", () => {
    expect(findingsOf('{{ tags | t }}{{ "a" | t }}', { en: { a: "A" } })).toEqual([
      "pages/1.liquid:1: the filter `t` needs text, and `tags` is a list of strings",
    ]);
  });
});

describe("a message that is missing in a language", () => {
  const page = '\n{{ "a" | t }}{{ "b.c" | t }}';

  it("is reported in the file of that language, at the object to which it belongs", () => {
    expect(findingsOf(page, { en: { a: "A", b: { c: "C" } }, de: { b: {}, a: "A" } })).toEqual([
      "locales/de.json:2: the message `b.c` is missing; pages/1.liquid uses it in line 2",
    ]);
  });

  it("may come from a language that stands in for it, but not from another language", () => {
    const en = { a: "A", b: { c: "C" } };

    expect(findingsOf(page, { en, "en-GB": { a: "B" } })).toEqual([]);
    expect(findingsOf(page, { en, de: en, "de-AT": {} })).toEqual([]);
    expect(findingsOf(page, { en, fr: { a: "A" } })).toHaveLength(1);
  });

  it("is reported if only the template's own language lacks it", () => {
    expect(findingsOf(page, { en: { a: "A" }, de: { a: "A", "b.c": "C" } })).toEqual([
      "locales/en.json:1: the message `b.c` is missing; pages/1.liquid uses it in line 2",
    ]);
  });

  it("is reported for all messages with a key that begins like that of the page", () => {
    const en = { status: { paid: "paid", open: "open" } };

    expect(findingsOf('{{ "status." | append: status | t }}', { en, de: { status: { paid: "bezahlt" } } })).toEqual([
      "locales/de.json:2: the message `status.open` is missing; pages/1.liquid uses it in line 1",
    ]);
  });
});

describe("the arguments of a message", () => {
  const en = { due: "Due {date, date, long}", items: "{n, plural, one {# item} other {# items}}", name: "{who}" };
  const uses = '{{ "due" | t: date: due }}{{ "items" | t: n: count }}{{ "name" | t: who: status }}';

  it.each([
    ["all given", uses, []],
    [
      "missing",
      '{{ "due" | t }}',
      ["pages/1.liquid:1: the message `due` needs the argument `date`, as in `t: date: …`"],
    ],
    [
      "misnamed",
      '{{ "due" | t: dat: due }}',
      ["pages/1.liquid:1: the argument `dat` of the message `due`: did you mean `date`?"],
    ],
    [
      "too many",
      '{{ "due" | t: date: due, count: count }}',
      ["pages/1.liquid:1: the argument `count` of the message `due` does not exist"],
    ],
    ["an unknown field", '{{ "due" | t: date: duu }}', ["pages/1.liquid:1: `duu`: did you mean `due`?"]],
    ["a filter's name", '{{ "due" | t, date: due }}', [expect.stringContaining("pages/1.liquid:1: ")]],
  ])("are checked: %s", (_what, page, expected) => {
    expect(findingsOf(page, { en })).toEqual(expected);
  });

  it("are those of every language", () => {
    const de = { due: "{date, date} {days}" };

    expect(findingsOf('{{ "due" | t: date: due }}', { en: { due: "{date, date}" }, de })).toEqual([
      "pages/1.liquid:1: the message `due` needs the argument `days`, as in `t: days: …`",
    ]);
  });
});

describe("the plural forms of a message", () => {
  const page = '{{ "m" | t: n: count }}';
  const one = "{n, plural, one {a} other {b}}";
  const pluralsIn = (locale: string, message: string) => findingsOf(page, { en: { m: one }, [locale]: { m: message } });

  it.each([
    ["en", one],
    ["en", "{n, plural, =0 {none} =1 {one} other {#}}"],
    ["fr", one],
    ["pl", "{n, plural, one {a} few {b} many {c} other {d}}"],
    ["ja", "{n, plural, other {#}}"],
    ["en", "{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}"],
  ])("are complete in %s: %s", (locale, message) => {
    expect(pluralsIn(locale, message)).toEqual([]);
  });

  it.each([
    ["pl", one, "lacks the plural forms `few`, `many`, which pl has"],
    ["de", "{n, plural, other {#}}", "lacks the plural form `one`, which de has"],
    ["ar", one, "lacks the plural forms `zero`, `two`, `few`, `many`, which ar has"],
  ])("are warned about in %s: %s", (locale, message, expected) => {
    expect(pluralsIn(locale, message)).toEqual([`warning: locales/${locale}.json:2: the message \`m\` ${expected}`]);
  });
});

it("lists what is missing in a language in the order of the lines", () => {
  const findings = findingsOf('{{ "b.c" | t }}{{ "a.c" | t }}', {
    en: { a: { c: "1" }, b: { c: "2" } },
    de: { a: {}, b: {} },
  });

  expect(findings.map((finding) => finding.split(": ")[0])).toEqual(["locales/de.json:2", "locales/de.json:3"]);
});

it("lists a bounded number of findings for many messages and many mistakes", () => {
  const texts = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, index) => [`some.key.${index}`, "{a, plural, one {x} other {y}}"]),
  );
  const page = Array.from({ length: 500 }, (_, index) => `{{ "some.kei.${index}" | t: b: 1 }}`).join("\n");

  const findings = findingsOf(page, { en: texts, pl: texts });

  expect(findings.length).toBeGreaterThan(100);
  expect(findings.length).toBeLessThanOrEqual(400);
});
