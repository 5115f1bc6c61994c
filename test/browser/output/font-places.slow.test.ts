// Tests that every place in a document that can set a font leads to the fonts of the service. The machine has no font for Georgia, so
// the text of a place that is not mapped would have another font.
import { expect, inject, it } from "vitest";
import type { TenantOptions } from "../../fixtures/tenant.ts";
import { embeddedFonts } from "../fixtures/embedded-fonts.ts";
import { fontPlaces } from "../fixtures/font-places.ts";
import { rendered } from "../fixtures/rendered.ts";

const brand = '@font-face{font-family:"Brand";src:url(open.otf)}';
const assets = { "open.otf": { contentType: "font/otf", base64: inject("fontFiles")["open.otf"] } };

async function fontsOf({ css = "", content, ...options }: TenantOptions & { css?: string }): Promise<string[]> {
  const styled = { ...options, content: { css: `${brand}${css}`, assets, ...content } };
  return embeddedFonts((await rendered(styled)).bytes);
}

/** Returns the fonts that are not the one for Georgia. */
const others = (fonts: string[]) => fonts.filter((name) => !name.startsWith("NotoSerif"));

it("draws the service's font in every place that can set one", async () => {
  const places = Object.values(fontPlaces).filter(({ css }) => !css?.includes("html"));
  const css = places.map((place) => place.css ?? "").join("\n");

  const fonts = await fontsOf({ css, page: places.map(({ page }) => page).join("\n") });

  expect(fonts).toContain("NotoSerif-BoldItalic");
  expect(others(fonts)).toEqual([]);
});

it.each(["html{font-family:Georgia}", ":root{font:1em Georgia}", "html{--f:Georgia;font-family:var(--f)}"])(
  "draws it if the root sets it (%s)",
  async (css) => {
    expect(await fontsOf({ css, page: "<p>Hello</p>" })).toEqual(["NotoSerif-Regular"]);
  },
);

it("draws it in headers and footers", async () => {
  const content = {
    header: '<style>.a{font-family:Georgia}</style><p class="a">a</p>',
    footer: '<p style="font-family:var(--f)">{{ page.number }}</p>',
  };

  const fonts = await fontsOf({ css: ":root{--f:Georgia}", page: "", content });

  expect(fonts).toContain("NotoSerif-Regular");
  expect(others(fonts)).toEqual([]);
});

it("prefers the template's own font, even if it is called Georgia", async () => {
  const css = '@font-face{font-family:"Georgia";src:url(open.otf)}.a{font-family:Georgia}';

  expect(await fontsOf({ css, page: '<p class="a">Hello</p>' })).toEqual(["Inconsolata"]);
});

it.each([
  ["`local()`", "@font-face{font-family:Heavy;src:local('Open Sans Bold')}p{font-family:Heavy}"],
  ["`unset` on the root", "html{all:unset}p{font-family:inherit}"],
  ["`revert`", "p{font-family:Brand}p{font-family:revert}"],
  [
    "a family that only a false condition declares",
    "@media (min-width:99999px){@font-face{font-family:Open Sans Bold;src:url(open.otf)}}p{font-family:'Open Sans Bold'}",
  ],
])("draws the default font in place of what %s would find on a machine", async (_, css) => {
  expect(await fontsOf({ css, page: "<p>Hello</p>" })).toEqual(["OpenSans-Regular"]);
});
