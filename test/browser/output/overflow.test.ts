// Tests that a document reports the content that it cuts off or shrinks, with the page, and that other documents report
// nothing.
import { expect, it } from "vitest";
import { dataUri } from "colophon-test-kit/images";
import { photo } from "colophon-test-kit/photo";
import { openRenderer, pageBreak } from "../fixtures/warnings.ts";

const renderer = openRenderer();

const lines = (count: number) => Array.from({ length: count }, (_, index) => `<p>Line ${index + 1}</p>`).join("");
const words = "word ".repeat(60);
const image = `<img src="${dataUri("jpeg", photo(200, 100))}" alt="">`;
const box = (style: string, content = lines(9)) => `<div class="box" style="${style}">${content}</div>`;

it.each<[what: string, body: string, message: RegExp]>([
  [
    "a fixed height",
    box("height:50px;overflow:hidden"),
    /^Page 1: `<div class="box">` hides .*bottom edge: “Line 2”. Give it more space, or `min-height` instead of a height\.$/,
  ],
  [
    "text far below its box",
    box("height:50px;overflow:hidden", '<p style="margin-top:900px">Far</p>'),
    /bottom edge: “Far”/,
  ],
  ["a box that contains its painting", box("height:50px;contain:paint"), /bottom edge/],
  ["a box with a largest height", box("max-height:50px;overflow:hidden"), /Give it more space/],
  [
    "code that scrolls",
    `<pre style="overflow:auto">${words}</pre>`,
    /right edge: “.*”\. Let its lines wrap with `white-space: pre-wrap`\.$/,
  ],
  [
    "a long word",
    box("width:90px;overflow:hidden", "x".repeat(60)),
    /right edge: .* with `overflow-wrap: anywhere`\.$/,
  ],
  ["text that does not wrap", box("width:200px;overflow:hidden;white-space:nowrap", words), /right edge/],
  [
    "text that is moved out of its box",
    `<p>x</p>${box("height:60px;overflow:hidden", '<p style="margin-top:-40px">Lost</p>')}`,
    /top edge: “Lost”/,
  ],
  [
    "a hidden image",
    box("height:50px;overflow:hidden", `<div style="height:60px"></div>${image}`),
    /bottom edge\. Give it/,
  ],
  [
    "a text area whose height is fixed",
    '<textarea style="height:20px">One\nTwo\nThree\nFour</textarea>',
    /bottom edge: “One Two Three Four”\.$/,
  ],
  [
    "a fixed box that scrolls",
    `<div style="position:fixed;inset:0;overflow:auto">${lines(40)}</div>`,
    /^Page 1: `<div>` hides \d+ px of its content at its bottom edge/,
  ],
  ["a box inside a box", box("height:40px;overflow:hidden", box("overflow:hidden")), /bottom edge/],
  ["a fixed page", `<style>.page{height:300px;overflow:hidden}</style>${lines(20)}`, /class="page page-1">` hides/],
  [
    "a nested rule",
    `<style>.a{p{height:9px;overflow:hidden}}</style><div class="a"><p>${words}`,
    /`<p>`.* bottom edge/,
  ],
  [
    "a wide table",
    `<table id="t" style="width:620px"><td>x`,
    /^Page 1: `<table id="t">` is 116 px wider than the page, so the document is printed at 81 % of its size\.$/,
  ],
  [
    "a table of many columns",
    `<table><tr>${"<td>Column".repeat(16)}</table>`,
    /fit: content further to the right is cut off\. Let its long words wrap with `overflow-wrap: anywhere`\.$/,
  ],
  ["a wide image", '<svg class="d" width="620" height="9"></svg>', /81 % of its size\. Give it `max-width: 100%`\.$/],
  ["code", `<pre>${words}</pre>`, /cut off\. Let its lines wrap with `white-space: pre-wrap`\.$/],
  [
    "one line",
    `<p style="white-space:nowrap">${words}</p>`,
    /cut off\. Let its text wrap with `white-space: normal`\.$/,
  ],
  ["padding", '<p style="width:100%;padding:40px">x</p>', /80 px wider .* Write `box-sizing: border-box`\.$/],
  ["a table that is far too wide", `<table style="width:900px"><td>x`, /at 67 % of its size, and still does not fit/],
  ["a long word", `<p>${"x".repeat(200)}`, /`<p>` is \d+ px wider/],
  [
    "a long word beside a table that its box cuts off",
    `<p>${"x".repeat(90)}</p><div style="overflow-x:auto;text-overflow:ellipsis"><table><td>${"x".repeat(120)}</table></div>`,
    /`<p>` is \d+ px wider/,
  ],
  ["too many columns", `<div class="c" style="columns:2;height:100px">${lines(60)}`, /class="c">` is \d+ px wider/],
  [
    "a wide drawing on the second page",
    `x${pageBreak}<svg width="620" height="9"><rect width="900" height="9"/></svg>`,
    /^Page 2: `<svg>` is \d+ px wider/,
  ],
  ["wide decoration", '<div style="width:600px;height:9px;background:red"></div>', /wider than the page/],
  [
    "a table that fits only on the wide page of another name",
    '<style>@page wide{size:900px 400px}.w{page:wide}</style><table style="width:620px"><td>x</table><div class="w">y</div>',
    /^Page 1: `<table>` is 116 px wider than the page, so the document is printed at 81 % of its size\.$/,
  ],
  [
    "a wide table after a cover without margins",
    '<style>@page:first{margin:0}</style>Cover</div><div class="page page-2"><table style="width:540px"><td>x</table>',
    /^Page 2: `<table>` is 36 px wider than the page, so the document is printed at 93 % of its size\.$/,
  ],
  [
    "a wide table after a forced break that follows a cover without margins",
    `<style>@page:first{margin:0}</style><div>Cover</div><section><h2 style="break-before:page">A</h2><table style="width:540px"><td>x</table></section>`,
    /^Page 2: `<table>` is 36 px wider than the page, so the document is printed at 93 % of its size\.$/,
  ],
  [
    "a wide table after a cover without margins that forces the break",
    `<style>@page:first{margin:0}</style><div style="break-after:page">Cover</div><section><table style="width:540px"><td>x</table></section>`,
    /^Page 2: `<table>` is 36 px wider than the page, so the document is printed at 93 % of its size\.$/,
  ],
  [
    "text to the left of the page after a cover without margins",
    `<style>@page:first{margin:0}</style><div>Cover</div><h2 style="break-before:page">A</h2><p style="margin-left:-20px">Band</p>`,
    /^Page 2: 20 px of `<p>` are cut off at the left edge of the page: “Band”\.$/,
  ],
  [
    "text to the left of the page",
    '<div style="margin-left:-100px">Hello</div>',
    /^Page 1: 100 px of `<div>` are cut off at the left edge of the page: “Hello”/,
  ],
  ["a fixed box", '<div style="position:fixed;left:480px;width:100px">Hello world</div>', /right edge of the page/],
  [
    "text to the left of a positioned box at the top of the second page",
    `x${pageBreak}<div style="position:relative"><div style="margin-left:-100px">Hello</div></div>`,
    /^Page 2: 100 px/,
  ],
  ["a low fixed box", '<div style="position:fixed;bottom:-60px">1<br>2<br>Three</div>', /bottom edge of the page: “/],
  ["an rtl text", `<div dir="rtl" style="width:200px;overflow:hidden;white-space:nowrap">${words}`, /left edge/],
  ["text in a drawing", '<svg width="100" height="40"><text x="60" y="20">A long label</text></svg>', /`<svg>` hides/],
  [
    "a text area with too few lines",
    '<textarea class="t" rows="2">One\nTwo\nThree\nFour</textarea>',
    /^Page 1: `<textarea class="t">` hides \d+ px of its content at its bottom edge: “One Two Three Four”\. Write `field-sizing: content`\.$/,
  ],
  [
    "a short input",
    '<input size="10" value="longer than the box">',
    /`<input>` hides .* right edge: “longer.*”\. Write `field-sizing: content`\.$/,
  ],
  [
    "a narrow list of options",
    '<select style="width:50px"><option>A<option selected>The long label of a choice</select>',
    /`<select>` hides \d+ px .* right edge: “The long label of a choice”\.$/,
  ],
  [
    "a low list of options",
    '<select multiple size="2"><option>One<option>Two<option>Three<option>Four</select>',
    /`<select>` hides .* bottom edge: “Three”. Write `field-sizing/,
  ],
])("a PDF warns of %s", async (_what, body, message) => {
  expect(await renderer.warningsOf(body)).toEqual([expect.stringMatching(message)]);
});

it.each<[what: string, body: string]>([
  ["a rule of a namespace", '<style>@namespace svg "http://www.w3.org/2000/svg";svg|a{overflow:hidden}</style>x'],
  ["decoration outside its box", box("height:50px;overflow:hidden", '<div style="height:90px;background:red"></div>')],
  ["an empty line outside its box", box("height:20px;overflow:hidden", "<div>x</div><p>&nbsp; </p>")],
  ["an ellipsis", box("width:90px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis", words)],
  ["clamped lines", box("overflow:hidden;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2", words)],
  ["a cropped image", box("width:90px;height:60px;overflow:hidden", image)],
  ["a picture for text", box("width:90px;height:40px;text-indent:100%;white-space:nowrap;overflow:hidden", "Logo")],
  ["transparent letters", box("height:20px;overflow:hidden", `<div>x</div><p style="color:transparent">${words}</p>`)],
  ["a collapsed box", box("height:0;overflow:hidden", words)],
  ["tight lines", box("height:16px;line-height:1;overflow:hidden;font-size:16px", "Ágjpq")],
  ["a box that is a little wider than the page", '<div style="width:506px">x</div>'],
  ["a box of the exact width", '<div style="width:504px">x</div>'],
  [
    "two halves that fill a page whose width is rounded up to whole pixels",
    `<style>@page{size:600.3px 400px}i{display:inline-block;width:252.5px}</style>${box("height:20px;overflow:hidden", "<i>One</i><i>Two</i>")}`,
  ],
  [
    "pages of three widths",
    `<style>@page label{size:300px 200px;margin:20px}@page wide{size:900px 400px}.l{page:label}.w{page:wide}.l,.w{overflow:hidden}</style><p>${words}</p><div class="l"><div style="width:260px">x</div></div><div style="width:500px">x</div><div class="w"><div style="width:800px">x</div></div>`,
  ],
  [
    "a cover without margins",
    '<style>@page:first{margin:0}</style><div style="width:600px;height:300px">x</div></div><div class="page page-2">y',
  ],
  [
    "a cover without margins, with a forced break that has nothing before it",
    '<style>@page:first{margin:0}</style><div style="break-before:page"><div style="width:600px">x</div></div><div style="break-before:page">y</div>',
  ],
  ["a list", `<ul>${"<li>x".repeat(30)}</ul>`],
  [
    "a centred box",
    '<div style="height:200px"></div><div style="position:absolute;left:50%;top:50%;transform:translate(-50%,-50%)">Hello</div>',
  ],
  ["decoration to the left", '<div style="position:absolute;left:-30px;width:20px;height:20px;background:red"></div>'],
  ["a body that hides its overflow", `<style>html,body{overflow-x:hidden}</style>${lines(40)}`],
  ["a visible drawing", '<svg width="20" height="20" style="overflow:visible"><text x="10" y="20">Label</text></svg>'],
  ["a text area with an empty line at its end", '<textarea rows="2">One\nTwo\n</textarea>'],
  [
    "controls without text",
    '<input type="checkbox" checked><input type="radio"><input type="range"><input type="color"><input type="date" value="2025-01-01"><input type="hidden" value="longer than the box">',
  ],
  ["an ellipsis in an input", '<input size="3" style="text-overflow:ellipsis" value="longer than the box">'],
  ["a list of options with a short choice", '<select style="width:60px"><option>A<option>The long label</select>'],
  ["fitting controls", '<input value="Name"><textarea>One\nTwo</textarea><select><option>A<option>Long label</select>'],
])("a PDF does not warn of %s", async (_what, body) => {
  expect(await renderer.warningsOf(body)).toEqual([]);
});

it.each<[what: string, body: string, message: RegExp]>([
  ["wide content", '<div style="width:700px;text-align:right">Hello</div>', /^Page 1: .* right edge: “Hello/],
  ["content below a fixed height", lines(40), /^Page 1: .*bottom edge/],
  ["a box", box("height:50px;overflow:hidden"), /class="box">` hides/],
])("an image warns of %s", async (_what, body, message) => {
  expect(await renderer.warningsOf(body, { format: "png", fixedHeight: true })).toEqual([
    expect.stringMatching(message),
  ]);
});

