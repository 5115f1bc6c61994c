// Tests that the browser uses the formats of fonts that a push accepts.
import { expect, inject, it } from "vitest";
import { embeddedFonts } from "../fixtures/embedded-fonts.ts";
import { rendered } from "../fixtures/rendered.ts";

it("a template's own OpenType and WOFF fonts are printed", async () => {
  const files = inject("fontFiles");
  const css = `@font-face{font-family:One;src:url(open.otf) format("opentype")}
    @font-face{font-family:Two;src:url(noto.woff) format("woff")}
    .one{font-family:One}.two{font-family:Two}`;
  const assets = {
    "open.otf": { contentType: "font/otf", base64: files["open.otf"] },
    "noto.woff": { contentType: "font/woff", base64: files["noto.woff"] },
  };
  const page = '<p class="one">Hello</p><p class="two">Hello</p>';

  const { bytes, warnings } = await rendered({ page, content: { css, assets } });

  expect(warnings).toEqual([]);
  expect(embeddedFonts(bytes)).toEqual(["Inconsolata", "NotoSans-Regular"]);
});
