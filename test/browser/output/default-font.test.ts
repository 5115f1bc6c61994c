// Tests the default font of a document, and that the rules of a template for `html` override it. A PNG is compared byte
// by byte with the PNG of another document that must look the same.
import { env, exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { newTenant, post, pushed, type Tenant } from "../../fixtures/tenant.ts";

/** A font that differs from the default one, although the browser has only one font. */
const large = "@font-face { font-family: Large; src: local('Open Sans'); size-adjust: 150% }";
const text = "<p>Hello</p><p>World</p>";

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant(env);
});

async function picture(css: string, page: string = text): Promise<string> {
  const content = { css: `${large} ${css}` };
  const templateId = await pushed(env, tenant.accountId, { page, fields: [], content }, crypto.randomUUID());
  const response = await post(exports.default, tenant, {
    templateId,
    data: {},
    format: "png",
    width: 300,
    height: 200,
  });
  const { data } = await response.json<{ data: { pdfUrl: string } }>();
  const file = await exports.default.fetch(data.pdfUrl);
  return Buffer.from(await file.arrayBuffer()).toString("base64");
}

describe("the default font", () => {
  it("is Open Sans with a size of 14 px and a line height of 1.5", async () => {
    expect(await picture("")).toBe(await picture("body { font: 14px/1.5 'Open Sans' }"));
  });

  it("leaves `rem` at 16 px", async () => {
    const box = (width: string, size: string) => `<p style="width:${width};background:red;font-size:${size}">Hello</p>`;

    expect(await picture("", box("10rem", "1.25rem"))).toBe(await picture("", box("160px", "20px")));
  });

  it("is the base of relative font sizes of `html` and `body`, as in every other document", async () => {
    expect(await picture("html { font-size: 62.5% } body { font-size: 2rem }")).toBe(
      await picture("body { font-size: 20px }"),
    );
    expect(await picture("body { font-size: 125% }")).toBe(await picture("body { font-size: 20px }"));
  });
});

describe("a rule for `html`", () => {
  it.each([
    "font-family: Large",
    "font-size: 20px",
    "font-size: 16px",
    "font-size: 10pt",
    "line-height: 3",
    "font: italic 20px/2 Large",
  ])("has the same effect on the text as a rule for `body` (%s)", async (declaration) => {
    const onRoot = await picture(`html { ${declaration} }`);

    expect(onRoot).toBe(await picture(`body { ${declaration} }`));
    expect(onRoot).not.toBe(await picture(""));
  });

  it("is overridden by a rule for `body`", async () => {
    expect(await picture("html { font: 30px/3 Large } body { font: 12px/2 'Open Sans' }")).toBe(
      await picture("body { font: 12px/2 'Open Sans' }"),
    );
  });
});

it("applies a rule for all elements to `html` and `body` too", async () => {
  expect(await picture("* { font-family: Large; margin: 3px }", "Hello")).toBe(
    await picture("html, body, section { font-family: Large; margin: 3px }", "Hello"),
  );
});
