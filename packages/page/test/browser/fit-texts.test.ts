// Tests which font sizes `data-fit` gives to elements. A box has room for two lines of text of 20 px.
import { launch, type Browser, type Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pageScript } from "colophon-page/bundle";
import { browserLauncher } from "colophon-templates/browser";
import type { PagePreparation, PrepareInput } from "../../src/prepared-page.ts";

let browser: Browser;
let page: Page;
// The browser is unpacked when it is used for the first time.
beforeAll(async () => {
  browser = await launch({ executablePath: await browserLauncher() });
  page = await browser.newPage();
  await page.setOfflineMode(true);
}, 60_000);
afterAll(() => browser?.close());

const styles = `<style>
  @layer { body { margin: 0; font: 20px/1.25 "DejaVu Sans Mono", monospace } p { margin: 0 } [data-fit], .box { width: 240px; height: 50px } }</style>`;

/** Prepares a document, and returns the font sizes of the elements with `data-fit`, and the messages of those that are too small. */
async function fitted(body: string, format: "pdf" | "png" = "pdf", extra: Partial<PrepareInput> = {}) {
  const input: PrepareInput = {
    ...{ format, pageWidth: 800, pageHeight: 1000, margin: { top: 0, right: 0, bottom: 0, left: 0 }, autoHeight: null },
    limits: { maxImagePixels: 50_000_000, imageDensity: 2, maxTaggedElements: 10_000 },
    ...{
      css: null,
      commonHeadElements: 0,
      marginContents: [],
      hyphenation: null,
      valueNames: [],
      files: [],
      styleFiles: [],
    },
    ...{ preparedTitle: "", content: `${styles}</head><body><div class="page">${body}</div>`, ...extra },
  };
  const script = await page.evaluateHandle(pageScript);
  type Functions = { preparePage: (input: PrepareInput) => Promise<PagePreparation> };
  const preparation = await script.evaluate((functions, each) => (functions as Functions).preparePage(each), input);
  if (preparation.status !== "prepared") throw new Error(preparation.message);
  const { overflows, hints, warnings } = preparation.prepared;
  const sizes = await page.evaluate(
    `[...document.querySelectorAll("[data-fit]")].map((each) => parseFloat(getComputedStyle(each).fontSize))`,
  );
  const messages = [...overflows, ...hints].map(({ message }) => message);
  return { sizes: sizes as number[], messages, warnings, html: await page.evaluate("document.body.innerHTML") };
}

const letters = (count: number) => "x".repeat(count);
const words = (count: number) => "seven77 ".repeat(count);
const box = (content: string, style = "", smallest = "8px") =>
  `<div class="box" data-fit="${smallest}" style="${style}">${content}</div>`;
const line = (content: string, style = "", smallest = "8px") =>
  box(content, `height:25px;white-space:nowrap;${style}`, smallest);
const hebrew = "\u05e9\u05dc\u05d5\u05dd ";
const pixel = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAAAAACH5BAAAAAAALAAAAAABAAEAAAICTAEAOw==";
const cell = `<table style="table-layout:fixed;width:240px;border-spacing:0"><tr><td data-fit="8px" style="padding:0;white-space:nowrap">`;

