import { expect, it } from "vitest";
import { runAtOnce } from "colophon-liquid/liquid";
import { customGeometry } from "colophon-page/page-geometry";
import { selfContainedHtml } from "colophon-test-kit/self-contained-html";
import { field, templateContent } from "colophon-test-kit/template-content";
import { compileTemplate } from "../../src/compile-template.ts";
import { commonHeadElements, documentHtml } from "../../src/document/document-html.ts";
import { validateData } from "../../src/validate-data.ts";
import { documentOf, type Case } from "./document-of.ts";

function htmlOf(input: Case): string {
  const result = documentOf(input);
  if (result.status === "ok") return selfContainedHtml(result);
  throw new Error(result.problem.reason);
}

function problemOf(input: Case) {
  const result = documentOf(input);
  if (result.status === "problem") return result.problem;
  throw new Error(`it was rendered as ${result.markupChars} characters of markup`);
}

const bodyOf = (input: Case) => htmlOf(input).split("<body>")[1] ?? "";
const pixel = "data:image/png;base64,iVBORw0KGgo=";
const header = { header: "HEAD", footer: "FOOT" };

it("the document sets its content security policy before anything that the browser could load", () => {
  const html = htmlOf({ content: { ...header, css: "a{}" } });

  expect(html).toMatch(
    /^<!doctype html><html lang="en-US"><head><meta charset="utf-8">\s*<meta http-equiv="Content-Security-Policy"/,
  );
});

it("the document allows only `data:` URIs and inline styles", () => {
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(htmlOf({}))?.[1];

  expect(policy?.split("; ").sort()).toEqual([
    "base-uri 'none'",
    "default-src 'none'",
    "font-src data:",
    "form-action 'none'",
    "img-src data:",
    "style-src 'unsafe-inline'",
  ]);
});

it("the common part of the document's head has as many elements as the page script expects", () => {
  const result = documentOf({});

  const head = result.status === "ok" ? result.html.slice(0, result.headChars) : "";
  expect(head.match(/<(?:meta|style)/g)).toHaveLength(commonHeadElements);
});

it("the document has the escaped title of the template", () => {
  const html = htmlOf({ manifest: { title: "A </title><script>& B" } });

  expect(html).toContain("<title>A &lt;/title&gt;&lt;script&gt;&amp; B</title>");
});

it("the document has the template's language, and the direction of a language that is written from right to left", () => {
  expect(htmlOf({ manifest: { locale: "de-DE" } })).toContain('<html lang="de-DE">');
  expect(htmlOf({ manifest: { locale: "ur-PK" } })).toContain('<html lang="ur-PK" dir="rtl">');
});

it("the document has the messages and formats of the language of its request", () => {
  const locales = [
    { locale: "de", source: '{ "total": "Summe: {n, number}" }' },
    { locale: "en", source: '{ "total": "Total: {n, number}" }' },
  ];
  const input = {
    pages: '{{ "total" | t: n: n }} {{ document.locale }}',
    data: { n: 1234.5 },
    content: { locales },
    manifest: { locale: "en" },
  };

  expect(htmlOf({ ...input, locale: "de-AT" })).toMatch(/<html lang="de-AT">.*>Summe: 1.234,5 de-AT</s);
  expect(htmlOf(input)).toMatch(/<html lang="en">.*>Total: 1,234.5 en</s);
});

it("the document has no div for its only page file", () => {
  expect(bodyOf({ pages: "one" })).toMatch(/^<!--colophon-page-->one</);
});

it("the document has a div for its only page file if the height is automatic", () => {
  expect(bodyOf({ pages: "one", page: customGeometry(302, "auto") })).toMatch(/^<div class="page page-1">one<\/div>/);
});

it("the document has a div for each of several page files, in the order of the files", () => {
  const body = bodyOf({ pages: ["one", "two"] });

  expect(body).toMatch(/<div class="page page-1">one<\/div>\s*<div class="page page-2">two<\/div>/);
});

