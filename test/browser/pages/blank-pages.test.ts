// Tests the blank pages before content that starts on a left or a right page, by reading the texts of real PDFs.
import { getDocumentProxy } from "unpdf";
import { expect, it } from "vitest";
import { readPdf } from "colophon-test-kit/pdf-reader";
import { pagesOf, readPages, wordOn, type PrintedPage } from "../fixtures/printed-pages.ts";
import { rendered } from "../fixtures/rendered.ts";

const sided = (value: string, text: string, style = "") => `<h1 style="break-before:${value};${style}">${text}</h1>`;
const textsOf = async (page: string | string[], content: { css?: string; header?: string; footer?: string } = {}) =>
  (await pagesOf({ page, content })).map(({ text }) => text);

it.each<[what: string, page: string | string[], texts: string[]]>([
  ["chapters", sided("right", "A") + sided("right", "B") + sided("right", "C"), ["A", "", "B", "", "C"]],
  ["a chapter on a left page", `A${sided("left", "B")}${sided("left", "C")}`, ["A", "B", "", "C"]],
  [
    "`recto` and `verso`",
    `A${sided("recto", "B")}${sided("recto", "C")}${sided("verso", "D")}`,
    ["A", "", "B", "", "C", "D"],
  ],
  ["the old properties", '<p style="page-break-after:right">A</p><p style="page-break-before:left">B</p>', ["A", "B"]],
  ["a document that starts on a left page", sided("left", "A") + sided("right", "B"), ["", "A", "B"]],
  [
    "the last child of a box",
    '<div><p>A</p><p style="break-after:right">B</p></div><div><p>C</p></div>',
    ["A B", "", "C"],
  ],
  ["text after a break", 'A<div style="break-after:right"></div>B', ["A", "", "B"]],
  ["an empty box", 'A<div style="break-before:right"></div><p>B</p>', ["A", "", "B"]],
  ["a nested first child", `A<section><div>${sided("right", "B")}</div></section>`, ["A", "", "B"]],
  [
    "rows of a table",
    `<table>${'<tr style="height:450px;break-inside:avoid"><td>A'.repeat(3)}<tr style="break-before:right"><td>B<tr><td>C</table>`,
    ["A A", "A", "B C"],
  ],
  [
    "items of a column",
    `<div style="display:flex;flex-direction:column"><p>A</p>${sided("right", "B")}</div>`,
    ["A", "", "B"],
  ],
  ["page files", ["<style>.page-2,.page-3{break-before:right}</style>A", "B", "C"], ["A", "", "B", "", "C"]],
  [
    "content after a float",
    `A<section style="break-before:right"><img style="float:left" alt=""><p>B</p></section>`,
    ["A", "", "B"],
  ],
  ["a heading that begins above the page", `A${sided("right", "B", "margin-top:-10px")}`, ["A", "", "B"]],
  [
    "a heading across columns",
    `<div style="columns:2">A${sided("right", "B", "column-span:all")}</div>`,
    ["A", "", "B"],
  ],
  ["a variable", '<div style="--side:right">A<p style="break-before:var(--side)">B</p></div>', ["A", "", "B"]],
])("content after a break starts on the requested side of the sheet: %s", async (_what, page, texts) => {
  expect(await textsOf(page)).toEqual(texts);
});

it.each<[what: string, page: string, texts: string[]]>([
  ["an ordinary break before", `<p style="break-after:page">A</p>${sided("right", "B")}`, ["A", "", "B"]],
  ["an ordinary break after", `<p style="break-after:right">A</p>${sided("page", "B")}`, ["A", "", "B"]],
  ["the other side", `<p style="break-after:right">A</p>${sided("left", "B")}`, ["A", "B"]],
  ["an outer and an inner box", `A<div style="break-before:right">${sided("left", "B")}</div>`, ["A", "B"]],
  [
    "an inner and an outer box",
    '<div style="break-after:right"><p style="break-after:left">A</p></div>B',
    ["A", "", "B"],
  ],
])("the last of several breaks in the same place decides the side: %s", async (_what, page, texts) => {
  expect(await textsOf(page)).toEqual(texts);
});

