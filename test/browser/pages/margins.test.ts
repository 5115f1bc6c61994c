// Tests headers and footers by reading the positions of the text in real PDFs.
import { expect, it } from "vitest";
import { templateContent } from "colophon-test-kit/template-content";
import { pagesOf, wordOn, type PrintedPage } from "../fixtures/printed-pages.ts";
import { rendered, requested } from "../fixtures/rendered.ts";

/** A document of three pages. */
const threePages = "{% for i in (1..10) %}<p style='margin:0;height:250px'>body {{ i }}</p>{% endfor %}";

const running = {
  css: ".edge{font-size:20px;line-height:90px;height:90px;text-transform:uppercase}",
  header: "<div class='edge first-page'>first {{ name }}</div><div class='edge later-pages'>later {{ name }}</div>",
  footer: "<div class='edge'>Page <span class='pageNumber'></span> of <span class='totalPages'></span></div>",
};
const paged = () =>
  pagesOf({ page: threePages, fields: templateContent({}).manifest.fields, content: running }, { name: "Ada" });

it("the header and the footer show the data and the page numbers", async () => {
  const pages = await paged();

  const edges = pages.map(({ text }) => text.replace(/body \d+ ?/g, "").trim());
  expect(edges.map((text) => text.split(/\s+/).toSorted().join(" "))).toEqual([
    "1 3 ADA FIRST OF PAGE",
    "2 3 ADA LATER OF PAGE",
    "3 3 ADA LATER OF PAGE",
  ]);
});

it("the header and the footer begin half an inch from the edges of the page in every browser", async () => {
  const row = '<div style="display:flex;justify-content:space-between"><b>left</b><b>right</b></div>';
  const footer = '<p style="margin:0;text-align:center">page <span class="pageNumber"></span></p>';

  const [page] = await pagesOf({ page: "<p>body</p>", content: { header: row, footer } });

  const placed = ["left", "right", "page"].map((text) => wordOn(page, text));
  expect(placed.map((word) => [word?.left.toFixed(0), word?.top.toFixed(0)])).toEqual([
    ["36", "29"],
    ["534", "29"],
    ["281", "820"],
  ]);
});

it.each([
  "@page{page-orientation:rotate-right}",
  "@page{size:A4 landscape;page-orientation:rotate-left}",
  "@page:left{page-orientation:rotate-left}@page:right{page-orientation:rotate-right}",
])("the header and the footer are upright at the edges of pages that are turned by %s", async (css) => {
  const body = "<p style='break-after:page'>body</p><p>body</p>";

  const pages = await pagesOf({ page: body, content: { css, header: "header", footer: "footer" } });

  for (const page of pages) {
    const [header, footer] = [wordOn(page, "header"), wordOn(page, "footer")];
    expect([header?.left.toFixed(0), header?.top.toFixed(0)]).toEqual(["36", "29"]);
    expect(footer?.left).toBeCloseTo(36, 0);
    expect(page.height - (footer?.top ?? 0)).toBeCloseTo(22.5, 0);
  }
  expect(pages).toHaveLength(2);
});

const footerWarnings = async (css: string, footer = '<div id="foot">Registered in <b>Bonn</b></div>') =>
  (await rendered({ page: threePages, content: { css: `#foot{${css}}`, footer } })).warnings;

it.each([
  [
    "position:absolute;bottom:-2cm",
    /^Page 1: \d+ px of `<div id="foot">` are cut off at the bottom edge of the page: “/,
  ],
  ["position:relative;top:3cm", /^Page 1: \d+ px of `<div id="foot">` are cut off at the bottom edge/],
  ["position:fixed;left:210mm", /^Page 1: \d+ px of `<div id="foot">` are cut off at the right edge/],
])("a document names text of a footer that is off the paper because of %s", async (css, message) => {
  expect(await footerWarnings(css)).toEqual([expect.stringMatching(message)]);
});

it("a document names the first page whose footer has text off the paper", async () => {
  const footer = '<p>text</p><div id="foot" class="even-page">Page {{ page.number }}</div>';

  expect(await footerWarnings("position:absolute;bottom:-2cm", footer)).toEqual([
    expect.stringMatching(/^Page 2: .* of `<div id="foot" class="even-page">`.*: “Page 2”/),
  ]);
});

it.each([
  ["is on the paper", "position:absolute;bottom:0"],
  ["is far above the paper", "position:absolute;top:-9999px"],
  ["is invisible", "position:absolute;bottom:-2cm;visibility:hidden"],
  ["reaches over the edge by less than a third of a line", "position:relative;top:1px"],
])("a document does not warn about a positioned footer that %s", async (_what, css) => {
  expect(await footerWarnings(css)).toEqual([]);
});

