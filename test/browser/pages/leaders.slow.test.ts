// Tests where leaders and the text after them are on the page, in points.
import { getDocumentProxy } from "unpdf";
import { expect, it } from "vitest";
import { printed } from "../fixtures/reference-documents.ts";

/** The text between two gaps of a line. */
type Run = { text: string; left: number; right: number };

/** Margins of 48 px on a page of 210 mm. */
const page = { left: 36, right: 595.28 - 36 };

/** Returns the lines of the first page that contain a leader, each with its text from left to right. */
async function linesWithLeaders(css: string, markup: string): Promise<{ text: string; runs: Run[] }[]> {
  const { bytes } = await printed(
    `p,ol,ul,h2{margin:0;padding:0;list-style:none}${css}`,
    `${markup}<h2 id="t" style="break-before:page">Target</h2>`,
  );
  const first = await (await getDocumentProxy(bytes.slice())).getPage(1);
  const { items } = await first.getTextContent();
  const lines = new Map<number, Run[]>();
  for (const item of items as { str: string; transform: number[]; width: number }[]) {
    const [left = 0, bottom = 0] = item.transform.slice(4);
    const line = Math.round(bottom / 3);
    if (item.str.trim() === "") continue;
    lines.set(line, [...(lines.get(line) ?? []), { text: item.str, left, right: left + item.width }]);
  }
  return [...lines.values()]
    .map((runs) => runs.toSorted((a, b) => a.left - b.left))
    .map((runs) => ({ text: runs.map(({ text }) => text).join(""), runs }))
    .filter(({ text }) => /[.]{3}|(?:\. ){3}/.test(text));
}

const entry = '<a href="#t">Entry</a>';
const long = `<a href="#t">${"A title of many words that goes on and on ".repeat(4)}and ends</a>`;
const toc = 'a::after{content:leader(".") target-counter(attr(href),page)}';

it.each([
  ["in a paragraph", toc, `<p>${entry}</p>`, page.right],
  ["in the last line of a title", toc, `<p>${long}</p>`, page.right],
  ["in a link that is a block", `${toc}a{display:block}`, entry, page.right],
  ["in a flex item", `${toc}li{display:flex}a{flex:1}`, `<ul><li>${entry}</li></ul>`, page.right],
  [
    "in a table cell",
    `${toc}table{width:100%;border-spacing:0}td{padding:0}td+td{width:100px}`,
    `<table><tr><td>${entry}</td><td>x</td></tr></table>`,
    page.right - 75,
  ],
  ["beside a float", `${toc}b{float:right;width:100px}`, `<b>x</b><p>${entry}</p>`, page.right - 75],
  ["in justified text", toc, `<p style="text-align:justify">${long}</p>`, page.right],
  [
    "after a title that fills the line",
    `${toc}i{display:inline-block;width:calc(100% - 5px)}`,
    '<p><a href="#t"><i>x</i></a></p>',
    page.right,
  ],
  ["with a border", `${toc}a::after{padding:0 8px;border:2px solid;margin:0 6px}`, `<p>${entry}</p>`, page.right - 12],
  ["with another font size", `${toc}a::after{font-size:20px;letter-spacing:2px}`, `<p>${entry}</p>`, page.right - 1.5],
  [
    "against the template's own layout of the pseudo-element",
    `${toc}a::after{display:block;float:right;width:9px;max-width:9px;text-indent:99px}`,
    `<p>${entry}</p>`,
    page.right,
  ],
  [
    "with a text after it that does not fit beside the title",
    'a::after{content:leader(".")}i{display:inline-block;width:calc(100% - 25px)}',
    '<p><a href="#t"><i>x</i></a> <b>25.00</b></p>',
    page.right,
  ],
  ["before the text", 'b::before{content:leader(".") "5"}', "<p>x <b></b></p>", page.right],
  ["with more text after it in the line", toc, `<p>${entry} (draft)</p>`, page.right],
  [
    "on a named page of another size",
    `@page wide{size:297mm 210mm;margin:20mm}.page{page:wide}${toc}`,
    `<p>${long}</p>`,
    841.89 - 56.69,
  ],
])("a leader fills the line up to its number %s", async (_what, css, markup, end) => {
  const lines = await linesWithLeaders(css, markup);

  expect(lines).toHaveLength(1);
  expect(lines[0]?.text).toMatch(/\.{9}\s*[25]/);
  // The "x" is in the next cell or in the float.
  const last = lines[0]?.runs.findLast(({ text }) => text !== "x");
  expect(Math.abs((last?.right ?? 0) - end)).toBeLessThan(0.8);
});

