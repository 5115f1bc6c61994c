// Tests that a document names the boxes that pages cut through, and the breaks that have no effect.
import { expect, it } from "vitest";
import { openRenderer, pageBreak } from "../fixtures/warnings.ts";

const renderer = openRenderer();

/** Forty lines are twice as high as a page. */
const lines = Array.from({ length: 40 }, (_, index) => `Line ${index + 1}`);
const tall = (style: string, content = lines.join("<br>")) => `<div class="tall" style="${style}">${content}</div>`;
const page = "break-before:page";
const twice = (style: string, inner = `<p style="${page}">two</p>`) =>
  `<div class="outer" style="${style}"><p>one</p>${inner}</div>`;

const svgImage = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='90' height='700'/>";
const high = (style = "", attributes = 'alt=""') => `<img style="${style}" ${attributes} src="${svgImage}">`;

const cut: [what: string, body: string, message: RegExp][] = [
  [
    "a text area that is as high as its text",
    `<p>x</p><textarea style="field-sizing:content">${lines.join("\n")}</textarea>`,
    /^Page 2: `<textarea>` is \d+ px high and cannot be divided, .* Print long text in a `<div>`/,
  ],
  ["a text area with many lines", `<textarea rows="40">${lines.join("\n")}</textarea>`, /^Page 1: `<textarea>` is/],
  [
    "an inline block",
    `<p>x</p>${tall("display:inline-block")}`,
    /^Page 2: `<div class="tall">` is \d+ px high.* Write `display: block` for `inline-block`\.$/,
  ],
  ["an inline flex box", tall("display:inline-flex"), /Write `display: flex` for `inline-flex`/],
  ["a button", `<button>${lines.join("<br>")}</button>`, /`<button>` is \d+ px high.* Use a `<div>`/],
  [
    "a select",
    `<select multiple size="40">${lines.map((line) => `<option>${line}`).join("")}</select>`,
    /`<select>` is/,
  ],
  [
    "clamped lines",
    tall("display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:50;overflow:hidden"),
    /Leave out `-webkit-line-clamp`/,
  ],
  ["a box with a contained size", tall("contain:size;height:900px"), /Leave out `contain`/],
  ["a container of queries", tall("container-type:size;height:900px"), /`container-type`/],
  ["a legend", `<fieldset><legend>${lines.join("<br>")}</legend></fieldset>`, /`<legend>` is/],
  ["a vertical text", tall("writing-mode:vertical-rl;height:900px", "one two"), /Make it lower/],
  [
    "a vertical line that is longer than the page",
    tall("writing-mode:vertical-rl;white-space:nowrap", "word ".repeat(90)),
    /Make it lower/,
  ],
  ["a drawing with text", '<svg width="90" height="700"><text y="300">x</text></svg>', /`<svg>` is 700 px high/],
  [
    "a box on a page that is lower than others",
    `<style>@page low{size:600px 200px}.low{page:low}</style>x<div class="low"><b style="display:inline-block;height:150px">x</b></div>`,
    /^Page 2: `<b>` in `<div class="low">` is 150 px high/,
  ],
  [
    "a photo",
    `<p>x</p>${high("width:100%;height:auto")}`,
    /^Page 2: `<img>` is \d+ px high and cannot be divided, so .* cut through it\. Give it `display: block`, `max-height: 100vh` and `object-fit: contain`\.$/,
  ],
  ["a photo in a table", `<table><tr><td>${high()}</table>`, /`<img>` is 700 px high/],
  ["a photo in a figure of a grid", `<div style="display:grid"><figure>${high()}</figure></div>`, /`<img>` is 700 px/],
  ["a photo in its own box", high("position:absolute;top:0"), /`<img>` is 700 px/],
  [
    "a drawing without text",
    '<svg class="d" width="90" height="700"></svg>',
    /`<svg class="d">` is 700 px high.* `max-height: 100vh` and a `viewBox`\.$/,
  ],
  ["a drawing in an inline block", tall("display:inline-block", '<svg width="90" height="700"></svg>'), /`<svg>` in/],
  ["the poster of a video", `<video style="width:90px;height:700px" poster="${svgImage}"></video>`, /`<video>` is 700/],
  [
    "a button with a picture",
    `<input type="image" alt="x" src="${svgImage}" style="height:700px">`,
    /`<input>` is 700/,
  ],
];