it("the first page is a left page if the text of the root element runs from right to left", async () => {
  const page = `A${sided("right", "B")}${sided("right", "C")}${sided("recto", "D")}`;

  expect(await textsOf(page, { css: "html { direction: rtl }" })).toEqual(["A", "B", "", "C", "D"]);
});

it.each<[what: string, page: string, texts: string[]]>([
  ["ordinary breaks", `A${sided("page", "B")}`, ["A", "B"]],
  ["a side that the content has anyway", `A${sided("page", "B")}${sided("right", "C")}`, ["A", "B", "C"]],
  ["an element that is not printed", `A${sided("right", "B", "display:none")}`, ["A"]],
  ["styles for the screen", "<style>@media screen{p{break-before:right}}</style>A<p>B</p>", ["A B"]],
  ["the end of the document", 'A<p style="break-after:right">B</p>', ["A B"]],
  ["an overridden break", "<style>p{break-before:right}div p{break-before:auto}</style>A<div><p>B</p></div>", ["A B"]],
  ["other properties", '<p style="float:left">A</p><p style="clear:right;text-align:left">B</p>', ["A B"]],
  ["a break inside a text", "A<p>B <code>break-before: right</code></p>", ["A B break-before: right"]],
  ["a class", "<style>.right{text-align:right}</style>A<p class=right>B</p>", ["A B"]],
  ["an element that is displayed as its content", `A<div style="display:contents;--x:right">B</div>`, ["A B"]],
])("no unnecessary blank page is printed: %s", async (_what, page, texts) => {
  const { bytes, warnings } = await rendered({ page });

  expect((await readPages(bytes)).map(({ text }) => text)).toEqual(texts);
  expect(warnings).toEqual([]);
});

it.each([
  ["columns", '<div style="columns:2"><p>A</p><p style="break-before:right">B</p></div>'],
  ["an inline box", 'A<b style="break-before:right">B</b>'],
  ["a float", 'A<p style="float:left;break-before:right">B</p>'],
])("a break that has no effect adds no blank page and causes a warning: %s", async (_what, page) => {
  const { record, warnings } = await rendered({ page });

  expect(record.pageCount).toBe(1);
  expect(warnings).toEqual([expect.stringMatching(/`break-before: right`, which has no effect/)]);
});

it("an image and a PDF with automatic height have no blank pages", async () => {
  const page = ["A", "B", "C"];
  const css = ".page-2,.page-3 { break-before: right }";
  const heightOf = async (content: object) =>
    (await rendered({ page, content }, { format: "png", deviceScaleFactor: 1 })).record.height;

  const auto = await rendered({ page, content: { css } }, { height: "auto" });

  expect(auto.record.pageCount).toBe(3);
  expect(await heightOf({ css })).toBe(await heightOf({}));
});

/** Returns the number of pages without content. */
function emptyPages(bytes: Uint8Array): number {
  const pages = [...readPdf(bytes).objects.values()].filter((source) => /\/Type\s*\/Page\b/.test(source));
  return pages.filter((source) => !source.includes("/Contents")).length;
}

const chapters = `${sided("right", "A")}${sided("right", "B")}`;
const counter = "<span class='pageNumber'></span>/<span class='totalPages'></span>";

it("a blank page is counted, and shows no header or footer, also with a background", async () => {
  const footer = `<div>footer <b class="odd-page">odd</b><b class="even-page">even</b> ${counter}</div>`;
  const content = {
    css: ".page-footer { background: red }",
    header: "<style>p{color:red}</style><p>header</p>",
    footer,
  };

  const { bytes } = await rendered({ page: chapters, content });

  const texts = (await readPages(bytes)).map(({ text }) => text.split(" ").toSorted().join(" ").trim());
  expect(texts).toEqual(["1/3 A footer header odd", "", "3/3 B footer header odd"]);
  expect(emptyPages(bytes)).toBe(1);
});

