// Tests that a document names the text that extends beyond a box with a fixed size, and that decoration may do so.
import { expect, it } from "vitest";
import { openRenderer, pageBreak } from "../fixtures/warnings.ts";

const renderer = openRenderer();

const lines = (count: number) => Array.from({ length: count }, (_, index) => `Line ${index + 1}`).join("<br>");
const box = (style: string, content: string) => `<div class="box" style="${style}">${content}</div><p>after</p>`;
const long = "first second third fourth fifth sixth";
const nowrap = "white-space:nowrap;";
const paragraphs = "<p>one</p><p>two</p><p>three</p>";

const leaving: [what: string, body: string, message: RegExp][] = [
  [
    "an address window",
    box("position:absolute;top:9px;width:85mm;height:45mm", lines(12)),
    /^Page 1: \d+ px of the text of `<div class="box">` extend beyond its bottom edge: “Line 10”\. Give it more space, or `min-height` instead of a height\.$/,
  ],
  [
    "a box on page 2",
    `x${pageBreak}${box("height:40px", lines(6))}`,
    /^Page 2: \d+ px of the text of `<div class="box">`/,
  ],
  ["a box with a largest height", box("max-height:40px", lines(6)), /beyond its bottom edge/],
  ["a block size", box("block-size:40px", lines(6)), /beyond its bottom edge/],
  [
    "a calc()",
    `<style>:root{--h:40px}</style>${box("height:calc(var(--h) - 5px)", lines(6))}`,
    /beyond its bottom edge/,
  ],
  [
    "a box between two edges",
    `<div style="position:relative;height:90px">${box("position:absolute;top:9px;bottom:40px", lines(6))}</div>`,
    /beyond its bottom edge/,
  ],
  ["a flex column", box("display:flex;flex-direction:column;height:50px", paragraphs), /beyond its bottom edge: “two”/],
  [
    "a column that ends at the bottom",
    box("display:flex;flex-direction:column;justify-content:flex-end;height:50px;margin-top:90px", paragraphs),
    /beyond its top edge: “one”/,
  ],
  ["a grid", box("display:grid;height:50px", paragraphs), /beyond its bottom edge/],
  ["a float in a low box", box("height:40px", `<div style="float:left">${lines(6)}</div>`), /beyond its bottom edge/],
  [
    "a text that does not wrap",
    box(`width:100px;${nowrap}`, long),
    /beyond its right edge: “first second third fourth fifth sixth”\. Give it more space, or let the text wrap\.$/,
  ],
  ["a long word", box("max-width:100px", "x".repeat(60)), /beyond its right edge: “…x/],
  [
    "a text from right to left",
    box(`width:100px;margin-left:200px;direction:rtl;${nowrap}`, long),
    /beyond its left edge/,
  ],
  [
    "a cell of a table with a fixed layout",
    `<table style="table-layout:fixed;width:200px"><tr><td>${"1".repeat(30)}<td>b</table>`,
    /of the text of `<td>` extend beyond its right edge/,
  ],
  [
    "an inner box",
    `<div style="height:200px"><p class="inner" style="height:40px">${lines(20)}</p></div>`,
    /`<p class="inner">`/,
  ],
];

const word = "Donaudampfschifffahrtsgesellschaftskapitän";
const row = (style: string, second: string) => `<div style="display:flex;${style}">${second}<p>beside</p></div>`;
const inGrid = (style: string, ...items: string[]) =>
  `<div style="display:grid;${style}">${items.map((item) => `<div>${item}</div>`).join("")}</div>`;
const thirds = "grid-template-columns:repeat(3,minmax(0,1fr))";
const lowRow = '<div class="row" style="height:22px;line-height:20px;width:90px">A name of two lines</div>';

const covering: [what: string, body: string, message: RegExp][] = [
  [
    "a word in a narrow column of a grid",
    inGrid(thirds, word, "two", "three"),
    /^Page 1: \d+ px of the text of `<div>` extend beyond its right edge, over other text: “…\w+tän”\. Give it more space, or let long words wrap with `overflow-wrap: anywhere`\.$/,
  ],
  ["a word in a row of a grid below", inGrid(thirds, "a", "b", "c", "d", word, "f"), /over other text/],
  ["a paragraph in a grid", inGrid(thirds, `<p>x</p><p>${word}</p>`, "<p>x</p><p>y</p>"), /over other text/],
  [
    "rows of a fixed height in a grid",
    inGrid("grid-auto-rows:22px;width:90px", "A name of two lines", "x"),
    /bottom edge, over/,
  ],
  ["a word in columns", `<div style="columns:3">${word} ${"one two ".repeat(50)}</div>`, /over other text/],
  [
    "a word in the columns of a list",
    `<ul style="column-width:140px"><li>${word}${"<li>one".repeat(9)}</ul>`,
    /the text of `<li>` extend beyond its right edge, over other text: “…/,
  ],
  [
    "an item that may shrink",
    row("", `<p style="min-width:0;flex:0 1 60px">${word}</p>`),
    /`<p>` extend beyond its right edge, over/,
  ],
  [
    "a line in an item that may shrink",
    row("", `<p style="min-width:0;flex:0 1 60px;${nowrap}">${long}</p>`),
    /or let the text wrap/,
  ],
  [
    "a float of a third",
    `<p style="float:left;width:20%">${word}</p><p style="float:left;width:20%">two</p>`,
    /`<p>` extend beyond/,
  ],
  [
    "rows of a fixed height with two lines",
    lowRow.repeat(2),
    /`<div class="row">` extend beyond its bottom edge, over other text: /,
  ],
  [
    "an item from right to left",
    `<div dir="rtl">${inGrid(thirds, word, "two", "three")}</div>`,
    /`<div>` extend beyond its left edge, over other text/,
  ],
  [
    "a number in a narrow cell",
    '<table style="table-layout:fixed;width:90px"><tr><td>12345678<td>b</table>',
    /`<td>` extend beyond its right edge, over other text: “12345678”/,
  ],
];

