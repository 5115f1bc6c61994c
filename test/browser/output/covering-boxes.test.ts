// Tests the hint about fixed boxes that cover text.
import { expect, it } from "vitest";
import { rendered } from "../fixtures/rendered.ts";

const bar = "position:fixed;left:0;right:0;height:40px;background:#bd5d38";
const lines = (count: number) => "<p>A line of text</p>".repeat(count);
const warningsOf = async (css: string, body = lines(100)) =>
  (await rendered({ page: `<div class="bar">Name</div>${body}`, content: { css } })).warnings;

it.each([
  ["top", "top:0", "header.liquid"],
  ["foot", "bottom:0", "footer.liquid"],
])("a document of several pages warns about an opaque bar at the %s of every page", async (place, style, file) => {
  const warnings = await warningsOf(`.bar{${bar};${style}}body{padding:50px 0}`);

  const message = `\`<div class="bar">\` covers text at the ${place} of pages, because a fixed box is on every page and takes no space there. Move it to ${file}.`;
  expect(warnings).toEqual([expect.stringContaining(message)]);
});

const spaced = `<table><thead><tr><td><div style="height:50px"></div></td></tr></thead><tbody><tr><td>${lines(100)}</td></tr></tbody></table>`;
it.each([
  ["that has one page", `.bar{${bar};top:0}`, lines(5)],
  ["whose bar is transparent", `.bar{${bar};top:0;background:#0001}`, undefined],
  ["whose bar is behind the text", `.bar{${bar};top:0;z-index:-1}`, undefined],
  ["with a narrow mark", `.bar{${bar};top:0;left:auto;width:80px}`, undefined],
  ["whose bar is not fixed", `.bar{${bar};top:0}.bar{position:absolute}`, undefined],
  ["with a background", `.bar{${bar};top:0;height:100%}p{position:relative}`, undefined],
  ["with an empty row for the bar on every page", `.bar{${bar};top:0}`, spaced],
  [
    "that begins its pages itself",
    `.bar{${bar};top:0}section{break-before:page;padding-top:50px}`,
    `<section>${lines(5)}</section>`.repeat(12),
  ],
  [
    "whose padding is on every page",
    `.bar{${bar};top:0}body{padding-top:50px;-webkit-box-decoration-break:clone}`,
    undefined,
  ],
])("a document %s has no warning about covered text", async (_what, css, body) => {
  expect(await warningsOf(css, body)).toEqual([]);
});
