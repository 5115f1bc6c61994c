// Tests positions relative to the page in templates with several page files, and positioned boxes that page breaks do not part.
import { expect, it } from "vitest";
import { pagesOf, readPages, wordOn } from "../fixtures/printed-pages.ts";
import { rendered } from "../fixtures/rendered.ts";

const files = (count: number) =>
  Array.from({ length: count }, (_, index) => `<h1>One</h1><p class="s">sign${index}</p>`);
const positioned = (places: string) => `.s{position:absolute;margin:0;line-height:20px;${places}}`;
const lines = Array.from({ length: 60 }, (_, index) => `<p>line${index}.</p>`).join("");

it.each([
  ["bottom:0", 801],
  ["bottom:30mm", 716],
  ["top:50%", 431],
  ["top:20mm", 106],
])("a box with %s is in the same place on the page of each page file", async (place, topPt) => {
  const pages = await pagesOf({ page: files(3), content: { css: positioned(place) } });

  expect(pages.map(({ text }) => text)).toEqual(["One sign0", "One sign1", "One sign2"]);
  for (const page of pages) expect(Math.abs((wordOn(page, "sign")?.top ?? 0) - topPt)).toBeLessThan(3);
});

it("a box at the foot of a page file is at the foot of a page of a different size", async () => {
  const css = `@page wide{size:297mm 210mm}.page-2{page:wide}${positioned("bottom:0")}`;

  const pages = await pagesOf({ page: files(3), content: { css } });

  expect(pages.map(({ height, words }) => Math.round(height - (words.at(-1)?.top ?? 0)))).toEqual([42, 41, 41]);
});

it("a box at the foot of a page file stays on its page when the margins grow", async () => {
  // The title of a section is known only after the print.
  const footer = '{% if page.section == "One" %}<p style="height:200px;margin:0">grown</p>{% endif %}';

  const pages = await pagesOf({ page: files(3), content: { css: positioned("bottom:0"), footer } });

  expect(pages.map(({ text }) => text)).toEqual(["One sign0 grown", "One sign1 grown", "One sign2 grown"]);
});

it("a page file that fills its page gets no second page for a box at its foot", async () => {
  const full = '<div style="height:calc(297mm - 96px)"><p class="s">sign</p></div>';

  expect(await pagesOf({ page: [full, full], content: { css: positioned("bottom:0") } })).toHaveLength(2);
});

const warningsOf = async (css: string, page: string[]) => (await rendered({ page, content: { css } })).warnings;

it.each([
  ["of several pages", [`${lines}<p class="s">sign</p>`, "two"]],
  ["with a page break", ['<p class="s">sign</p><p style="break-before:page">more</p>', "two"]],
])("a document warns about a box at the foot of a page file %s", async (_what, page) => {
  expect(await warningsOf(positioned("bottom:30mm"), page)).toContainEqual(
    expect.stringMatching(/`<p class="s">` is positioned relative to its page file, which is longer than a page/),
  );
});

const broken = '<p style="break-after:page">one</p><p>two</p>';
const onFirstPage =
  /^Page [12]: `<p class="s">` is positioned on the first page of its page file, although .* `position: relative`\.$/;

it.each([
  ["pages of text", "top:20mm", [`${lines}<p class="s">sign</p>`]],
  ["pages of text, at the foot", "bottom:0", [`${lines}<p class="s">sign</p>`]],
  ["pages of text in a box", "top:20mm", [`<main>${lines}</main><div><p class="s">sign</p></div>`]],
  ["a page break", "top:20mm", [`${broken}<p class="s">sign</p>`]],
  [
    "a break before the box around it",
    "top:0",
    ['<p>one</p><div style="break-before:page"><p class="s">sign</p></div>'],
  ],
  ["pages of the second page file", "top:20mm", ["one", `${lines}<p class="s">sign</p>`]],
])("a document names a box on the first page that follows %s", async (_what, place, page) => {
  expect(await warningsOf(positioned(place), page)).toContainEqual(expect.stringMatching(onFirstPage));
});

