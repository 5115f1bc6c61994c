// Tests that the browser uses the formats of fonts that a push accepts, and emoji in bold with the rule that docs/template-limits.md recommends.
import { expect, inject, it } from "vitest";
import { readPdf } from "../../fixtures/pdf-reader.ts";
import { embeddedFonts } from "../fixtures/embedded-fonts.ts";
import { rendered } from "../fixtures/rendered.ts";

it("prints OpenType and WOFF files of the template in their own fonts", async () => {
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

it("draws emoji in bold text as those in regular text", async () => {
  const assets = { "emoji.woff2": { contentType: "font/woff2", base64: inject("fontFiles")["emoji.woff2"] } };
  const content = { css: "@font-face{font-family:Script;src:url(emoji.woff2);font-weight:1 1000}", assets };
  const drawn = async (weight: number) => {
    const { bytes } = await rendered({ page: `<p style="font:${weight} 20px Script">😀🚀</p>`, content });
    const { objects, streams } = readPdf(bytes);
    // The other objects have the time of the document.
    const isDrawing = ([number]: [number, Uint8Array]) =>
      !/\/Type\s*\/(?:Metadata|ObjStm|XRef)/.test(objects.get(number) ?? "");
    return [...streams].filter(isDrawing).map(([, bytes]) => Buffer.from(bytes).toString("base64"));
  };

  expect(await drawn(700)).toEqual(await drawn(400));
});
