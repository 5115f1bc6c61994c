// Tests that a document names the groups that are kept together and therefore leave most of a page empty.
import { describe, expect, it } from "vitest";
import { openRenderer } from "../fixtures/warnings.ts";

const { warningsOf } = openRenderer();

/** A page is 304 px high. */
const box = (px: number, attributes = "", content = "x") =>
  `<div ${attributes} style="height:${px}px">${content}</div>`;
const kept = (style = "", content = box(280), tag = "div") =>
  `<${tag} class="kept" style="break-inside:avoid;${style}">${content}</${tag}>`;
const before = "<p>one</p><p>two</p>";
const picture = `<img alt="" style="display:block;width:9px;height:270px" src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>">`;
const rows = "<tr><td>x".repeat(12);

const emptying: [what: string, body: string][] = [
  ["a block", before + kept()],
  ["a flex container", before + kept("display:flex")],
  ["a grid", before + kept("display:grid")],
  ["a table", `${before}<table class="kept" style="break-inside:avoid"><tr><td>${box(280)}</table>`],
  ["a block after a table", `<table><tr><td>x</table>${kept()}`],
  ["a block after a picture", box(40, "", picture.replace("270", "30")) + kept()],
  ["a block after text with a picture", `<p>one <b>two</b></p>${kept()}`],
  ["the first block in a section", `${before}<section>${kept()}</section>`],
  ["a block below its heading", `${before}<h2>three</h2>${kept()}`],
  ["a group of rows", `<table><tbody><tr><td>x<tbody class="kept" style="break-inside:avoid">${rows}</table>`],
  [
    "a block on a page with a name",
    `<style>.named{page:a}@page a{size:600px 400px}</style><div class="named">${before}${kept()}</div>`,
  ],
  [
    "a block that has its style from a rule",
    `<style>.kept{page-break-inside:avoid}</style>${before}<div class="kept">${box(280)}</div>`,
  ],
  ["a block whose beginning is kept together", before + kept("", kept("", box(200)) + box(80))],
];

const silent: [what: string, body: string][] = [
  ["a block that leaves less than half of a page empty", box(170) + kept("", box(250))],
  ["a block that fits", box(20) + kept()],
  ["the first block", kept()],
  ["a block that begins a page on purpose", before + kept("break-before:page")],
  ["a block after a forced break", `${before}<div style="break-after:page">three</div>${kept()}`],
  ["a block after an empty element that breaks the page", `${before}<div style="break-before:page"></div>${kept()}`],
  ["a block in a section that begins a page", `${before}<section style="break-before:page">${kept()}</section>`],
  ["a chapter with a heading", `${before}<h1 style="break-before:page">three</h1>${kept("", box(200))}`],
  [
    "a block on a different page by name",
    `<style>.wide{page:wide}@page wide{size:700px 400px}</style>${before}${kept("page:wide")}`,
  ],
  ["a part of the document", `${before}<section data-part="decimal" style="break-before:right">${kept()}</section>`],
  ["a cover", `<section style="height:60px;break-after:page">x</section>${kept()}`],
  [
    "a block that may be divided",
    before + kept("break-inside:auto", Array.from({ length: 20 }, () => "<p>x</p>").join("")),
  ],
  ["a small block on the next page", box(290) + kept("", box(100))],
  ["a block beside others", `<div style="display:flex">${box(280)}${kept()}</div>`],
  ["a floating block", `${before}${kept("float:left")}`],
  ["a positioned block", `${before}${kept("position:absolute")}`],
  ["a block after a page that text fills", box(285) + kept()],
  ["a block after a long paragraph", `<p>${"text<br>".repeat(12)}</p>${kept("", box(250))}`],
];

describe("a PDF warns of a page that is half empty because of", () => {
  it.each(emptying)("%s", async (_what, body) => {
    const warnings = await warningsOf(body);

    expect(warnings).toEqual([
      expect.stringMatching(
        /^Page 1: More than half of the page is empty, because `<\w+ class="kept">` after it is kept together\. Leave out/,
      ),
    ]);
  });
});

describe("a PDF does not warn of the place of", () => {
  it.each(silent)("%s", async (_what, body) => {
    expect(await warningsOf(body)).toEqual([]);
  });
});

it("the warning about a half-empty page suggests making the picture after it lower", async () => {
  const warnings = await warningsOf(before + kept("", picture, "figure"));

  expect(warnings).toEqual([expect.stringMatching(/^Page 1: .* `<figure class="kept">` .* Make its picture lower\.$/)]);
});