const whole: [what: string, body: string][] = [
  ["a block", tall("")],
  ["a flex box and a grid", tall("display:flex") + tall("display:grid") + tall("display:table")],
  ["an inline block that fits", `<p>x</p>${tall("display:inline-block", "a<br>b")}`],
  ["an inline block in a row", `<div style="display:flex">${tall("display:inline-block")}</div>`],
  ["a floating inline block", tall("display:inline-block;float:left")],
  ["an image with the advised size", `<p>x</p>${high("display:block;max-height:100vh;object-fit:contain")}`],
  [
    "a drawing with the advised size",
    '<p>x</p><svg viewBox="0 0 90 700" width="90" height="700" style="display:block;max-height:100vh"></svg>',
  ],
  ["a cropped image", `<div style="height:200px;overflow:hidden">${high()}</div>`],
  ["an invisible image", high("visibility:hidden")],
  ["a fixed image", high("position:fixed;top:0")],
  [
    "a line beside a long text",
    `<div style="position:relative">${high("position:absolute;height:100%")}${tall("")}</div>`,
  ],
  ["a background", `<div style="height:700px;background:url(&quot;${svgImage.replaceAll("'", "%27")}&quot;)"></div>`],
  ["a box that hides nothing", tall("overflow:hidden")],
  ["a box that should not be divided", tall("break-inside:avoid")],
  ["contained layout and painting", tall("contain:layout paint") + tall("container-type:inline-size")],
  ["a row of a table", `<table><tr style="break-inside:avoid"><td>${lines.join("<br>")}</table>`],
  ["a vertical text that fits", tall("writing-mode:vertical-rl;height:200px", "a b c")],
  ["a vertical text with lines as long as the page", tall("writing-mode:vertical-rl", "word ".repeat(90))],
  ["opacity and a transform", tall("opacity:.9") + tall("transform:rotate(0)")],
];

const idle: [what: string, body: string, message: RegExp][] = [
  [
    "in columns",
    twice("columns:2"),
    /^Page 1: `<p>` in `<div class="outer">` has `break-before: page`, which has no effect inside the columns of `<div class="outer">`/,
  ],
  [
    "in a section",
    twice("columns:2", `<section>x<p style="page-break-before:always">two</p></section>`),
    /inside the columns/,
  ],
  ["on an inline box", `<p>one <b class="b" style="${page}">two</b></p>`, /`<b class="b">` has .* on an inline box/],
  ["on an inline block", `<p>one</p><div style="display:inline-block;${page}">two</div>`, /no effect on an inline box/],
  [
    "on a line break",
    '<p>one</p><br style="page-break-after:always"><p>two</p>',
    /`<br>` has `break-after: page`, which has no effect on a line break\. Use a `<div>`\.$/,
  ],
  ["in an inline block", twice("display:inline-block"), /inside `<div class="outer">`, which is not divided/],
  ["on a float", `<p>one</p><div style="float:left;${page}">two</div>`, /on a box outside the flow/],
  ["on an absolute box", `<p>one</p><div style="position:absolute;${page}">two</div>`, /on a box outside the flow/],
  [
    "in the head of a table",
    `<table><thead><tr><td>one</td></tr><tr style="${page}"><td>two</td></tr></thead><tr><td>x</table>`,
    /inside `<thead>`/,
  ],
  ["on no box", `<p>one</p><div style="display:contents;${page}"><p>two</p></div>`, /because the element has no box/],
  [
    "at an item of a row",
    `<p>x</p><div style="display:flex"><p>one</p><p class="two" style="${page}">two</p></div>`,
    /`<p class="two">` has .* does not separate it from `<p>` beside it/,
  ],
  [
    "at an item of a grid",
    `<div style="display:grid;grid-template-columns:1fr 1fr"><p>one</p><p style="${page}">two</p></div>`,
    /does not separate it/,
  ],
  ["outside columns", '<p>one</p><p style="break-before:column">two</p>', /outside columns\. Write `page`\.$/],
];

const effective: [what: string, body: string][] = [
  ["on a block", `<p>one</p><p style="${page}">two</p><p style="break-after:left">three</p>`],
  ["on the first block", `<p style="${page}">one</p>`],
  ["of columns in columns", twice("columns:2", '<p style="break-before:column">two</p>')],
  ["on a heading over all columns", twice("columns:2", `<h2 style="column-span:all;${page}">two</h2>`)],
  ["on a box with columns", `<p>one</p><div style="columns:2;${page}">two</div>`],
  ["in an item of a row", `<div style="display:flex"><section><p>one</p><p style="${page}">two</p></section></div>`],
  ["at an item of a column", twice("display:flex;flex-direction:column")],
  ["at an item of a grid with one column", twice("display:grid")],
  ["at an item that wraps", twice("display:flex;flex-wrap:wrap", `<p style="width:100%;${page}">two</p>`)],
  [
    "on table parts",
    `<table><tr><td>one</td></tr><tr style="${page}"><td>two</td></tr><tr><td style="${page}">three</td></tr></table>`,
  ],
  [
    "in a float and an absolute box",
    `${twice("float:left")}<div style="clear:both"></div>${twice("position:absolute")}`,
  ],
  ["on an empty block", `<p>one</p><div style="break-after:page"></div><p>two</p>`],
  ["that only avoids one", '<b style="break-before:avoid;break-inside:avoid">one</b>'],
  ["on an element that is not displayed", `<p>one</p><span style="display:none;${page}">two</span>`],
];

const tableStyle =
  "<style>table{border-collapse:collapse}td,th{padding:5px;font-size:12px;line-height:14px}.name{background:#9cf}.keep{break-inside:avoid}</style>";
