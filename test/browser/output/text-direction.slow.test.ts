// Tests the direction of documents in right-to-left languages by the positions of words in real PDFs.
import { expect, it } from "vitest";
import { templateContent } from "colophon-test-kit/template-content";
import { pagesOf, wordOn, type PrintedPage } from "../fixtures/printed-pages.ts";

const { manifest } = templateContent({ fields: [] });
const text = "<p>start</p>";

/** Renders page files in a language. */
function inLanguage(locale: string, page: string | string[], content: { css?: string; header?: string } = {}) {
  return pagesOf({ page, content: { manifest: { ...manifest, locale }, ...content } });
}

/** The words of the first page of an A4 document begin at 36 points on the left, and end 36 points before 595 on the right. */
function sideOf(page: PrintedPage | undefined, word: string): "left" | "right" | "elsewhere" {
  const left = wordOn(page, word)?.left ?? 0;
  if (Math.abs(left - 36) < 1) return "left";
  return left > 400 ? "right" : "elsewhere";
}

it("a document in Arabic runs from right to left, including its header", async () => {
  const [page] = await inLanguage("ar", text, { header: "<p>header</p>" });

  expect([sideOf(page, "start"), sideOf(page, "header")]).toEqual(["right", "right"]);
});

it("selectors for the direction from right to left match a document in Arabic", async () => {
  const css = "[dir=rtl] p:dir(rtl) { text-align: center }";

  const [page] = await inLanguage("ar", text, { css });

  expect(sideOf(page, "start")).toBe("elsewhere");
});

it.each([
  ["the `dir` of its `html` element", `<!doctype html><html dir="ltr"><body>${text}</body></html>`, ""],
  ["a style of `html`", text, "html { direction: ltr }"],
  ["a style of `body`", text, "body { direction: ltr }"],
])("a document in Arabic runs from left to right if %s sets this direction", async (_what, page, css) => {
  const [first] = await inLanguage("ar", page, { css });

  expect(sideOf(first, "start")).toBe("left");
});

it("a document that runs from right to left may have pages of different sizes", async () => {
  const css = "@page wide { size: 297mm 210mm } .page-2 { page: wide } .page-3 p { break-before: page }";

  const pages = await inLanguage("he", [text, text, `${text}${text}`], { css, header: "<p>header</p>" });

  expect(pages.map(({ width }) => Math.round(width))).toEqual([595, 842, 595, 595]);
  expect(wordOn(pages[1], "header")?.left).toBeGreaterThan(700);
  expect(pages.map((page) => wordOn(page, "start") !== undefined)).toEqual([true, true, true, true]);
});

it("a document without a `dir` attribute has the direction of its language, even after a document with the attribute", async () => {
  const sides: string[] = [];
  for (const own of [' dir="ltr"', "", ' dir="ltr"']) {
    const [first] = await inLanguage("ar", `<html${own}>${text}`);
    sides.push(sideOf(first, "start"));
  }

  expect(sides).toEqual(["left", "right", "left"]);
});