it("the header and the footer do not overlap the body", async () => {
  for (const { words, height } of await paged()) {
    const tops = words.filter(({ text }) => text.startsWith("body")).map(({ top }) => top);
    // The header and the footer are each 126 px high: 90 px of content and 36 px of padding. One px is 0.75 points.
    expect(Math.min(...tops)).toBeGreaterThan(126 * 0.75);
    expect(Math.max(...tops)).toBeLessThan(height - 126 * 0.75);
  }
});

/** The words of the header and the footer, in the order of the page. */
function marginWords({ words }: PrintedPage): string {
  return words
    .map(({ text }) => text)
    .filter((text) => !text.startsWith("body"))
    .join(" ")
    .replace(/\s+/g, " ")
    .trim();
}

async function marginsOf(content: { header?: string; footer?: string; css?: string }, page: string | string[]) {
  return (await pagesOf({ page, content })).map(marginWords);
}

const classes = `<b class="first-page">FIRST </b><b class="later-pages">LATER </b><b class="odd-page">ODD </b>
    <b class="even-page">EVEN </b><b class="last-page">LAST </b><b class="later-pages odd-page">LATER+ODD</b>`;

it("an element with several classes for pages is shown only on pages to which all of them apply", async () => {
  expect(await marginsOf({ header: classes }, threePages)).toEqual([
    "FIRST ODD",
    "LATER EVEN",
    "LATER ODD LAST LATER+ODD",
  ]);
});

it("the page of a one-page document counts as first, odd and last", async () => {
  expect(await marginsOf({ header: classes }, "<p>body</p>")).toEqual(["FIRST ODD LAST"]);
});

it("each page reserves the space that its own header and footer need", async () => {
  const content = { header: '<div class="odd-page" style="height:200px">odd</div><div class="even-page">even</div>' };

  const pages = await pagesOf({ page: ["<p>body</p>", "<p>body</p>", "<p>body</p>"], content });

  const [first = 0, second = 0, third = 0] = pages.map((page) => wordOn(page, "body")?.top);
  expect(first).toBeGreaterThan(236 * 0.75);
  expect(second).toBeLessThan(100);
  expect(third).toBeCloseTo(first);
});

const onCover = "@page :first { margin: 0 } .page { padding: 0 } .edge { height: 200px; border: 1px solid }";

it.each([
  ["by its class", '<div class="edge later-pages">X</div>', 0],
  ["by the number of the page", '{% if page.number > 1 %}<div class="edge">X</div>{% endif %}', 0],
  ["by a value", '{% if page.values.name.first %}<div class="edge">X</div>{% endif %}', 0],
  ["by no condition, but reads the page", '<div class="edge">{{ page.number }}</div>', 236],
  [
    "by its height",
    '<div class="edge" {% if page.number == 1 %}style="height:5px"{% endif %}>{{ page.number }}</div>',
    43,
  ],
])(
  "a first page without margins has only the space that its own header needs, which differs %s",
  async (_, header, px) => {
    const page = ["<p style='margin:0'>body</p>", "<p data-page-value-name='A'>body</p>"];

    const [first, second] = await pagesOf({ page, content: { header, css: onCover } });

    const least = (px * 3) / 4;
    expect(wordOn(first, "body")?.top).toBeGreaterThanOrEqual(least);
    expect(wordOn(first, "body")?.top).toBeLessThan(least + 15);
    expect(wordOn(second, "body")?.top).toBeGreaterThan(236 * 0.75);
  },
);

it("a first page with a higher margin keeps it if its header is higher than the margin of the template", async () => {
  const content = { header: "<div style='height:200px'>X</div>", css: "@page :first { margin-top: 400px }" };

  const [first, second] = await pagesOf({ page: ["<p>body</p>", "<p>body</p>"], content });

  expect(wordOn(first, "body")?.top).toBeGreaterThan(300);
  expect(wordOn(second, "body")?.top).toBeLessThan(300);
});

it("page counters may occur any number of times, in any style", async () => {
  const number = '<span class="pageNumber"></span>';
  const header = `<p>${number} <b>${number}</b> <i style="font-size:30px">${number}</i></p><p>${number}/<span class="totalPages"></span></p>`;

  expect(await marginsOf({ header }, threePages)).toEqual(["1 1 1 1/3", "2 2 2 2/3", "3 3 3 3/3"]);
});

it("headers and footers are as wide as their page", async () => {
  const css = "@page wide{size:297mm 210mm} .page-2{page:wide}";
  const content = {
    css,
    header: '<div style="display:flex;justify-content:space-between"><b>left</b><b>right</b></div>',
    footer: "<p>foot</p>",
  };

  const pages = await pagesOf({ page: ["<p>body</p>", "<p>body</p>"], content });

  const rightEdges = pages.map((page) => page.width - (wordOn(page, "right")?.left ?? 0));
  expect(Math.abs((rightEdges[1] ?? 0) - (rightEdges[0] ?? 0))).toBeLessThan(1);
  const bottoms = pages.map((page) => page.height - (wordOn(page, "foot")?.top ?? 0));
  expect(Math.abs((bottoms[1] ?? 0) - (bottoms[0] ?? 0))).toBeLessThan(1);
});

