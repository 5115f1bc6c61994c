// Tests the layout of pages by reading the positions of the text in real PDFs.
import { expect, it } from "vitest";
import { pagesOf, wordOn } from "../fixtures/printed-pages.ts";

/** A box exactly as high as the area between the margins of an A4 page. */
const full = "<div style='height:calc(var(--page-height) - var(--margin-top) - var(--margin-bottom))'>full</div>";

it.each([
  ["content that fills the page exactly", full],
  ["line breaks, spaces and a comment at the end of a full page", `${full}\n<br><br/>\n<!-- end -->\n`],
  ["an empty paragraph with margins at the end of a full page", `${full}<p style="margin:40px 0"></p>`],
  ["a last paragraph with a margin", "<div style='height:1000px'></div><p style='margin:0 0 90px'>full</p>"],
  ["a page break after the last element", "<p style='break-after:page'>full</p>"],
])("the document has no blank last page after %s", async (_what, page) => {
  const pages = await pagesOf({ page });

  expect(pages.map(({ text }) => text)).toEqual(["full"]);
});

it.each(["", " \n", "{% if false %}x{% endif %}", "<!-- nothing -->\n<!-- at all -->", "<!-- open"])(
  "the document has no blank last page when the last page file renders to %j",
  async (last) => {
    expect(await pagesOf({ page: ["<p>full</p>", last] })).toHaveLength(1);
  },
);

it("a line break between two lines is kept", async () => {
  const [page] = await pagesOf({ page: "<p>one</p>two<br>three" });

  const [two, three] = [wordOn(page, "two"), wordOn(page, "three")];
  expect(three?.top).toBeGreaterThan(two?.top ?? Infinity);
});

it("the head and the foot of a table are repeated on each page", async () => {
  const rows = "{% for i in (1..90) %}<tr><td>row{{ i }}.</td></tr>{% endfor %}";
  const table = `<table><thead><tr><th>HEAD</th></tr></thead><tfoot><tr><td>FOOT</td></tr></tfoot>${rows}</table>`;

  const pages = await pagesOf({ page: table });

  expect(pages.length).toBeGreaterThan(1);
  for (const { text } of pages) expect(text).toMatch(/^HEAD row\d.*FOOT$/);
  expect(pages.flatMap(({ text }) => text.match(/row\d+\./g) ?? [])).toHaveLength(90);
});

it("pages do not break inside a block with break-inside: avoid", async () => {
  const block = "<div style='break-inside:avoid'><p>one</p><p>two</p><p>three</p></div>";

  const pages = await pagesOf({ page: `<div style="height:950px">before</div>${block}` });

  expect(pages.map(({ text }) => text)).toEqual(["before", "one two three"]);
});

// Chromium lays out a fixed box once, for the first page. docs/template-limits.md recommends absolutely positioned boxes.
it("a fixed box is repeated in the same place on pages of every size", async () => {
  const css =
    "@page wide{size:297mm 210mm} .page-2{page:wide} .centred{left:0;right:0;top:0;text-align:center} p{margin:0}";
  const fixed = "<div class='centred' style='position:fixed'>mark</div>";
  const absolute = "<div class='centred' style='position:absolute'>own</div>";

  const pages = await pagesOf({ page: [`${fixed}${absolute}<p>one</p>`, `${absolute}<p>two</p>`], content: { css } });

  const places = (text: string) => pages.map((page) => wordOn(page, text)?.left ?? NaN);
  const [fixedFirst = NaN, fixedSecond = NaN] = places("mark");
  expect(fixedSecond).toBeCloseTo(fixedFirst, 0);
  const [absoluteFirst = NaN, absoluteSecond = NaN] = places("own");
  // The second page is 87 mm wider than the first.
  expect(absoluteSecond - absoluteFirst).toBeCloseTo((87 / 25.4) * 36, 0);
});

it("named pages may have sizes, and the first page may have margins", async () => {
  const css =
    "@page wide{size:297mm 210mm;margin:10mm} .page-2{page:wide} @page :first{margin:0} p{margin:0;line-height:20px}";

  const pages = await pagesOf({ page: ["<p>one</p>", "<p>two</p>", "<p>three</p>"], content: { css } });

  expect(pages.map(({ width, height }) => [Math.round(width), Math.round(height)])).toEqual([
    [595, 842],
    [842, 595],
    [595, 842],
  ]);
  expect(pages.map(({ words }) => Math.round(words[0]?.left ?? -1))).toEqual([0, 28, 36]);
});

it("a :hover style is not applied", async () => {
  const page = "<style>:root:hover p { break-after: page }</style><p>one</p><p>two</p>";

  expect(await pagesOf({ page })).toHaveLength(1);
});
