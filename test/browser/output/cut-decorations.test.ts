// Tests that a document names the shadows and outlines that the edges of the page area cut off, and no others. The area is 504 px
// wide and 304 px high.
import { expect, it } from "vitest";
import { openRenderer, pageBreak } from "../fixtures/warnings.ts";

const renderer = openRenderer();

const box = (style: string, more = "") =>
  `${more}<div class="card" style="background:#eee;${style}">x</div><p>after</p>`;
const page = (css: string) => `<style>@page ${css}</style>`;
const advice = "page area, because a print shows no content in the margins. Give the box a margin of";

it.each([
  [
    "a shadow on all sides",
    box("box-shadow:0 0 0 12px red"),
    `12 px of the shadow of \`<div class="card">\` are cut off at the left, right and top edges of the ${advice} 12 px.`,
  ],
  ["a blurred shadow below", box("box-shadow:0 8px 16px rgb(0 0 0 / 15%);margin-top:20px"), "left and right edges"],
  ["the first of two shadows", box("margin:20px 0;box-shadow:-9px 0 red, 0 0 1px blue"), "9 px of the shadow"],
  ["an outline", box("margin:20px 20px 20px 0;outline:6px solid red"), "6 px of the outline of"],
  ["an outline outside", box("margin:20px;outline:2px solid;outline-offset:25px"), "7 px of the outline"],
  [
    "a filter",
    `<img style="filter:drop-shadow(-10px 0 0 red);margin-top:20px" width=9 height=9 src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">`,
    "10 px of the shadow of `<img>` are cut off at the left edge",
  ],
  [
    "the bottom of the only page",
    '<div style="height:254px"></div><div style="margin:0 30px;height:50px;box-shadow:0 9px red">x</div>',
    "9 px of the shadow of `<div>` are cut off at the bottom edge",
  ],
  ["a shadow of a class", `<style>.card { margin-top: 9px; box-shadow: 4px 0 red }</style>${box("")}`, "right edge"],
  [
    "a shadow of a positioned box",
    box("position:absolute;left:4px;top:20px;box-shadow:-9px 0 red"),
    "5 px of the shadow",
  ],
])("a document names decoration that the page area cuts off: %s", async (_what, body, message) => {
  expect(await renderer.warningsOf(body)).toEqual([expect.stringContaining(message)]);
});

it("a document names the page of decoration that is cut off", async () => {
  const body = `x${pageBreak}${box("box-shadow:5px 0 red")}`;

  expect(await renderer.warningsOf(body)).toEqual([expect.stringMatching(/^Page 2: 5 px of the shadow/)]);
});

const shadow = "box-shadow:0 0 0 12px red;";

it("a document names content that is outside the page area, but not the decorations in it", async () => {
  const body = `<div class="wrap" style="margin-left:-40px">lost text ${box("box-shadow:0 0 0 12px red")}</div>`;

  expect(await renderer.warningsOf(body)).toEqual([expect.stringContaining('`<div class="wrap">`')]);
});

it.each([
  ["a shadow with space around it", box(`${shadow}margin:12px`)],
  ["a shadow inside the box", box("box-shadow:inset 0 0 20px red")],
  ["a faint shadow", box("box-shadow:0 2px 4px rgba(0,0,0,.075), 0 4px 12px rgb(0 0 0 / 10%)")],
  ["a thin shadow", box("box-shadow:0 0 0 2px red")],
  ["a shadow without colour", box("box-shadow:0 0 0 20px transparent;outline:9px solid transparent")],
  ["an outline inside the box", box("outline:9px solid red;outline-offset:-9px")],
  ["no shadow", box("box-shadow:none;outline:none;filter:none")],
  ["a shadow that a box around it hides", `<div style="overflow:hidden">${box(shadow)}</div>`],
  ["a shadow of a hidden box", box(`${shadow}visibility:hidden`)],
  ["a shadow at the edge of the paper", page("{ margin: 0 }") + box(shadow)],
  ["a shadow on a first page with different margins", page(":first { margin: 0 }") + box(shadow)],
  ["a box that is hidden far to the left", box("position:absolute;left:-9999px")],
  ["a negative margin of a box that paints nothing", box("margin-left:-20px;padding-left:20px;background:none")],
  ["a shadow below the first of two pages", `${box("margin:20px 0;box-shadow:0 9px red")}${pageBreak}x`],
  ["a stripe beside the content", box("position:absolute;left:-30px;top:9px;width:10px;color:transparent")],
  ["a box moved by a pixel", box("margin:-1px 0 0 -1px;padding:3px")],
])("a document does not warn about %s", async (_what, body) => {
  expect(await renderer.warningsOf(body)).toEqual([]);
});

it("an image does not warn about decoration, because it shows all of it", async () => {
  expect(await renderer.warningsOf(box(shadow), { format: "png" })).toEqual([]);
});