it("headers and footers do not inherit the layout or the background of the body", async () => {
  const css =
    "body{columns:2;margin:40px;transform:scale(.5);background:red}body::before{content:'before';position:fixed;top:0}";

  const [page] = await pagesOf({ page: "<p>body</p>", content: { css, footer: "<p>foot</p>" } });

  expect(page?.words.filter(({ text }) => text === "before")).toHaveLength(1);
  expect(wordOn(page, "foot")?.left).toBeCloseTo(36, 0);
});

it("a fixed box in a header is printed only on its own page", async () => {
  const header = '<p style="position:fixed;top:0">Page<span class="pageNumber"></span></p>';

  expect(await marginsOf({ header }, threePages)).toEqual(["Page1", "Page2", "Page3"]);
});

it.each([
  ["higher than the page", "<div style='height:2000px'>high</div>"],
  ["too high on one of the pages", "{% if page.number == 2 %}<div style='height:2000px'>high</div>{% endif %}"],
])("a document is refused if its header is %s", async (_what, header) => {
  const response = await requested({ page: threePages, content: { header } });

  expect(response.status).toBe(422);
  const { error } = await response.json<{ error: { message: string } }>();
  expect(error.message).toMatch(/^The header and the footer leave no space for the content \(heights: header 20\d\d/);
});

const pageHeader =
  "{{ page.number }}/{{ page.total }} {{ page.section }} {{ page.sectionNumber }}/{{ page.sectionTotal }}{% if page.number == page.total %} end{% endif %}";
const section = (title: string, heights: number[]) =>
  `<section style="break-before:page"><h1 style="margin:0">${title}</h1>${heights.map((px) => `<div style="height:${px}px">body</div>`).join("")}</section>`;

it("headers and footers that read `page` get the number of the page and of its section", async () => {
  const page = section("One", [900, 900]) + section("Two", [100]) + '<div data-section="Three">body</div>';

  const edges = (await pagesOf({ page, content: { header: pageHeader } })).map(({ words }) => words.at(-1)?.text);

  // The words of the header come after those of the document.
  expect(edges).toEqual(["1/3 One 1/2", "2/3 One 2/2", "3/3 Two 1/1 end"]);
});

it("headers and footers that read `page` get the number of the page within its part", async () => {
  const part = (numbering: string, heights: number[]) =>
    `<div data-part="${numbering}" style="break-before:page">${heights.map((px) => `<div style="height:${px}px">body</div>`).join("")}</div>`;
  const content = { header: "<b>{{ page.partNumber | roman }}/{{ page.partTotal }}</b>" };

  const pages = await pagesOf({ page: part("lower-roman", [900, 900]) + part("decimal", [100]), content });

  expect(pages.map(({ words }) => words.at(-1)?.text)).toEqual(["i/2", "ii/2", "i/1"]);
});

it("headers and footers that read `page` can differ on odd and even pages, whatever other pages show", async () => {
  const outer = "{% if page.number == 1 or page.number == 4 %}outer{% else %}inner{% endif %}";
  const header = `<b class="odd-page">${outer} odd</b><b class="even-page">${outer} even</b>`;
  const page = section("One", [900, 900, 900, 900]);

  const edges = (await pagesOf({ page, content: { header } })).map(({ words }) => words.at(-1)?.text);

  expect(edges).toEqual(["outer odd", "inner even", "inner odd", "outer even"]);
});

it("headers and footers that read `page` get enough space even if they are higher than expected", async () => {
  const content = {
    header: "{% if page.section == 'Two' %}<div style='height:300px'>high</div>{% else %}low{% endif %}",
  };

  const pages = await pagesOf({ page: section("One", [100]) + section("Two", [100]), content });

  expect(wordOn(pages[1], "Two")?.top).toBeGreaterThan(300 * 0.75);
});

it.each(["HEAD<!-- ", "HEAD<script>", "HEAD<textarea>", 'HEAD<b title="'])(
  "unclosed markup in a header changes nothing else (%s)",
  async (header) => {
    const [page] = await pagesOf({ page: "<p>body</p>", content: { header, footer: "FOOT" } });

    expect(page?.words.map(({ text }) => text)).toEqual(expect.arrayContaining(["body", "HEAD", "FOOT"]));
  },
);

it("unclosed markup in a header cannot leave the header", async () => {
  const content = { header: "</template></head><body><b>HEAD</b></body></html>" };

  const [page] = await pagesOf({ page: "<p>body</p>", content });

  expect(wordOn(page, "HEAD")?.top).toBeLessThan(48 * 0.75);
});