it("a leader in right-to-left text fills the line up to its number", async () => {
  const lines = await linesWithLeaders(toc, `<p dir="rtl">${entry}</p>`);

  expect(lines).toHaveLength(1);
  expect(lines[0]?.text).toMatch(/^\s*2\.{9,}Entry$/);
  expect(lines[0]?.runs[0]?.left).toBeCloseTo(page.left, 0);
  expect(lines[0]?.runs.at(-1)?.right).toBeCloseTo(page.right, 0);
});

it("a leader fills the line up to its number in each of two columns", async () => {
  const lines = await linesWithLeaders(
    toc,
    `<div style="columns:2;column-gap:40px"><p>${entry}</p><p>${entry}</p></div>`,
  );

  const middle = (page.left + page.right) / 2;
  const ends = lines.flatMap(({ runs }) => runs.filter(({ text }) => text.endsWith("2")).map(({ right }) => right));
  expect(ends[0]).toBeCloseTo(middle - 15, 0);
  expect(ends[1]).toBeCloseTo(page.right, 0);
});

it("two leaders in one line share its space", async () => {
  const [line] = await linesWithLeaders(toc, `<p>${entry} and ${entry}</p>`);

  expect(line?.text.replace(/\.+/g, "…")).toMatch(/^Entry\s*…2\s*and\s*Entry\s*…2$/);
  expect(line?.runs.at(-1)?.right).toBeCloseTo(page.right, 0);
});

it("leaders align the numbers of all entries, however many digits these have", async () => {
  const entries = Array.from({ length: 12 }, (_, index) => `<p><a href="#h${index}">Entry ${index}</a></p>`);
  const headings = entries.map((_, index) => `<h2 id="h${index}" style="break-before:page">x</h2>`);

  const lines = await linesWithLeaders(toc, entries.join("") + headings.join(""));

  const ends = lines.map(({ runs }) => runs.at(-1)?.right ?? 0);
  expect(lines).toHaveLength(12);
  expect(Math.max(...ends) - Math.min(...ends)).toBeLessThan(0.05);
});

it("a leader leaves less free space than one repeat of its pattern", async () => {
  const [line] = await linesWithLeaders(toc.replace('"."', "dotted"), `<p>${entry}</p>`);

  const dots = line?.text.match(/\./g)?.length ?? 0;
  const title = line?.runs[0];
  // With Open Sans at 14 px, ". " is 5.5 pt wide, and the digit 6 pt.
  const space = page.right - 6 - ((title?.text.startsWith("Entry.") ? page.left + 26 : title?.right) ?? 0);
  expect(Math.abs(dots - space / 5.53)).toBeLessThan(1.5);
});

it("a leader does not change the widths of a table's columns", async () => {
  const table = `<table style="width:100%"><tr><td>${entry}</td><td>Some words</td></tr></table>`;
  const secondColumn = (lines: { runs: Run[] }[]) =>
    lines[0]?.runs.find(({ text }) => text.startsWith("Some"))?.left ?? 0;

  const filled = await linesWithLeaders(toc, table);
  const short = await linesWithLeaders('a::after{content:"..." target-counter(attr(href),page)}', table);

  expect(filled[0]?.text).toMatch(/\.{9}/);
  // A leader counts with one repeat, which is 8 px narrower than three dots. Otherwise, it would move the column by 180 pt.
  expect(Math.abs(secondColumn(filled) - secondColumn(short))).toBeLessThan(30);
});
