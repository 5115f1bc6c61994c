// Tests that the browser uses the formats of fonts that a push accepts.
import { env, exports } from "cloudflare:workers";
import { expect, inject, it } from "vitest";
import { newTenant, post } from "../../fixtures/tenant.ts";
import { embeddedFonts } from "../fixtures/embedded-fonts.ts";

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
  const tenant = await newTenant(env, { fields: [], page, content: { css, assets } });

  const response = await post(exports.default, tenant, { templateId: tenant.templateId, data: {} });

  const { data } = await response.json<{ data: { pdfUrl: string; warnings: string[] } }>();
  const file = await exports.default.fetch(data.pdfUrl);
  expect(data.warnings).toEqual([]);
  expect(embeddedFonts(new Uint8Array(await file.arrayBuffer()))).toEqual(["Inconsolata", "NotoSans-Regular"]);
});