/** Chromium 127 and 153 give these sizes. */
const smaller: [what: string, body: string, ...sizes: number[]][] = [
  ["a line of 40 letters", line(letters(40)), 11.25],
  ["a line of words", line(words(4)), 14.75],
  ["three lines", box(words(6)), 19.75],
  ["many lines", box(words(30), "height:100px"), 11.75],
  ["a long word", box(letters(30)), 15.25],
  ["a long word that may be divided", box(letters(60), "overflow-wrap:anywhere"), 15.25],
  ["several paragraphs", box(`<p>${words(2)}</p><p>${words(2)}</p><p>${words(2)}</p>`), 13.5],
  ["a line break", box("one<br>two<br>three"), 13.5],
  ["a line from right to left", line(hebrew.repeat(10), "direction:rtl"), 10.25],
  ["Latin letters from right to left", line(letters(30), "direction:rtl"), 15.25],
  ["lines from right to left", box(hebrew.repeat(30), "direction:rtl"), 10.25],
  ["a line at the right", line(letters(30), "text-align:right"), 15.25],
  ["a line in the middle", line(letters(30), "text-align:center"), 15.25],
  [
    "a flex box with its content in the middle",
    line(`<i>${letters(30)}</i>`, "display:flex;justify-content:center"),
    16.5,
  ],
  [
    "a flex box with its content at the end",
    line(`<i>${letters(30)}</i>`, "display:flex;justify-content:flex-end"),
    16.5,
  ],
  [
    "a column with its content at the bottom",
    box(`<p>${words(9)}</p>`, "display:flex;flex-direction:column;justify-content:flex-end"),
    13.25,
  ],
  ["a column with its content in the middle", box(`<p>${words(9)}</p>`, "display:flex;align-items:center"), 13.75],
  [
    "a flexible item",
    `<div style="display:flex;width:240px"><p style="flex:none;width:120px">a</p>${line(letters(20), "flex:1;min-width:0;width:auto")}</div>`,
    11.25,
  ],
  ["a grid", box(`<p>${words(9)}</p>`, "display:grid;align-items:end"), 13.5],
  [
    "an item of a grid",
    `<div style="display:grid;grid-template-columns:120px 1fr">${line(letters(20), "width:auto")}</div>`,
    11.25,
  ],
  ["a box that is turned by 45 degrees", line(letters(30), "margin:200px;transform:rotate(45deg)"), 15.25],
  ["a box that is turned by 90 degrees", line(letters(30), "margin:200px;rotate:-90deg"), 15.25],
  [
    "a box that is turned and has its text at the end",
    line(`<i>${letters(30)}</i>`, "margin:200px;rotate:30deg;display:flex;justify-content:flex-end"),
    16.5,
  ],
  ["a box in a scaled box", `<div style="transform:scale(.5)">${line(letters(30))}</div>`, 15.25],
  ["vertical lines", box(letters(30), "writing-mode:vertical-rl;width:25px;height:240px;white-space:nowrap"), 14],
  ["a box with padding", line(letters(30), "padding:10px 20px"), 15.25],
  ["a border box", line(letters(30), "box-sizing:border-box;padding:0 20px"), 12.75],
  ["a box with a border", line(letters(30), "box-sizing:border-box;border:solid;border-width:0 20px"), 12.75],
  ["a part in em", line(`<b style="font-size:2em">${letters(15)}</b>`), 10.75],
  ["a part in pixels, which stays", line(`<b style="font-size:20px">${letters(15)}</b>${letters(10)}`), 12.75],
  ["a box in a box", box(`${words(9)}${line(letters(20), "width:120px", "6px")}`, "height:100px"), 19.75, 11.25],
  [
    "a part of a box in em of a smaller box",
    box(`${words(30)}${line(letters(8), "font-size:2em;height:30px")}`, "height:100px"),
    11.75,
    23.5,
  ],
  ["two boxes", line(letters(40)) + line(letters(30)), 11.25, 15.25],
  ["a largest height", box(words(9), "height:auto;max-height:50px"), 13.5],
  [
    "clamped lines",
    box(words(9), "height:auto;display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden"),
    11.75,
  ],
  ["a line with an ellipsis", line(letters(30), "overflow:hidden;text-overflow:ellipsis"), 15.25],
  ["a box that hides", box(words(9), "overflow:hidden"), 13.5],
  ["a positioned box", box(words(9), "position:absolute;top:9px;left:9px"), 13.5],
  ["a cell", `${cell}${letters(30)}</table>`, 15.25],
  ["lines of a fixed height", box(words(9), "line-height:25px"), 11.75],
  ["low lines", box(words(9), "line-height:.9"), 19],
  ["a smallest size in pt", line(letters(35), "", "9pt"), 13],
  ["a smallest size in mm", line(letters(40), "", "2.5mm"), 11.4488],
  ["large letters", line(letters(12), "font-size:100px;height:125px;"), 38],
  ["balanced lines", box(words(9), "text-wrap:balance"), 13.5],
  ["preformatted lines", box(`${words(4)}\n${words(3)}\n${words(2)}`, "white-space:pre"), 13.5],
  ["an important size", line(letters(30), "font-size:20px!important"), 15.25],
  ["an image in em", box(`<img style="width:5em;height:5em" src="${pixel}">`), 10],
  ["a hanging indent", box(words(9), "text-indent:-1em;padding-left:1em"), 13.5],
  ["columns", box(words(20), "columns:2"), 9.5],
];

