import { expect, it } from "vitest";
import { runAtOnce } from "colophon-liquid/liquid";
import type { MarginMarkups } from "colophon-page/margin-markups";
import { resolveFiles } from "colophon-page/resolve-files";
import { field } from "colophon-test-kit/template-content";
import { pageInfo } from "../../../src/document/margins/page-info.ts";
import type { TemplateContent } from "../../../src/template.ts";
import { documentOf as document, type Case as DocumentCase } from "../document-of.ts";

type Case = Partial<TemplateContent> & Pick<DocumentCase, "data" | "fields" | "format"> & { page?: string };

/** Renders a document whose title is "Report". */
function documentOf({ page = "", fields = [], data = {}, format = "pdf", ...content }: Case) {
  const result = document({ pages: page, fields, data, format, content, id: "d-1", manifest: { title: "Report" } });
  if (result.status !== "ok") throw new Error(result.problem.reason);
  return result;
}

/** Renders the headers and footers of `pageCount` pages, all of which belong to the section "Terms". */
function outcomeOf(input: Case, pageCount: number) {
  const { margins, files } = documentOf(input);
  if (!margins) throw new Error("no file reads `page`");
  return { outcome: runAtOnce(margins(pageInfo(pageCount, { sections: [{ title: "Terms", page: 0 }] }))), files };
}

/** Returns the headers and footers with their files, including the files in the rest of the document. */
function marginsOf(input: Case, pageCount: number): MarginMarkups {
  const { outcome, files } = outcomeOf(input, pageCount);
  if (outcome.status !== "ok") throw new Error(outcome.problem.reason);
  return { ...outcome.value, files: [...files, ...outcome.value.files] };
}

function headersOf(input: Case, pageCount: number): (string | undefined)[] | undefined {
  const { markups, headerOfPage } = marginsOf(input, pageCount);
  return headerOfPage?.map((index) => markups[index]);
}

function problemOf(input: Case, pageCount: number) {
  const { outcome } = outcomeOf(input, pageCount);
  if (outcome.status !== "problem") throw new Error(`${outcome.value.markups.length} markups were rendered`);
  return outcome.problem;
}

/** Returns the markups of the headers and footers that are known before the document is printed. */
function markupsOf(input: Case): string[] {
  return documentOf(input).marginContents.map(({ markup }) => markup);
}

it("a header that does not read `page` is rendered once, before the document is printed", () => {
  const { margins, marginContents } = documentOf({ header: "{{ document.id }}", footer: "F" });

  expect(margins).toBeNull();
  expect(marginContents).toEqual([
    { edge: "header", markup: "d-1", readsPage: false },
    { edge: "footer", markup: "F", readsPage: false },
  ]);
});

it("a header that does not read `page` is rendered once even if the footer reads `page`", () => {
  const input = { header: "H", footer: "{{ page.number }}" };

  expect(marginsOf(input, 2)).toEqual({ markups: ["1", "2"], headerOfPage: null, footerOfPage: [0, 1], files: [] });
  expect(markupsOf(input)).toEqual(["H", "1", "2", "3", "4"]);
});

it("a header that reads `page` is rendered for every page", () => {
  const header =
    "{{ page.number }}/{{ page.total }} {{ page.section }} {{ page.sectionNumber }}/{{ page.sectionTotal }}";

  expect(headersOf({ header }, 2)).toEqual(["1/2 Terms 1/2", "2/2 Terms 2/2"]);
});

it("a header that reads `page` is rendered for imaginary pages before the document is printed, with the template's title as the section", () => {
  const header = "{{ page.number }}/{{ page.total }} {{ page.section }}";

  expect(markupsOf({ header })).toEqual(["1/4 Report", "2/4 Report", "3/4 Report", "4/4 Report"]);
});

it("a header that reads `page` occurs only once in the document if it is the same on all imaginary pages", () => {
  expect(markupsOf({ header: "{% if page.total > 9 %}long{% else %}short{% endif %}" })).toEqual(["short"]);
});