it("a blank page shows the elements with its class, which are hidden on other pages", async () => {
  const footer = `text <div>box <div class="blank-page"><b class="even-page">blank ${counter}</b><i class="odd-page">odd</i></div></div>`;

  const pages = await textsOf(chapters, { header: '<p class="later-pages blank-page">left empty</p>', footer });

  expect(pages[0]).not.toContain("blank");
  expect(pages[1]?.split(" ").toSorted().join(" ").trim()).toBe("2/3 blank empty left");
  expect(pages[2]).toContain("text box");
});

it("a header that is higher on blank pages does not change the other pages", async () => {
  const topOf = async (header: string) =>
    (await pagesOf({ page: chapters, content: { header } })).map(({ words }) => words[0]?.top);

  const [first, , third] = await topOf('<p class="blank-page" style="height:300px">x</p>');

  expect([first, third]).toEqual((await topOf("")).filter((top) => top !== undefined));
});

it("page references, sections, parts, bookmarks and links take blank pages into account", async () => {
  const css = "a::after { content: target-counter(attr(href), page) } h2 { break-before: right }";
  const chapter = (name: string) => `<h2 id="${name}" data-part data-section data-page-value-n="${name}">${name}</h2>`;
  const page = `<p data-part="lower-roman"><a href="#X">X:</a> <a href="#Y">Y:</a></p>${chapter("X")}${chapter("Y")}`;
  const header =
    "{{ page.number }}/{{ page.total }} {{ page.section }} {{ page.partNumber }}/{{ page.partTotal }} {{ page.values.n.last }}";
  const { bytes, record } = await rendered({
    page,
    content: { css, header: `<p class="blank-page">${header}</p><p>${header}</p>` },
  });

  const pages = await readPages(bytes);
  const pdf = await getDocumentProxy(bytes.slice());
  expect(record.pageCount).toBe(5);
  expect(pages.map(({ text }) => text.replace(/\s+/g, " "))).toEqual([
    "X: 3 Y: 5 1/5 1/2",
    "2/5 2/2",
    "X 3/5 X 1/2 X",
    "4/5 X 2/2 X",
    "Y 5/5 Y 1/1 Y",
  ]);
  expect((await bookmarkPlaces(bytes)).map(([place]) => place)).toEqual([2, 4]);
  expect(await pdf.getPageLabels()).toEqual(["i", "ii", "1", "2", "1"]);
});

it.each([
  ["have the same styles", ""],
  ["have different styles", "@page :left { margin-left: 30px }"],
])(
  "a blank page has the size of the page on the other side of its sheet if left and right pages %s",
  async (_what, sides) => {
    const css =
      "@page wide { size: 400px 200px } .wide { page: wide } @page high { size: 300px 600px } .high { page: high }";
    const page = `<p class="wide">A</p><p class="high" style="break-before:right">B</p><p class="wide" style="break-before:right">C</p><p class="high" style="break-before:right">D</p><p class="wide" style="break-before:left">E</p><p class="high" style="break-before:left">F</p>`;

    const pages = await pagesOf({ page, content: { css: css + sides } });

    expect(pages.map(({ width, text }) => `${text}${Math.round(width / 0.75)}`)).toEqual(
      "A400 400 B300 300 C400 400 D300 E400 300 F300".split(" "),
    );
  },
);

const mirrored =
  "@page :left { margin: 100px 50px 50px 20px } @page :right { margin: 50px 20px 50px 100px } p, h1 { margin: 0 }";
const placesOf = (pages: PrintedPage[]) =>
  pages.map(({ words: [word] }) => (word ? `${word.text} ${Math.round(word.left / 0.75)}` : ""));