it.each([
  ["before the text", "top:0", [`<p class="s">sign</p>${lines}`]],
  ["after the first words", "top:20mm", [`<h1>One</h1><p class="s">sign</p>${lines}`]],
  ["at the foot of the page before the last", "bottom:0", [`${broken}<p class="s">sign</p>`]],
  ["in a document with one page", "bottom:0", ['<h1>One</h1><p class="s">sign</p>']],
  ["on a later page", "top:500mm", [`${lines}${lines}<p class="s">sign</p>`]],
  ["in a positioned box", "top:0", [`${lines}<div style="position:relative"><p class="s">sign</p></div>`]],
  ["without content", "top:20mm", [`${lines}<p class="s"></p><p>end</p>`]],
  ["after a break at the start", "top:20mm", ['<p style="break-before:page">one</p><p class="s">sign</p>']],
  [
    "after a break at the start of a page file",
    "top:20mm",
    ["one", '<p style="break-before:page">one</p><p class="s">sign</p>'],
  ],
  ["before a page break", "top:20mm", [`<p>one</p><p class="s">sign</p>${broken}`]],
])("a document does not warn about a positioned box %s", async (_what, place, page) => {
  expect(await warningsOf(positioned(place), page)).toEqual([]);
});

it("a document names a box that is printed on the page of the next page file", async () => {
  const [page = ""] = files(1);

  expect(await warningsOf(positioned("bottom:-40mm"), [page, "two"])).toEqual([
    'Page 2: `<p class="s">` extends 150 px below its page, onto the first page of the next page file.',
  ]);
});

const sheets = (count: number, after = "") =>
  Array.from({ length: count }, (_, index) => `<div class="sheet"><p>page${index}</p>${after}</div>`).join("");
const sheet = ".sheet{position:relative;break-after:page}.sheet p{position:absolute;top:20mm;margin:0}";
const image = "<img alt='' width='9' height='9' src='data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='>";

it.each<[what: string, css: string, body: string]>([
  ["positioned boxes in relative ones", sheet, sheets(3)],
  ["boxes that are positioned on the page", `${sheet}.sheet{position:static}`, sheets(3)],
  ["breaks before the boxes", sheet.replace("after", "before"), sheets(3)],
  ["boxes inside another one", sheet, `<main>${sheets(2)}</main>`],
  [
    "breaks in boxes between them",
    "p{position:absolute;top:0}.br{break-after:page}",
    '<p>one</p><div class="br"></div><p>two</p>',
  ],
  [
    "forms whose controls have the names of functions",
    `${sheet}.sheet{position:static}form{position:absolute;top:0}`,
    '<div class="sheet"><form><input name="computedStyleMap" value="x"></form></div>'.repeat(2),
  ],
  ["images", sheet.replaceAll(" p{", " img{"), `<div class="sheet">${image}</div><div class="sheet">${image}</div>`],
  ["text below them on the page", `${sheet}.sheet{position:static}p{bottom:0}`, `${sheets(2)}`],
])("a document names breaks without effect between %s", async (_what, css, body) => {
  const { bytes, warnings } = await rendered({ page: body, content: { css } });

  expect((await readPages(bytes))[1]?.text ?? "").toBe("");
  expect(warnings[0]).toMatch(
    /^Page 1: `<div class="(sheet|br)">` has `break-.*`, which has no effect, because .* 0 px high/,
  );
  expect(warnings[0]).toContain("`position: relative` and `height: 100vh`");
});

it.each<[what: string, css: string, body: string, pages: number]>([
  ["of the height that the message names", `${sheet}.sheet{height:100vh}`, sheets(3), 3],
  ["that are 10 px high", `${sheet}.sheet{height:10px}`, sheets(3), 3],
  ["that hold text", sheet, sheets(3, "text"), 3],
  ["that hold no text at all", sheet, '<div class="sheet"></div><div class="sheet"></div>', 1],
  ["after text", sheet, `<h1>Title</h1>${sheets(3)}<p>end</p>`, 4],
  ["before text", sheet, `${sheets(1)}<h1>Title</h1>`, 2],
  ["with a separate flow", `${sheet}.sheet{display:flow-root}`, sheets(3), 3],
  ["with padding", `${sheet}.sheet{padding:1px}`, sheets(3), 3],
  [
    "whose boxes stand where they would without a position",
    "p{position:absolute}.br{break-after:page}",
    '<p>one</p><div class="br"></div><p>two</p>',
    2,
  ],
  ["of which there is only one", sheet, sheets(1), 1],
  [
    "that hold fixed boxes",
    ".br{break-after:page}.f{position:fixed;top:0}",
    '<p class="f">x</p>one<div class="br"></div>two',
    2,
  ],
])("a document does not warn about breaks between boxes %s", async (_what, css, body, pages) => {
  const { record, warnings } = await rendered({ page: body, content: { css } });

  expect(warnings).toEqual([]);
  expect(record.pageCount).toBe(pages);
});