it("a header that reads `page` can also read the data and `document`", () => {
  const input = { fields: [field("n", "string")], data: { n: "<1>" } };

  expect(headersOf({ header: "{{ n }} {{ document.id }} {{ page.number }}", ...input }, 1)).toEqual([
    "&lt;1&gt; d-1 1",
  ]);
});

it("a header that reads `page` shows the title of a section as text, not as markup", () => {
  const { margins } = documentOf({ header: "{{ page.section }}" });

  const outcome = margins && runAtOnce(margins(pageInfo(1, { sections: [{ title: "<b> & {{ x }}", page: 0 }] })));

  expect(outcome).toMatchObject({ value: { markups: ["&lt;b&gt; &amp; {{ x }}"] } });
});

it("a header that reads `page` starts with new variables on every page", () => {
  const header = '{{ seen }}{% assign seen = page.number %}{% increment n %}{% cycle "a", "b" %}';

  expect(headersOf({ header }, 2)).toEqual(["0a", "0a"]);
});

it("a header that reads `page` is returned once for all pages on which it is the same", () => {
  const header = "{% if page.number == 1 %}first{% else %}later{% endif %}";
  const footer = "{% if page.number == page.total %}last{% else %}later{% endif %}";

  expect(marginsOf({ header, footer }, 4)).toEqual({
    markups: ["first", "later", "last"],
    headerOfPage: [0, 1, 1, 1],
    footerOfPage: [1, 1, 1, 2],
    files: [],
  });
});

const fields = [field("page", "object", { fields: [field("number", "integer"), field("title", "string")] })];
const data = { page: { number: 77, title: "Offer" } };

it("a field named `page` does not hide the properties of the page in a header", () => {
  expect(headersOf({ header: "{{ page.number }} {{ page.title }}", fields, data }, 2)).toEqual(["1 Offer", "2 Offer"]);
});

it("a field named `page` is the only `page` that a page file can read", () => {
  const { html } = documentOf({ header: "{{ page.number }}", page: "({{ page.number }})", fields, data });

  expect(html).toContain("(77)");
});

const assets = { "logo.svg": { contentType: "image/svg+xml", base64: "QUJD" } };
const header = `<img src="{{ 'logo.svg' | asset }}">{{ page.number }}`;

it("the files in headers are returned once, with placeholders in the markups", () => {
  const { markups, files } = marginsOf({ header, assets }, 500);

  expect(files).toHaveLength(1);
  expect(markups).toHaveLength(500);
  expect(markups.map((markup) => resolveFiles(markup, files)).at(-1)).toBe(
    '<img src="data:image/svg+xml;base64,QUJD">500',
  );
});

it("the files in headers are not returned again if the body of the document shows them", () => {
  const { outcome } = outcomeOf({ header, assets, page: "<img src=\"{{ 'logo.svg' | asset }}\">" }, 2);

  expect(outcome).toMatchObject({ status: "ok", value: { files: [] } });
});
it("the files in headers may not exceed 20 MB, where a file counts once for each page with a different header", () => {
  const photo = { contentType: "image/png", base64: "A".repeat(1_000_000) };
  const input = { header, assets: { "logo.svg": photo } };

  expect(marginsOf(input, 20).files).toHaveLength(1);
  expect(problemOf(input, 30)).toEqual({
    file: "header.liquid",
    line: 1,
    reason:
      "the images and fonts inlined in the document exceed 20 MB in total; files in a header or footer that reads " +
      "`page` count once for each page on which it differs",
  });
});

/** A loop that uses 0.6 % of the budget. */
const loop = "{% for i in (1..5000) %}{% if i == 0 %}x{% endif %}{% endfor %}";
const tooMuchWork = "the template does too much work; loop over less data";