const beside: [what: string, body: string][] = [
  ["a word beside an empty column", inGrid(thirds, word, "", "three")],
  ["a word that wraps", inGrid(`${thirds};overflow-wrap:anywhere`, word, "two")],
  ["a word in a column that grows", inGrid("grid-template-columns:1fr 1fr", word, "two")],
  [
    "a word that its box hides",
    inGrid(`${thirds};overflow:hidden`, `<p style="overflow:hidden;text-overflow:ellipsis">${word}</p>`, "two"),
  ],
  ["one row of a fixed height with two lines", `${lowRow}<div style="height:30px"></div>after`],
  [
    "tight lines in rows of a fixed height",
    '<div style="height:13px;line-height:13px;font-size:13px">Agj</div>'.repeat(3),
  ],
  [
    "a heading over all columns",
    `<div style="columns:3"><h2 style="column-span:all">${word} ${word}</h2>${"one two ".repeat(50)}</div>`,
  ],
  ["words in columns", `<div style="columns:3">${"one two ".repeat(90)}</div>`],
  ["a badge over an item", inGrid(thirds, `<b style="position:relative;left:120px">new</b>`, "<p>two</p>")],
  ["an item behind a label", inGrid(thirds, word, '<b style="position:absolute">two</b>')],
  ["a large number behind a text", inGrid(thirds, "<b style='font-size:30px;line-height:1'>1</b>", "two", "three")],
];

const kept: [what: string, body: string][] = [
  ["a box that is large enough", box("width:200px;height:200px", lines(6))],
  ["one line more than a box has", box("height:63px", lines(4))],
  ["a smallest height", box("min-height:40px", lines(6))],
  ["a body of a page", `<style>html,body{height:297px;width:300px}</style>${lines(40)}`],
  ["percentages", `<style>html,body,.page{height:100%}</style><div style="width:50%;height:50%">${lines(40)}</div>`],
  [
    "a label",
    box("width:60px;height:60px;position:relative", `<b style="position:absolute;left:70px;${nowrap}">A label</b>`),
  ],
  ["a label in a dot", box(`width:10px;height:10px;${nowrap}`, "Step one of the process")],
  ["a label on a line", box("height:1px", "Text below a line") + box(`width:0;${nowrap}`, long)],
  ["a background that is larger than its box", box("height:40px", '<div style="height:90px;background:red"></div>')],
  ["a drawing that is larger than its box", box("width:40px;height:40px", '<svg width="90" height="90"></svg>')],
  [
    "cells, which grow",
    `<table style="width:100px"><tr style="height:9px"><td style="width:20px;height:9px;${nowrap}">${long}<br>${lines(5)}</table>`,
  ],
  ["a large letter", box("width:30px;height:20px;line-height:20px;font-size:40px", "A")],
  ["a heading over the edge", box("width:300px;margin-left:90px", '<h2 style="margin-left:-60px">Heading</h2>')],
  [
    "a number over the edge",
    box("width:300px;margin-left:90px", '<p><b style="position:relative;left:-60px">12</b> text</p>'),
  ],
  ["an indent to the left", box("width:300px;margin-left:90px;text-indent:-60px", "text")],
  [
    "a turned label",
    box("width:20px;height:40px;margin:90px", `<p style="transform:rotate(-90deg);${nowrap}">Turned</p>`),
  ],
  ["an inline box, which has no size", `<p><span style="width:20px;height:9px">${long}</span></p>`],
  ["an invisible text", box("height:20px", `<p style="visibility:hidden">${lines(5)}</p>`)],
];

it.each(leaving)("a document warns about text that extends beyond %s", async (_what, body, message) => {
  expect(await renderer.warningsOf(body)).toEqual([expect.stringMatching(message)]);
});

it.each(covering)("a document warns of %s that covers other text", async (_what, body, message) => {
  expect((await renderer.warningsOf(body))[0]).toMatch(message);
});

it.each([...beside, ...kept])("a document does not warn of %s", async (_what, body) => {
  expect(await renderer.warningsOf(body)).toEqual([]);
});

it("text that runs out of a box causes a warning in an image, and never fails a render", async () => {
  const body = box("height:40px", lines(6));
  const message = expect.stringMatching(/^Page 1: \d+ px of the text of `<div class="box">`/);

  expect(await renderer.warningsOf(body, { format: "png" })).toEqual([message]);
  expect(await renderer.render(body, { format: "png", overflow: "error" })).toMatchObject({ status: "rendered" });
  expect(await renderer.render(body, { overflow: "error" })).toMatchObject({ status: "rendered", warnings: [message] });
});

it("a rotated box causes no warning about hidden text if its text is visible", async () => {
  const style =
    "position:absolute;top:0;width:200px;height:13px;overflow:hidden;transform:translateY(200px) rotate(-90deg)";

  expect(
    await renderer.warningsOf(
      `<div style="${style};transform-origin:top left;line-height:13px;font-size:10px">A text</div>`,
    ),
  ).toEqual([]);
});
