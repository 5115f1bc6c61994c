// Calls the page script in an offline page of a real browser, as the renderer does.
import { launch, type Browser } from "puppeteer-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pageScript } from "colophon-page/bundle";
import type { PageNumbers, PrepareInput } from "../../src/prepared-page.ts";
import { pageAttributeName } from "../../src/references/reference-attributes.ts";
import { browserLauncher } from "colophon-templates/browser";

type Functions = Record<string, (input: PrepareInput | PageNumbers) => unknown>;

const size = { pageWidth: 794, pageHeight: 1123, margin: { top: 48, right: 48, bottom: 48, left: 48 } };
const limits = { maxImagePixels: 50_000_000, imageDensity: 2, maxTaggedElements: 10_000 };
const empty = { autoHeight: null, css: null, commonHeadElements: 0, marginContents: [], files: [], styleFiles: [] };

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
  const call = (name: "preparePage" | "setPageNumbers", input: PrepareInput | PageNumbers) =>
    script.evaluate((functions, name, input) => (functions as Functions)[name]?.(input), name, input);
  return {
    prepare: (body: string) =>
      call("preparePage", { format: "pdf", ...size, limits, ...empty, content: `</head><body>${body}` }),
    setPageNumbers: (pages: PageNumbers["pages"]) => call("setPageNumbers", { pages, ...size }),
    evaluate: (expression: string) => page.evaluate(expression),
  };
}

it("returns the metadata and the headings of a document", async () => {
  const { prepare } = await openPage();

  const preparation = await prepare('<meta name="author" content="Ada"><h1 id="a">Report</h1>');

  const metadata = { author: "Ada", outline: [{ level: 1, text: "Report", name: "a" }] };
  expect(preparation).toMatchObject({ status: "prepared", prepared: { metadata } });
});

it("removes unsafe links with a warning", async () => {
  const { prepare, evaluate } = await openPage();

  const preparation = await prepare('<a href="javascript:alert(1)">x</a><a href="https://example.com/">y</a>');

  expect(preparation).toMatchObject({ prepared: { warnings: [expect.stringMatching(/^Removed 1 link:/)] } });
  expect(await evaluate("[...document.links].map((link) => link.href)")).toEqual(["https://example.com/"]);
});

it("puts a font of the service behind a well-known family", async () => {
  const { prepare, evaluate } = await openPage();

  await prepare("<style>p { font-family: Courier }</style><p>x</p>");

  const families = await evaluate('getComputedStyle(document.querySelector("p")).fontFamily');
  expect(families).toMatch(/^Courier, "Colophon Mono", /);
});

it("refuses a document with too many elements", async () => {
  const { prepare } = await openPage();

  const preparation = await prepare("<br>".repeat(300_001));

  const message = expect.stringMatching(/^The document has 30\d{4} elements; at most 300000 are allowed/);
  expect(preparation).toEqual({ status: "impossible", message });
});

it("shows the pages on which the targets of references were printed", async () => {
  const { prepare, setPageNumbers, evaluate } = await openPage();
  const name = pageAttributeName("href", "lower-roman");
  const style = `<style>:root { --colophon-references: ${name} } p a::after { content: attr(${name}) }</style>`;

  await prepare(`${style}<p><a href="#end">see</a></p><p id="end">x</p>`);
  await setPageNumbers([["end", 7]]);

  expect(await evaluate('getComputedStyle(document.querySelector("p a"), "::after").content')).toBe('"vii"');
});
