// Calls the page script in an offline page of a real browser, as the renderer does.
import { launch, type Browser } from "puppeteer-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pageScript } from "colophon-page/bundle";
import { browserLauncher } from "colophon-templates/browser";
import type { PrepareInput } from "../../src/prepared-page.ts";

type Functions = { preparePage: (input: PrepareInput) => unknown };

const size = { pageWidth: 794, pageHeight: 1123, margin: { top: 48, right: 48, bottom: 48, left: 48 } };
const limits = { maxImagePixels: 50_000_000, imageDensity: 2, maxTaggedElements: 10_000 };
const empty = {
  autoHeight: null,
  css: null,
  commonHeadElements: 0,
  marginContents: [],
  hyphenation: null,
  valueNames: [],
  files: [],
  styleFiles: [],
  preparedTitle: "",
};

let browser: Browser;
// The browser is unpacked when it is used for the first time.
beforeAll(async () => {
  browser = await launch({ executablePath: await browserLauncher() });
}, 60_000);
afterAll(() => browser?.close());

/** Opens a page. `prepare` prepares a PDF with this body. */
async function openPage() {
  const page = await browser.newPage();
  await page.setOfflineMode(true);
  const script = await page.evaluateHandle(pageScript);
  return {
    prepare: (body: string, format: "pdf" | "png" = "pdf") => {
      const input = { format, ...size, limits, ...empty, content: `</head><body>${body}` };
      return script.evaluate((functions, input) => (functions as Functions).preparePage(input), input);
    },
    evaluate: (expression: string) => page.evaluate(expression),
  };
}

it("a font of the service follows a well-known family in a list of families", async () => {
  const { prepare, evaluate } = await openPage();

  await prepare("<style>p { font-family: Courier }</style><p>x</p>");

  const families = await evaluate('getComputedStyle(document.querySelector("p")).fontFamily');
  expect(families).toMatch(/^Courier, "Colophon Mono", /);
});

it("a document with too many elements is refused", async () => {
  const { prepare } = await openPage();

  const preparation = await prepare("<br>".repeat(300_001));

  const message = expect.stringMatching(/^The document has 30\d{4} elements; at most 300000 are allowed/);
  expect(preparation).toEqual({ status: "impossible", message });
});

it.each([
  ["rule", "<style>@keyframes k { to { top: 9px } } p { animation: k 9s !important }</style><p>x</p>"],
  [
    "attribute",
    '<style>@layer a { @keyframes k { to { top: 9px } } }</style><p style="animation: k 9s !important">x</p>',
  ],
])("an animation in a %s has no effect on the document", async (_place, body) => {
  const { prepare, evaluate } = await openPage();

  await prepare(body);

  expect(await evaluate("document.getAnimations().length")).toBe(0);
});

it.each([
  ["rule", "html", "transition: all 9s !important"],
  ["variable", "html", "--t: all 9s; transition: var(--t)"],
  ["nested rule", "@media all", "html { transition-duration: 9s }"],
])("a transition of a %s does not show the previous document", async (_place, prelude, style) => {
  const { prepare, evaluate } = await openPage();
  const document = (color: string) => `<style>${prelude} { ${style} } :root { color: ${color} }</style>x`;

  await prepare(document("blue"));
  await prepare(document("red"));

  expect(await evaluate("getComputedStyle(document.documentElement).color")).toBe("rgb(255, 0, 0)");
});

it("transitions are removed from `style` attributes", async () => {
  const { prepare, evaluate } = await openPage();

  await prepare('<p style="transition: all 9s !important; color: red">x</p>');

  expect(await evaluate('document.querySelector("p").getAttribute("style")')).toBe("color: red;");
});

it.each([
  ["monospace", "initial"],
  ["Courier, monospace", "1"],
  ["revert", "revert-layer"],
])("scales code in %s as browsers do", async (families, scale) => {
  const { prepare, evaluate } = await openPage();

  await prepare(`<code style="font-family: ${families}">x</code>`);

  const value = 'document.querySelector("code").style.getPropertyValue("--colophon-scale")';
  expect(await evaluate(value)).toBe(scale);
});

it("maps families in a custom property of an attribute, and leaves text unchanged", async () => {
  const { prepare, evaluate } = await openPage();

  await prepare(`<p style="--label: 'Georgia'; --family: Georgia">x</p>`);

  const valueOf = (name: string) => evaluate(`document.querySelector("p").style.getPropertyValue("${name}")`);
  expect(await valueOf("--label")).toBe("'Georgia'");
  expect(await valueOf("--family")).toMatch(/^Georgia,"Colophon /);
});

const cover = (style: string) => `<div style="position:absolute;top:0;width:794px;height:1123px;${style}">x</div>`;
const decorated = "<style>p::before { content: ''; filter: blur(90px) } body { height: 1123px }</style>";
const svgFilter = '<svg width="0" height="0"><filter id="f"><feMorphology radius="99"/></filter></svg>';
const few = [cover("backdrop-filter: blur(20px)").repeat(2), cover("filter: drop-shadow(0 0 5px)").repeat(5)];

it.each([
  ["backdrop filters", cover("backdrop-filter: blur(90px)").repeat(9)],
  ["blurred boxes", cover("filter: blur(90px)").repeat(20)],
  ["blend modes", cover("mix-blend-mode: multiply").repeat(200)],
  ["masks", cover("mask: linear-gradient(red, blue)").repeat(200)],
  ["reflections", cover("-webkit-box-reflect: below").repeat(60)],
  ["pseudo-elements with filters", `${decorated}${"<p>x</p>".repeat(20)}`],
  ["filters of SVG", `${svgFilter}${cover("filter: url(#f)")}`],
])("an image with too many %s is refused, and the page is emptied", async (_what, body) => {
  const { prepare, evaluate } = await openPage();

  const preparation = await prepare(body, "png");

  const message = expect.stringMatching(/^The effects of the image, .* amount to \d+ megapixels; at most 50 are/);
  expect(preparation).toEqual({ status: "impossible", message });
  expect(await evaluate("document.body.childNodes.length")).toBe(0);
});

it.each([
  ["an image with a few effects", few.join(""), "png"],
  ["an image with many small effects", `<b style="filter: blur(2px)">x</b>`.repeat(500), "png"],
  ["a PDF with many effects", cover("filter: blur(90px)").repeat(20), "pdf"],
] as const)("the page script prepares %s", async (_what, body, format) => {
  const { prepare } = await openPage();

  expect(await prepare(body, format)).toMatchObject({ status: "prepared" });
});

it("a warning names an unknown value of `data-part` and lists the allowed values", async () => {
  const { prepare } = await openPage();

  const preparation = await prepare(
    '<p data-part="roman">a</p><p data-part=" Upper-Roman ">b</p><p data-part>c</p><p data-part="x" hidden>d</p>',
  );

  const hints = [
    { name: expect.any(String), message: expect.stringMatching(/^`<p>` has `data-part="roman"`, .*`lower-roman`/) },
  ];
  expect(preparation).toMatchObject({ status: "prepared", prepared: { hints } });
});
