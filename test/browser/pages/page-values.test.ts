// Tests the page values that headers and footers read.
import { expect, it } from "vitest";
import { pagesOf, wordOn } from "../fixtures/printed-pages.ts";
import { requested } from "../fixtures/rendered.ts";

const show = (name: string) =>
  ["first", "last", "start"].map((which) => `{{ page.values.${name}.${which} | default: "-" }}`).join("/");
const header = `[${show("n")}]`;
const avoid = "<style>tr { break-inside: avoid }</style>";
const block = (value: number | string, px = 300) =>
  `<div data-page-value-n="${value}" style="height:${px}px;break-inside:avoid">x</div>`;

/** Returns what the header shows on each page. */
async function shownOn(page: string, shown = header): Promise<(string | undefined)[]> {
  return (await pagesOf({ page, content: { header: shown } })).map(({ words }) => words.at(-1)?.text);
}

it("a page value has the first and the last value on its page, and the last value on earlier pages", async () => {
  const page = [1, 2, 3, 4, 5].map((value) => block(value)).join("") + '<div style="height:900px">x</div>';

  expect(await shownOn(page)).toEqual(["[1/3/-]", "[4/5/3]", "[5/5/5]"]);
});

it("the head of a table sets a page value once, on the table's first page", async () => {
  const head = '<thead><tr data-page-value-n="head"><th>Head</th></tr></thead>';
  const rows = [1, 2, 3].map((row) => `<tr><td style="height:800px" data-page-value-n="${row}">x</td></tr>`);

  expect(await shownOn(`${avoid}<table>${head}${rows.join("")}</table>`)).toEqual(["[head/1/-]", "[2/2/1]", "[3/3/2]"]);
});

it("hidden elements do not set a page value, but the contents of an element with `display: contents` do", async () => {
  const hidden = '<p hidden data-page-value-n="9">x</p><p style="display:none" data-page-value-n="8">x</p>';
  const contents = '<div style="display:contents" data-page-value-n="2"><p>x</p></div>';

  expect(await shownOn(`${block(1)}${contents}${hidden}`)).toEqual(["[1/2/-]"]);
});

it("elements without text can set a page value", async () => {
  const image = '<svg width="9" height="9"><text>x</text></svg>';
  const rows = [image, "", '<img alt="" width="9" height="9">'].map(
    (content, row) => `<tr data-page-value-n="${row}"><td style="height:800px">${content}</td></tr>`,
  );

  expect(await shownOn(`${avoid}<table>${rows.join("")}</table>`)).toEqual(["[0/0/-]", "[1/1/0]", "[2/2/1]"]);
});

it.each([
  ["in a positioned element", "position:relative", 1],
  ["in a transformed element", "transform:translate(0)", 1],
  ["in right-to-left text", "direction:rtl", 1],
  ["in a column", "float:left;width:50%;position:relative", 2],
])("an element at the top of a page sets a page value on that page if it is %s", async (_where, style, columns) => {
  const line = (value: number) => `<div data-page-value-n="${value}" style="height:300px;${style}">x</div>`;
  const page = `<style>div{break-inside:avoid}</style>${Array.from({ length: 7 * columns }, (_, at) => line(at + 1)).join("")}`;

  const shown = await shownOn(page, "[{{ page.values.n.first }}-{{ page.values.n.last }}]");

  const last = [3, 6, 7].map((row) => row * columns);
  expect(shown).toEqual([`[1-${last[0]}]`, `[${3 * columns + 1}-${last[1]}]`, `[${6 * columns + 1}-${last[2]}]`]);
});

it("a page file sets a page value on its own first page, with and without text", async () => {
  const page = ["<p>cover</p>", '<p data-page-value-n="2">x</p>', '<div data-page-value-n="3"></div><p>x</p>'];

  const printed = await pagesOf({ page, content: { css: "p{margin:0}", header } });

  expect(printed.map(({ words }) => words.at(-1)?.text)).toEqual(["[-/-/-]", "[2/2/-]", "[3/3/2]"]);
});

it("an empty element at the end of a full page adds no page if it sets a page value", async () => {
  const full = '<style>@page{size:384px 576px;margin:96px}</style><div style="height:384px">x</div>';

  const pages = await shownOn(`${full}<div data-page-value-n="1"></div>`, "{{ page.values.n.last }}h");

  expect(pages).toHaveLength(1);
});

it("a page value is printed unchanged, and is a number in filters and conditions if it is written as a JSON number", async () => {
  const shown =
    '{{ page.values.n.last }} {{ page.values.m.last }} {% if page.values.n.last > 9 %}{{ page.values.n.last | currency: "EUR" }}{% endif %}';

  expect(await shownOn('<p data-page-value-n="1234.50" data-page-value-m="&lt;b>">x</p>', shown)).toEqual([
    "1234.50 <b> €1,234.50",
  ]);
});

it("a page value can be read through a variable and in a part", async () => {
  const shown = '{% assign all = page.values %}{{ all.n.first }}{% render "more", values: page.values %}';
  const parts = [{ file: "parts/more.liquid", source: "-{{ values.m.first }}" }];

  const [page] = await pagesOf({
    page: '<p data-page-value-n="1" data-page-value-m="two">x</p>',
    content: { header: shown, parts },
  });

  expect(page?.words.at(-1)?.text).toBe("1-two");
});

it("headers whose height depends on a page value reserve the space for it", async () => {
  const high = "{% if page.values.n.first == 'high' %}<div style='height:300px'>tall</div>{% endif %}low";

  const pages = await pagesOf({ page: `${block(1, 900)}${block("high")}`, content: { header: high } });

  expect(wordOn(pages[1], "x")?.top).toBeGreaterThan(300 * 0.75);
});

it("the first print reserves room for a header that shows only a page value", async () => {
  const [page] = await pagesOf({
    page: '<div data-page-value-n="1">body</div>',
    content: { header: "<div style='font-size:60px'>{{ page.values.n.first }}</div>" },
  });

  expect(wordOn(page, "body")?.top).toBeGreaterThan(80 * 0.75);
});

it("documents with too many elements that set page values are refused", async () => {
  const page = "{% for i in (1..20001) %}<b data-page-value-n=1>x</b>{% endfor %}";

  const response = await requested({ page, content: { header } });

  expect(response.status).toBe(422);
  const { error } = await response.json<{ error: { message: string } }>();
  expect(error.message).toBe(
    "20001 elements set a page value, but at most 20000 are allowed. Split the document into several documents.",
  );
});