it("a loop in a header that reads `page` is within the limits on one page and exceeds them on 500 pages", () => {
  const header = `{{ page.number }}\n${loop}`;

  expect(headersOf({ header }, 1)).toEqual(["1\n"]);
  expect(problemOf({ header }, 500)).toEqual({ file: "header.liquid", line: 2, reason: tooMuchWork });
});

it("the headers, the footers and the pages of a document share one limit on their work", () => {
  const [header, footer] = [`${loop}{{ page.number }}`, `{{ page.number }}${loop}`];

  expect(problemOf({ header, footer }, 90)).toEqual({ file: "footer.liquid", line: 1, reason: tooMuchWork });
  expect(problemOf({ header, page: loop.repeat(90) }, 90)).toMatchObject({ file: "header.liquid" });
});

it("the limits on headers that read `page` are the same in every call, however many calls preceded it", () => {
  const { margins } = documentOf({ header: `${loop}{{ page.number }}` });
  const call = () => margins && runAtOnce(margins(pageInfo(90, {})));

  const outcomes = [call(), call()];

  expect(outcomes.map((outcome) => outcome?.status)).toEqual(["ok", "ok"]);
});

it("other requests can run between two slices of work on headers that read `page`", () => {
  const { margins } = documentOf({ header: `${loop}{{ page.number }}` });

  const pauses = margins ? [...margins(pageInfo(40, {}))] : [];

  expect(pauses.length).toBeGreaterThan(5);
});

it("the different headers and footers of a document may have two million characters in total", () => {
  const text = "x".repeat(9_000);
  const input = { header: `{{ page.number }}${text}`, footer: `${text}{{ page.number }}` };

  expect(marginsOf(input, 110).markups).toHaveLength(220);
  expect(problemOf(input, 112)).toEqual({
    file: "footer.liquid",
    line: 1,
    reason: "the headers and footers of all pages exceed 2,000,000 characters; shorten them or split the document",
  });
});

it("a header that is the same on all pages counts once towards the limits", () => {
  const header = `${"x".repeat(9_000)}{% if page.number == 1 %}first{% endif %}`;

  expect(marginsOf({ header }, 500).markups).toHaveLength(2);
});

it.each([
  ["1234.50", "1234.50"],
  ["-0.5e3", "-0.5e3"],
  ["12345678901234567890.10", "12345678901234567890.10"],
  ["0", "0"],
  ["", '""'],
  [" 1", '" 1"'],
  ["007", '"007"'],
  ["1,5", '"1,5"'],
  ["NaN", '"NaN"'],
  ["1e308", "1e+308"],
  ["1e999", '"1e999"'],
  ["12345678901234567890", '"12345678901234567890"'],
])("the page value %j is %s in Liquid", (value, json) => {
  const { margins } = documentOf({
    page: '<p data-page-value-entry="">',
    header: "{{ page.values.entry.first | json | raw }}",
  });
  if (!margins) throw new Error("no file reads `page`");

  expect(runAtOnce(margins(pageInfo(1, { values: [{ key: "entry", value, page: 0 }] })))).toMatchObject({
    status: "ok",
    value: { markups: [json] },
  });
});

it("an amount is carried forward with all of its digits", () => {
  const { margins } = documentOf({
    fields: [field("amounts", "list", { items: "decimal" })],
    data: { amounts: ["90071992547409910.10", "0.20"] },
    page: "{% for amount in amounts %}{% assign sum = sum | plus: amount %}<p data-page-value-sum='{{ sum }}'>{% endfor %}",
    header: "{{ page.values.sum.last }} {{ page.values.sum.last | plus: 0.05 | currency: 'EUR' }}",
  });
  const value = "90071992547409910.30";

  const outcome = margins && runAtOnce(margins(pageInfo(1, { values: [{ key: "sum", value, page: 0 }] })));

  expect(outcome).toMatchObject({ value: { markups: ["90071992547409910.30 €90,071,992,547,409,910.35"] } });
});