it.each(["\n ", "<!-- a --> <!-- b -->\n", "<!-- a --> <!-- b"])(
  "the document has no div for a page of %j",
  (blank) => {
    expect(bodyOf({ pages: ["one", blank, "three"] })).toMatch(/>one<\/div>\s*<div class="page page-3">three</);
    expect(bodyOf({ pages: [blank] })).toMatch(/^<div class="page page-1"><\/div>/);
  },
);

it("a part can read the document's id, but not its data", () => {
  const parts = [{ file: "parts/a.liquid", source: "[{{ document.id }}{{ name }}{{ given }}]" }];

  const body = bodyOf({ pages: "{% render 'a', given: name %}", data: { name: "Ada" }, content: { parts } });

  expect(body).toContain("[11111111-1111-4111-8111-111111111111Ada]");
});

it("the document formats values in the template's locale and time zone", () => {
  const pages = "{{ document.createdAt | time }}";

  const body = bodyOf({ pages, manifest: { locale: "de-DE", timeZone: "Asia/Tokyo" } });

  expect(body).toContain(">18:30<");
});

it.each([
  ["pages/2.liquid", { pages: ["fine", "\n{{ v | currency: 'x' }}"] }],
  ["header.liquid", { content: { header: "\n{{ v | currency: 'x' }}" } }],
])("the document is refused with the file and line of a problem in %s", (file, input) => {
  expect(problemOf({ ...input, data: { v: 1 } })).toMatchObject({ file, line: 2 });
});

it("a document on paper has a header and a footer separate from its HTML, rendered with the same data as the pages", () => {
  const result = documentOf({ content: { header: "{{ n }}", footer: "<!-- F" }, data: { n: "<1>" } });

  expect(result.status === "ok" && result.marginContents).toEqual([
    { edge: "header", markup: "&lt;1&gt;", readsPage: false },
    { edge: "footer", markup: "<!-- F", readsPage: false },
  ]);
  expect(result.status === "ok" && result.html).not.toContain("<!-- F");
});

it("a document on paper has the exact paper size and the margins", () => {
  const html = htmlOf({ manifest: { margin: { top: 1, right: 2, bottom: 3, left: 4 } } });

  expect(html).toContain("@page{size:210mm 297mm;margin:1px 2px 3px 4px}");
});