it("pages have the margins of their side after blank pages, and the blank pages are empty", async () => {
  const page = `<div style="border:9px solid red;padding:0 1px">A${sided("right", "B")}<p style="break-before:page">C</p>${sided("right", "D")}</div>`;

  const { bytes } = await rendered({
    page: `${page}${sided("right", "E")}`,
    content: { css: `${mirrored} h1 ~ p { color: red }` },
  });

  expect(placesOf(await readPages(bytes))).toEqual(["A 110", "", "B 110", "C 30", "D 110", "", "E 100"]);
  expect(emptyPages(bytes)).toBe(2);
});

/** Returns the page and the distance from its top, in pixels, of each bookmark. */
async function bookmarkPlaces(bytes: Uint8Array) {
  const pdf = await getDocumentProxy(bytes.slice());
  const places = (await pdf.getOutline()).map(async ({ dest }) => {
    const [target, , , top] = (await pdf.getDestination(String(dest))) ?? [];
    return [await pdf.getPageIndex(target), Math.round((842 - top) / 0.75)];
  });
  return Promise.all(places);
}

it("bookmarks and page references lead to the right places where left and right pages differ", async () => {
  const css = `${mirrored} a::after { content: target-counter(attr(href), page) }`;
  const page = `<a href="#B">see </a><p style="break-after:right">A</p><h1 id="B">B</h1><h1 style="break-before:left">C</h1>${sided("left", "D")}`;

  const { bytes } = await rendered({ page, content: { css } });
  const startsLeft = await rendered({ page: sided("left", "A") + sided("right", "B"), content: { css } });

  expect((await readPages(bytes)).map(({ text }) => text)).toEqual(["see 3 A", "", "B", "C", "", "D"]);
  expect(await bookmarkPlaces(bytes)).toEqual([
    [2, 50],
    [3, 100],
    [5, 100],
  ]);
  expect(await bookmarkPlaces(startsLeft.bytes)).toEqual([
    [1, 100],
    [2, 50],
  ]);
});

it("a box around the content after a break begins on the same page where left and right pages differ", async () => {
  const chapter = `<div style="padding-top:200px"> <div>${sided("right", "B", "margin:0")}</div></div>`;

  const pages = await pagesOf({ page: `A${chapter}`, content: { css: mirrored } });

  expect(pages.map(({ text }) => text)).toEqual(["A", "", "B"]);
  expect(wordOn(pages[2], "B")?.top).toBeGreaterThan(250 * 0.75);
});

it("a document that starts with a blank page has the styles of the first page on that page", async () => {
  const css = "@page :first { margin: 300px 200px } h1 { margin: 0 }";

  const pages = await pagesOf({ page: `${sided("left", "A")}${sided("left", "B")}`, content: { css } });

  expect(placesOf(pages)).toEqual(["", "A 48", "", "B 48"]);
});

it("pages have the heights of the headers of their side after blank pages", async () => {
  const header = '<div class="odd-page" style="height:200px">odd</div><div class="even-page">even</div>';
  const topsOf = async (page: string) => {
    const pages = await pagesOf({ page, content: { header, css: "p { margin: 0 }" } });
    return pages.map((each) => Math.round(wordOn(each, "body")?.top ?? 0));
  };
  const chapter = '<p style="break-before:right">body</p><p style="break-before:page">body</p>';

  const tops = await topsOf(`<p>body</p>${chapter}${chapter}`);

  const [odd, even] = await topsOf('<p>body</p><p style="break-before:page">body</p>');
  expect(tops).toEqual([odd, 0, odd, even, odd, even]);
});

it("margins grow for a header that reads `page` and is higher on an even page after a blank page", async () => {
  const header = '{% if page.number == 6 %}<div style="height:250px">high</div>{% endif %}';
  const page = `A${sided("right", "B")}${["C", "D", "E"].map((text) => sided("page", text)).join("")}`;

  const pages = await pagesOf({ page, content: { header } });

  const top = wordOn(pages[5], "E")?.top ?? 0;
  expect(top).toBeGreaterThan(250 * 0.75);
});