const kept: [what: string, body: string][] = [
  ["a line that fits", line(letters(22))],
  ["two lines that fit", box(words(4))],
  ["lines as high as their letters", box("seven", "line-height:1;height:20px")],
  ["lines that are lower than their letters", box("seven", "line-height:.8;height:16px")],
  ["a line in a box that is as high as the line", box("seven", "line-height:50px")],
  ["spaces that hang out", box(`${letters(22)}      `, "white-space:pre-wrap")],
  ["a space that hangs out between two lines", box(`${letters(22)} ${letters(22)}`, "white-space:pre-wrap")],
  ["a box that is as wide as its text", line(letters(40), "width:max-content")],
  ["a box that grows", box(words(40), "height:auto")],
  ["a label beside a box", box('x<b style="position:absolute;left:300px">label</b>', "position:relative")],
  ["a heading that is moved out", box('<p style="margin-left:-20px">x</p>', "margin-left:40px")],
  [
    "a part that cuts off its text",
    box(`<p style="overflow:hidden;white-space:nowrap;text-overflow:ellipsis">${letters(60)}</p>`),
  ],
  ["a hanging indent that leaves the box", box(words(2), "text-indent:-1em;margin-left:40px")],
  ["a badge over the corner", box('x<b style="position:absolute;bottom:-9px;right:-9px">new</b>', "position:relative")],
  ["a label that is shifted below", box('x<b style="position:relative;top:70px">new</b>')],
  ["an element without a box", box(words(40), "display:contents")],
  ["an inline element", `<p data-fit="8px" style="display:inline">${letters(30)}</p>`],
  ["a hidden element", box(words(40), "display:none")],
  ["an empty element", box(" ")],
  ["a turned box", line(letters(18), "margin:200px;rotate:30deg")],
  ["a background that is too large", box('<p style="width:300px;height:90px;background:red"></p>')],
];

describe("data-fit reduces the font size of", () => {
  it.each(smaller)("%s, in a PDF and in a picture", async (_what, body, ...sizes) => {
    const [pdf, png] = [await fitted(body), await fitted(body, "png")];
    expect([pdf.sizes, pdf.messages, pdf.warnings]).toEqual([sizes, [], []]);
    expect(png.sizes).toEqual(pdf.sizes);
  });
});

describe("data-fit changes nothing in", () => {
  it.each(kept)("%s", async (_what, body) => {
    const { html, messages } = await fitted(body);

    const without = await fitted(body.replaceAll(/ data-fit="\w+"/g, ' class="box"'));
    const plain = (markup: unknown) => String(markup).replaceAll(/ (data-fit|class)="\w+"/g, "");
    expect(plain(html)).toBe(plain(without.html));
    expect(messages).toEqual(without.messages);
  });

  it.each(["small", "8", "8em", "-8px", "0px", ""])("an element whose smallest size is %j", async (size) => {
    expect((await fitted(line(letters(40), "", size))).sizes).toEqual([20]);
  });
});

describe("data-fit names an element that is too small for its text at the smallest size", () => {
  it.each([
    ["a line", line(letters(80)), 8, /^`<div class="box">` is too small .*: 95 px extend beyond its right edge: “…x+”/],
    ["lines", box(words(90), "overflow:hidden"), 8, /beyond its bottom edge: “…/],
    ["a line from right to left", line(letters(80), "direction:rtl;margin-left:300px"), 8, /beyond its left edge/],
    ["a line that is already smaller", line(letters(80), "font-size:7px"), 7, /beyond its right edge/],
    ["a line that may not shrink", line(letters(40), "", "15pt"), 20, /beyond its right edge/],
  ])("%s", async (_what, body, size, message) => {
    expect(await fitted(body)).toMatchObject({ sizes: [size], messages: [expect.stringMatching(message)] });
  });
});

it("data-fit uses the width of the page that contains the element", async () => {
  const css =
    "<style>@page narrow { size: 400px 500px; margin: 0 } .narrow { page: narrow } div { width: auto }</style>";
  const wide = `<div data-fit="8px" style="width:100%;height:25px;white-space:nowrap">${letters(60)}</div>`;

  const { sizes } = await fitted(`${css}${wide}<section class="narrow">${wide}</section>`);

  expect(sizes).toEqual([20, 12.5]);
});

it("data-fit stops after 200 elements, 100,000 characters or three nested elements, and warns how many elements it left out", async () => {
  const many = await fitted(line(letters(40)).repeat(203));
  const long = await fitted(line(letters(40)) + box(words(13_000)));
  const deep = await fitted(
    `${'<p data-fit="8px">'.replace("p", "div").repeat(3)}${line(letters(40))}${"</div>".repeat(3)}`,
  );

  expect([many.sizes.filter((size) => size < 20).length, long.sizes, deep.sizes]).toEqual([
    200,
    [11.25, 20],
    [20, 20, 20, 20],
  ]);
  for (const [{ warnings }, left] of [
    [many, 3],
    [long, 1],
    [deep, 1],
  ] as const)
    expect(warnings).toEqual([
      expect.stringContaining(`whose text was not fitted: ${left}. A document may have 200 such elements,`),
    ]);
});
