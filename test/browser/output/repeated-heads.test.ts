// Tests that a document names the tables whose later pages do not show the head or the foot of their rows.
import { expect, it } from "vitest";
import { openRenderer, pageBreak } from "../fixtures/warnings.ts";

const renderer = openRenderer();

const rows = (count = 30) => "<tr><td>a<td>b</tr>".repeat(count);
const part = (px: number, tag = "thead", style = "") =>
  `<${tag} style="${style}"><tr><th style="height:${px}px">A<th>B</tr></${tag}>`;
const table = (content: string, style = "") => `<table class="t" style="border-spacing:0;${style}">${content}</table>`;
const wide = "width:100%;";
const pageRule = (rule: string) => `<style>${rule}</style>`;

const first = pageRule("@page :first{margin:48px 48px 48px 200px}");
const sides = pageRule("@page :left{margin:48px 148px 48px 148px}");

const told: [what: string, body: string, message: RegExp][] = [
  [
    "a head of more than a quarter of a page",
    table(part(100) + rows()),
    /^Page 1: `<thead>` in `<table class="t">` is \d+ px high, so later pages do not repeat it: a head may take a quarter of a page \(76 px\)\. Make it lower, or put a part of it before the table\.$/,
  ],
  [
    "a high head on the second page",
    `x${pageBreak}${table(part(90) + rows())}`,
    /^Page 2: `<thead>`.* a head may take/,
  ],
  [
    "a high foot",
    table(part(90, "tfoot") + rows()),
    /^Page 1: `<tfoot>`.*: a foot may take .* part of it after the table/,
  ],
  ["a high foot after its rows", table(rows() + part(90, "tfoot")), /`<tfoot>`/],
  [
    "a head that may be divided",
    table(part(20, "thead", "break-inside:auto") + rows()),
    /`break-inside: auto`.* Leave that out/,
  ],
  [
    "several heads",
    table((part(20) + `<tbody>${rows(9)}</tbody>`).repeat(3)),
    /^Page 1: `<table class="t">` has 3 `<thead>`, and later pages repeat only the first.* Make each group a separate table, /,
  ],
  [
    "a table on a first page that is narrower",
    first + table(part(20) + rows(), wide),
    /^Page 1: `<table class="t">` is on pages of different widths, but its repeated head keeps the columns of its first page\. Give it a width of at most 352 px, /,
  ],
  ["a table on left and right pages", sides + table(part(20) + rows(), wide), /at most 304 px/],
  ["a foot on pages of different widths", first + table(part(20, "tfoot") + rows(), wide), /repeated foot/],
  ["a table of percentages", first + table(part(20) + rows(), "table-layout:fixed;width:80%"), /different widths/],
];

const silent: [what: string, body: string][] = [
  ["a head that is repeated", table(part(60) + rows())],
  ["a high head on one page", table(part(100) + rows(3))],
  ["a table that begins the second page", `${"<p>x</p>".repeat(5)}${pageBreak}${table(part(100) + rows(3))}`],
  ["a high group of rows", table(part(20) + part(100, "tbody") + rows())],
  ["a head that is an ordinary group", table(part(100, "thead", "display:table-row-group") + rows())],
  ["tables of groups", table(part(20) + rows(9)).repeat(3)],
  ["groups of rows", table(part(20) + `<tbody>${rows(9)}</tbody>`.repeat(3))],
  ["several heads on one page", table((part(20) + `<tbody>${rows(2)}</tbody>`).repeat(2))],
  ["a table with the advised width", first + table(part(20) + rows(), "width:352px")],
  ["a table as wide as its cells", first + table(part(20) + rows())],
  ["a table without a head", first + table(rows(), wide)],
  ["a table after the first page", `${first}x${pageBreak}${table(part(20) + rows(), wide)}`],
  ["margins with the same sum", pageRule("@page :left{margin:48px 20px 48px 76px}") + table(part(20) + rows(), wide)],
];

it.each(told)("a PDF warns of %s", async (_what, body, message) => {
  expect(await renderer.warningsOf(body)).toEqual([expect.stringMatching(message)]);
});

it.each(silent)("a PDF does not warn of the head of %s", async (_what, body) => {
  expect(await renderer.warningsOf(body)).toEqual([]);
});
