// Tests that a document says which text it loses at the left and at the top, where lines and pages begin.
import { expect, it } from "vitest";
import { openRenderer, pageBreak } from "../fixtures/warnings.ts";

const renderer = openRenderer();

const text = "FIRST second third fourth fifth LAST";
const long = `FIRST ${"second third fourth ".repeat(5)}LAST`;
const lines = "<div style='flex:none'>line</div>".repeat(6);
const inWindow = (style: string, content: string) =>
  `<div class="window" style="width:200px;height:60px;overflow:hidden;${style}">${content}</div>`;
const image = `<img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='60' height='60'/>"`;

const lost: [what: string, body: string, message: RegExp][] = [
  [
    "a float that is wider than the page",
    `<div class="a" style="float:right;width:600px">${text}</div>`,
    /^Page 1: 96 px of `<div class="a">` are cut off at the left edge of the page: “FIRST second third fourth fifth LAST”\.$/,
  ],
  [
    "an item at the end of a row",
    `<div class="b" style="display:flex;justify-content:flex-end"><span style="flex:none;width:600px">${text}</span></div>`,
    /^Page 1: 96 px of `<span>` in `<div class="b">` are cut off at the left edge of the page: “FIRST/,
  ],
  [
    "a box at the right of its container",
    `<div style="position:relative;height:30px"><span style="position:absolute;right:0;width:600px">${text}</span></div>`,
    /^Page 1: 96 px of `<span>` are cut off at the left/,
  ],
  [
    "a paragraph from right to left on the second page",
    `x${pageBreak}<p dir="rtl" style="white-space:nowrap">${long}</p>`,
    /^Page 2: \d+ px of `<p>` are cut off at the left/,
  ],
  [
    "a cell at the end of a grid",
    `<div style="display:grid;grid-template-columns:90px;justify-items:end"><b style="width:200px">${text}</b></div>`,
    /^Page 1: 110 px of `<b>` are cut off at the left/,
  ],
  ["a translation", `<div style="translate:-50px">${text}</div>`, /^Page 1: 50 px of `<div>` are cut off at the left/],
  ["a negative indent", `<p style="text-indent:-60px">${text}</p>`, /^Page 1: 60 px of `<p>` are cut off at the left/],
  [
    "a box above the bottom of a low box",
    `<div style="position:relative"><h1>Certificate</h1><p style="position:absolute;bottom:30mm">Signature</p></div>`,
    /^Page 1: \d+ px of `<p>` are cut off at the top edge of the page: “Signature”/,
  ],
  [
    "an image outside",
    `${image} style="position:absolute;right:600px">`,
    /of `<img>` are cut off at the left edge of the page\.$/,
  ],
  [
    "half of a logo",
    `<div class="top" style="margin-top:-30px">${image} class="logo" alt=""></div>`,
    /^Page 1: 30 px of `<img class="logo">` are cut off at the top edge of the page\.$/,
  ],
  [
    "half of a drawing",
    '<svg style="margin-left:-40px" width="80" height="80"></svg>',
    /40 px of `<svg>` .* left edge/,
  ],
  [
    "a positioned image with a text",
    `x${image} style="position:absolute;top:-30px" alt="ACME">`,
    /^Page 1: 30 px of `<img>` are cut off at the top edge/,
  ],
  [
    "a heading that moves its page file upwards",
    `<div class="top" style="margin:-48px 0 0;padding:30px 0">${text}</div>`,
    /^Page 1: \d+ px of `<div class="top">` are cut off at the top edge of the page: “FIRST/,
  ],
  [
    "a float on a page that is narrower than others",
    `<style>@page wide{size:900px 400px}.w{page:wide}</style><p style="float:right;width:600px">${text}</p><div class="w">y</div>`,
    /^Page 1: 96 px of `<p>` are cut off at the left/,
  ],
  [
    "a window that shows its last lines",
    inWindow("position:relative", `<div style="position:absolute;bottom:0">${lines}</div>`),
    /`<div class="window">` hides \d+ px of its content at its top edge: “line”/,
  ],
  [
    "a window with text at its right",
    inWindow("position:relative", `<span style="position:absolute;right:0;white-space:nowrap">${long}</span>`),
    /hides \d+ px of its content at its left edge: “FIRST/,
  ],
];

const kept: [what: string, body: string][] = [
  ["text for screen readers", `<span style="position:absolute;left:-50px;clip-path:inset(50%)">${text}</span>x`],
  ["a text far above the page", `<span style="position:absolute;top:-999em">${text}</span>x`],
  [
    "a text far to the left",
    `<div style="position:relative"><b style="position:absolute;right:9999px">${text}</b>x</div>`,
  ],
  [
    "a text far from its window",
    inWindow("position:relative", `<b style="position:absolute;left:-9999px">${text}</b>`),
  ],
  ["a text that an indent hides", `<p style="text-indent:-9999px">${text}</p>x`],
  ["a hanging indent", `<p style="padding-left:2em;text-indent:-2em">${text}</p>`],
  ["a quotation mark in the margin", `<p style="text-indent:-.3em">“Hello”</p>`],
  ["bullets in the margin", `<ul style="padding-left:0"><li>x</ul>`],
  ["a cropped image", inWindow("position:relative", `${image} style="position:absolute;right:0;width:300px">`)],
  ["a photo that begins a little above the page", `<div style="margin-top:-12px">${image} alt=""></div>`],
  ["a picture that decorates a corner", `x${image} style="position:absolute;top:-30px;left:-30px" alt="">`],
  ["a fixed picture that decorates a corner", `x${image} style="position:fixed;top:-30px" alt="Stamp">`],
  ["a text in a padding", `<div style="padding-left:60px"><b style="position:relative;left:-50px">${text}</b></div>`],
  ["a float that is as wide as the page", `<div style="float:right;width:504px">${text}</div>`],
];

it.each(lost)("a PDF warns of %s", async (_what, body, message) => {
  expect(await renderer.warningsOf(body)).toEqual([expect.stringMatching(message)]);
});

it.each(kept)("a PDF does not warn of %s", async (_what, body) => {
  expect(await renderer.warningsOf(body)).toEqual([]);
});

it("a render fails if text is lost at the left edge and the template does not allow lost content", async () => {
  const [, body = ""] = lost[0] ?? [];

  expect(await renderer.render(body, { overflow: "error" })).toMatchObject({ status: "impossible" });
});

it("the warning about a wide row on the third page names that page, although the row's widest item is outside the page", async () => {
  const row = `<div style="position:relative;display:flex">${'<p style="flex:0 0 300px">wide</p>'.repeat(5)}</div>`;

  expect(await renderer.warningsOf(`one${pageBreak}two${pageBreak}${row}`)).toEqual([
    expect.stringMatching(/^Page 3: `<p>` is 996 px wider than the page.*content further to the right is cut off\.$/),
  ]);
});

it("a document that is written from right to left is cut off at its left edge", async () => {
  const body = `<style>:root{direction:rtl}</style>one${pageBreak}<p style="width:900px">${text}</p>`;

  expect(await renderer.warningsOf(body)).toEqual([
    expect.stringMatching(/^Page 2: `<p>` is 396 px wider than the page.*content further to the left is cut off\.$/),
  ]);
});