it("the warning about right-to-left text names the edge that cuts it off, and only ids from the markup", async () => {
  const style = "<style>:root{direction:rtl}.n{white-space:nowrap;margin-right:-90px}</style>";

  expect(await renderer.warningsOf(`${style}<h1 class="n">Total 12345</h1>`)).toEqual([
    expect.stringMatching(/^Page 1: \d+ px of `<h1 class="n">` are cut off at the right edge of the page: “Total/),
  ]);
});

it("hidden content fails the render of a PDF and of an image if the template requires it", async () => {
  const tooHigh = box("height:50px;overflow:hidden");

  for (const format of ["pdf", "png"] as const) {
    const message = expect.stringMatching(/^Page 1: `<div class="box">` hides/);
    expect(await renderer.render(tooHigh, { format, overflow: "error" })).toEqual({ status: "impossible", message });
    expect(await renderer.render("x", { format, overflow: "error" })).toMatchObject({ status: "rendered" });
  }
});

it("the warning about hidden text quotes its end from a readable beginning", async () => {
  const text = `${words}Until the end of the year`;

  expect(await renderer.warningsOf(box("height:40px;width:300px;overflow:hidden", text))).toEqual([
    expect.stringMatching(/bottom edge: “….*Until the end of the year”/),
  ]);
});

it("the warnings about hidden content name at most five elements", async () => {
  const boxes = Array.from({ length: 9 }, (_, index) =>
    box("height:50px;overflow:hidden", `${lines(1)}<p>Box ${index}</p>`),
  );

  expect(await renderer.warningsOf(boxes.join(""))).toHaveLength(5);
});