const group = (rows: number, cell = 'class="name"') =>
  Array.from(
    { length: rows },
    (_, row) => `<tr>${row === 0 ? `<td ${cell} rowspan="${rows}">G</td>` : ""}<td>x</td></tr>`,
  ).join("");
const grouped = (count: number, rows: string, head = "<thead><tr><th>a<th>b</thead>") =>
  `${tableStyle}<table>${head}${rows.repeat(count)}</table>`;
const keptTogether = (px: number, style = "") =>
  `<div class="kept" style="break-inside:avoid;height:${px}px;${style}">x</div>`;
const before = (px: number) => `<div style="height:${px}px">x</div>`;

const spanning =
  /^Page 1: `<td class="name">` spans rows on two pages.* into a `<tbody>` with `break-inside: avoid`\.$/;
const kept = /^Page 1: More than half of the page is empty, because `<tr class="kept">` after it is kept together/;
const keptRows = (style: string, px: number, rows = 1) =>
  `<table>${"<tr><td>x</tr>".repeat(rows)}<tr class="kept" style="${style}"><td>${before(px)}</tr></table>`;

const divided: [what: string, body: string, message: RegExp][] = [
  ["a cell that spans rows on two pages", grouped(5, group(3)), spanning],
  ["a cell without a head above it", grouped(5, group(5), ""), spanning],
  [
    "a cell with a gradient",
    `${grouped(5, group(3))}<style>.name{background:linear-gradient(red,blue)}</style>`,
    spanning,
  ],
  ["a cell in a group of rows that may be divided", grouped(5, `<tbody>${group(3)}</tbody>`), spanning],
  ["a heading", grouped(5, group(3).replaceAll("<td class", "<th class")), /^Page 1: `<th class="name">` spans rows/],
  ["rows that are kept together in the style of older browsers", keptRows("page-break-inside:avoid", 295), kept],
  ["rows that are kept together after several rows", keptRows("break-inside:avoid", 270, 3), kept],
  [
    "a high row that is kept together",
    `<table><tr><td>x</tr><tr class="kept" style="break-inside:avoid"><td>${before(295)}</tr></table>`,
    /because `<tr class="kept">`/,
  ],
];

const undivided: [what: string, body: string][] = [
  ["groups that are kept together", grouped(5, `<tbody class="keep">${group(3)}</tbody>`)],
  ["cells without a background", grouped(5, group(3, ""))],
  ["cells that span columns", grouped(12, '<tr><td class="name" colspan="2">x</tr>')],
  ["groups on one page", grouped(2, group(3))],
  ["groups that end with their pages", grouped(1, `${group(5)}</table>${pageBreak}<table>${group(5)}`)],
  ["a box that leaves less than half of a page empty", before(170) + keptTogether(250)],
  ["rows that leave less than half of a page empty", keptRows("break-inside:avoid", 200, 8)],
  ["rows that begin a page on purpose", keptRows(`break-inside:avoid;${page}`, 295)],
  ["a small box that is kept together", before(290) + keptTogether(100)],
  ["a box that fits", before(40) + keptTogether(250)],
  ["a box that begins a page on purpose", before(40) + keptTogether(290, page)],
  ["a box after a break", `<div style="height:40px;break-after:page">x</div>${keptTogether(290)}`],
  ["the first box", keptTogether(290)],
  ["a high box that may be divided", before(40) + '<div style="height:290px">x</div>'],
];

it.each(divided)("a PDF warns of %s", async (_what, body, message) => {
  const warnings = await renderer.warningsOf(body);

  expect(warnings[0]).toMatch(message);
  expect(new Set(warnings.map((warning) => warning.replace(/\d+/, ""))).size).toBe(1);
});

it.each(undivided)("a PDF does not warn about the position of %s", async (_what, body) => {
  expect(await renderer.warningsOf(body)).toEqual([]);
});

it.each(cut)("a PDF warns of lines that pages cut in %s", async (_what, body, message) => {
  expect(await renderer.warningsOf(body)).toEqual([expect.stringMatching(message)]);
});

it.each(whole)("a PDF does not warn of %s", async (_what, body) => {
  expect(await renderer.warningsOf(body)).toEqual([]);
});

it.each(idle)("a PDF warns of a break %s", async (_what, body, message) => {
  expect(await renderer.warningsOf(body)).toEqual([expect.stringMatching(message)]);
});

it.each(effective)("a PDF does not warn of a break %s", async (_what, body) => {
  expect(await renderer.warningsOf(body)).toEqual([]);
});

it("a render that may not lose content fails if lines are cut, but not if a page break is ignored", async () => {
  const columns = twice("columns:2");

  expect(await renderer.render(tall("display:inline-block"), { overflow: "error" })).toMatchObject({
    status: "impossible",
  });
  expect(await renderer.render(columns, { overflow: "error" })).toMatchObject({ status: "rendered" });
});

it("an image causes no warnings about page breaks, because it has no pages that cut boxes", async () => {
  const body = tall("display:inline-block") + pageBreak + twice("columns:2");

  expect(await renderer.warningsOf(body, { format: "png" })).toEqual([]);
});
