// Tests the default font of a document, and that a template's rules for `html` override it. A PNG is compared byte by byte with
// the PNG of a document that must look the same.
import { expect, inject, it } from "vitest";
import { rendered } from "../fixtures/rendered.ts";

/** A font that differs from the default one. */
const heavy = "@font-face { font-family: Heavy; src: url(noto.woff) }";
const text = "<p>Hello</p><p>World</p>";

async function picture(css: string, page: string = text, deviceScaleFactor = 2): Promise<string> {
  const assets = { "noto.woff": { contentType: "font/woff", base64: inject("fontFiles")["noto.woff"] } };
  const content = { css: `${heavy} ${css}`, assets };
  const request = { format: "png", deviceScaleFactor, width: 300, height: 200 };
  const { bytes } = await rendered({ page, content }, request);
  return Buffer.from(bytes).toString("base64");
}

it("the default font is Open Sans with a size of 14 px and a line height of 1.5", async () => {
  expect(await picture("")).toBe(await picture("body { font: 14px/1.5 'Open Sans' }"));
});

it("the default font does not change `rem`, which is 16 px", async () => {
  const box = (width: string, size: string) => `<p style="width:${width};background:red;font-size:${size}">Hello</p>`;

  expect(await picture("", box("10rem", "1.25rem"))).toBe(await picture("", box("160px", "20px")));
});

it("relative font sizes of `html` and `body` have the same base as in any browser", async () => {
  expect(await picture("html { font-size: 62.5% } body { font-size: 2rem }")).toBe(
    await picture("body { font-size: 20px }"),
  );
  expect(await picture("body { font-size: 125% }")).toBe(await picture("body { font-size: 20px }"));
});

it.each(["font-family: Heavy", "font-size: 20px", "line-height: 3", "font: italic 20px/2 Heavy"])(
  "a rule for `html` has the same effect on the text as a rule for `body` (%s)",
  async (declaration) => {
    const onRoot = await picture(`html { ${declaration} }`);

    expect(onRoot).toBe(await picture(`body { ${declaration} }`));
    expect(onRoot).not.toBe(await picture(""));
  },
);

it("a rule for `html` is overridden by a rule for `body`", async () => {
  expect(await picture("html { font: 30px/3 Heavy } body { font: 12px/2 'Open Sans' }")).toBe(
    await picture("body { font: 12px/2 'Open Sans' }"),
  );
});

it("a rule for all elements also applies to `html` and `body`", async () => {
  expect(await picture("* { font-family: Heavy; margin: 3px }", "Hello")).toBe(
    await picture("html, body, div { font-family: Heavy; margin: 3px }", "Hello"),
  );
});

it("the widths of glyphs are not rounded in any browser", async () => {
  const exact = "body { text-rendering: geometricPrecision }";

  expect(await picture("", text, 1)).toBe(await picture(exact, text, 1));
});

it("an `h1` has the same size and margins in every browser, however many sections enclose it", async () => {
  const heading = "<section><h1>Hello</h1></section>";
  const same = '<div style="font-size:2em;font-weight:bold;margin:.67em 0">Hello</div>';

  expect(await picture("", heading)).toBe(await picture("", same));
});

it("any rule of a template can change an `h1` in every browser", async () => {
  const css = "* { margin: 0; font-size: 20px }";

  expect(await picture(css, "<h1>Hello</h1>")).toBe(await picture(css, "<b>Hello</b>"));
});