it("a document on paper leaves the page size to the page script if its height is auto", () => {
  const html = htmlOf({ page: customGeometry(302, "auto") });

  expect(html).toContain("--page-width:302px;--page-height:auto");
  expect(html).toContain("@page{margin:");
  expect(html).not.toMatch(/@page\{size/);
});

const png = { format: "png", page: customGeometry(400, 300) } as const;

it("a document rendered as an image has no header and no footer", () => {
  const html = htmlOf({ ...png, content: header });

  expect(html).not.toMatch(/HEAD|FOOT|<template/);
});

it.each([
  ["at least as high as the page when the request gave no height", false, /\{[^}]*width:400px;min-height:300px;/],
  ["exactly as high as the page for a given height", true, /\{[^}]*width:400px;height:300px;overflow:clip;/],
])("a document rendered as an image has no paper size, and pages %s", (_how, fixedHeight, style) => {
  for (const [pages, selector] of [
    [["one"], ":root>:where(body)"],
    [["one", "two"], ".page"],
  ] as const) {
    const html = htmlOf({ ...png, fixedHeight, pages: [...pages] });

    expect(html.split(selector).some((rule) => style.test(rule.slice(0, 100)))).toBe(true);
    expect(html).not.toContain("@page");
  }
});

const assets = { "logo.svg": { contentType: "image/svg+xml", base64: "QUJD" } };
it("an inlined image cannot break out of its attribute", () => {
  const photo = 'data:image/svg+xml,<svg onload="x">';

  const body = bodyOf({ pages: '<img src="{{ photo }}">', data: { photo } });

  expect(body).toContain('<img src="data:image/svg+xml,&lt;svg onload=&#34;x&#34;&gt;">');
});

it("inlined images do not count as markup", () => {
  const photo = `data:image/png;base64,${"A".repeat(900_000)}`;

  const result = documentOf({ pages: '{% for i in (1..5) %}<img src="{{ photo }}">{% endfor %}', data: { photo } });

  expect(result.status === "ok" && result.markupChars).toBeLessThan(500);
});

it("a `data:` URI in a page file does not count as markup", () => {
  const result = documentOf({ pages: `<img src="data:image/png;base64,${"A".repeat(400_000)}">` });

  expect(result.status === "ok" && result.markupChars).toBeLessThan(500);
});

it("every use of a file counts towards the 20 MB of inlined files", () => {
  const photo = `data:image/png;base64,${"A".repeat(900_000)}`;

  const { reason } = problemOf({
    pages: '{% for i in (1..40) %}<img src="{{ photo }}">{% endfor %}',
    data: { photo },
  });

  expect(reason).toBe("the images and fonts inlined in the document exceed 20 MB in total");
});

it("the fonts in the styles count towards the 20 MB of inlined files", () => {
  const font = { contentType: "font/woff2", base64: "A".repeat(28_000_000) };

  const { reason } = problemOf({ content: { assets: { "a.woff2": font }, css: "@font-face{src:url(a.woff2)}" } });

  expect(reason).toContain("20 MB");
});

it("text changes its case by the rules of the document's language, whatever its region is", () => {
  expect(bodyOf({ pages: "{{ name | upcase }}", data: { name: "özeti" }, locale: "tr-TR" })).toContain("ÖZETİ");
});

it("a part gets the whole data only if it is passed", () => {
  const source = "{{ data.name }}, {{ all.age }}, {{ name }}!";
  const part = { file: "parts/card.liquid", source };
  const pages = '{% render "card", data: data %}{% render "card" with data as all %}';

  expect(bodyOf({ pages, content: { parts: [part] }, data: { name: "Ada", age: 36 } })).toContain("Ada, , !, 36, !");
});

it.each([
  [{ data: "own", name: "Ada" }, "own"],
  [{ name: "Ada" }, ""],
])("a field called `data` replaces the whole data, even if it has no value: %j", (data, expected) => {
  const fields = [field("data", "string"), field("name", "string")];
  const part = { file: "parts/card.liquid", source: "({{ data }}{{ data.name }})" };
  const pages = '{% render "card", data: data %}';

  expect(bodyOf({ pages, content: { parts: [part] }, data, fields, manifest: { fields } })).toContain(`(${expected})`);
});

it("a `data:` URI after white space is treated as ordinary text", () => {
  const body = bodyOf({ pages: "<p>{{ photo | upcase }}</p>", data: { photo: ` ${pixel}&` } });

  expect(body).toContain(`<p> ${pixel.toUpperCase()}&amp;</p>`);
});

it("the same images are inserted when the same data is rendered again", () => {
  const { data } = validateData([field("photo", "image")], { photo: pixel });
  const template = compileTemplate(templateContent({ page: '<img src="{{ photo }}">' }));
  if (template.status !== "compiled") throw new Error(JSON.stringify(template.problems));
  const page = customGeometry(400, 300);
  const input = {
    compiled: template.template,
    data,
    id: "d",
    createdAt: 0,
    format: "pdf",
    page,
    fixedHeight: false,
  } as const;
  const render = () => {
    const result = runAtOnce(documentHtml(input));
    return result.status === "ok" ? selfContainedHtml(result) : result.problem;
  };

  const [first, second] = [render(), render()];

  expect(second).toEqual(first);
  expect(first).toContain(`<img src="${pixel}">`);
});

it("a document contains each file once, however often the file is shown", () => {
  const font = { contentType: "font/woff2", base64: "Rk9OVA==" };
  const result = documentOf({
    pages: '{% for i in (1..3) %}<img src="{{ photo }}"><img src="{{ \'logo.svg\' | asset }}">{% endfor %}',
    data: { photo: pixel },
    content: {
      assets: { ...assets, "a.woff2": font },
      css: "@font-face{src:url(a.woff2)}@font-face{src:url('a.woff2')}",
    },
  });

  if (result.status !== "ok") throw new Error(result.problem.reason);
  expect(result.html.split("<body>")[1]).not.toContain("base64,");
  expect(result.css).not.toContain("base64,");
  expect(result.files.map(({ uri }) => uri)).toEqual([pixel, "data:image/svg+xml;base64,QUJD"]);
  expect(result.styleFiles.map(({ uri }) => uri)).toEqual(["data:font/woff2;base64,Rk9OVA=="]);
  expect(selfContainedHtml(result).split(pixel)).toHaveLength(4);
});

it("text in styles is not mistaken for a placeholder", () => {
  const mark = "colophon-file-00000000-0000-0000-0000-000000000000:0;";
  const content = { assets, css: `a::after{content:"${mark}";background:url(logo.svg)}` };

  const [first, second] = [documentOf({ content }), documentOf({ content })];

  if (first.status !== "ok" || second.status !== "ok") throw new Error("it was not rendered");
  expect(second.css).toBe(first.css);
  expect(selfContainedHtml(first)).toContain(`content:"${mark}";background:url("data:image/svg+xml;base64,QUJD")`);
});

it("a file with other characters is converted to the ASCII that a browser would read", () => {
  const result = documentOf({
    pages: '<img src="{{ photo }}">',
    data: { photo: "data:image/svg+xml,<svg><text>é€😀\ud800</text></svg>" },
  });

  expect(result.status === "ok" && result.files[0]?.uri).toBe(
    "data:image/svg+xml,&lt;svg&gt;&lt;text&gt;%C3%A9%E2%82%AC%F0%9F%98%80%EF%BF%BD&lt;/text&gt;&lt;/svg&gt;",
  );
});

it("text that looks like a placeholder is not changed", () => {
  const pages = "<p>{{ note }}</p><img src=\"{{ 'logo.svg' | asset }}\">";

  const body = bodyOf({ pages, content: { assets }, data: { note: "colophon-file:0;" } });

  expect(body).toContain("<p>colophon-file:0;</p>");
});

it("`document` has the id, the creation time and the properties of a field named `document`", () => {
  const fields = [field("document", "object", { fields: [field("title", "string")] })];
  const pages = "{{ document.id }}|{{ document.createdAt }}|{{ document.title }}";

  expect(bodyOf({ pages, fields, data: { document: { title: "Offer" } } })).toContain(
    "11111111-1111-4111-8111-111111111111|2026-11-21T09:30:00.000Z|Offer",
  );
});

it("`document` prints the text of a field named `document`", () => {
  expect(bodyOf({ pages: "{{ document }}|{{ document.id }}", data: { document: "D-7" } })).toContain(
    "D-7|11111111-1111-4111-8111-111111111111",
  );
});

const rows = (chars: number) => ({ pages: "{{ text }}", data: { text: "x".repeat(chars) } });

it("the markup of a document may have exactly two million characters, and no more", () => {
  const empty = documentOf(rows(0));
  const chars = 2_000_000 - (empty.status === "ok" ? empty.markupChars : 0);

  expect(documentOf(rows(chars))).toMatchObject({ status: "ok", markupChars: 2_000_000 });
  const { reason } = problemOf(rows(chars + 1));

  expect(reason).toBe("the markup exceeds 2,000,000 characters; split the document");
});

it("the limit on markup applies to all page files together", () => {
  const text = "x".repeat(700_000);

  const { reason } = problemOf({ pages: ["{{ text }}", "{{ text }}", "{{ text }}"], data: { text } });

  expect(reason).toContain("2,000,000");
});
