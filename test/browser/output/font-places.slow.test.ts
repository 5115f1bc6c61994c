// Tests that the service's fonts are used wherever a document can set a font. The machine has no font for Georgia, so text in a place
// that is not mapped would have a different font.
import { expect, inject, it } from "vitest";
import type { TenantOptions } from "../../fixtures/tenant.ts";
import { embeddedFonts } from "../fixtures/embedded-fonts.ts";
import { rendered } from "../fixtures/rendered.ts";

const brand = '@font-face{font-family:"Brand";src:url(open.otf)}';
const assets = { "open.otf": { contentType: "font/otf", base64: inject("fontFiles")["open.otf"] } };

async function fontsOf({ css = "", content, ...options }: TenantOptions & { css?: string }): Promise<string[]> {
  const styled = { ...options, content: { css: `${brand}${css}`, assets, ...content } };
  return embeddedFonts((await rendered(styled)).bytes);
}

/** Returns the fonts other than the replacement for Georgia. */
const others = (fonts: string[]) => fonts.filter((name) => !name.startsWith("NotoSerif"));

/** Each place in a document that can set a font: the style sheet of the template, and the markup. */
const fontPlaces: Record<string, { css?: string; page: string }> = {
  "the style sheet": { css: ".a{font-family:Georgia}", page: '<p class="a">a</p>' },
  "the `font` shorthand": { css: ".c{font:italic 700 12px/2 'Georgia',serif}", page: '<p class="c">c</p>' },
  "a custom property": { css: ":root{--f:Georgia,serif}.d{font-family:var(--f)}", page: '<p class="d">d</p>' },
  "a custom property that is the whole shorthand": {
    css: ":root{--i:bold 12px/1.5 Georgia, Arial}.f{font:var(--i)}",
    page: '<p class="f">f</p>',
  },
  "a custom property in an attribute, for the style sheet": {
    css: ".g{font-family:var(--j)}",
    page: '<p class="g" style="--j:Georgia">g</p>',
  },
  "the fallback of a custom property": { css: ".j{font-family:var(--none,Georgia)}", page: '<p class="j">j</p>' },
  "conditions, layers, scopes and nested rules": {
    css: "@media print{@supports (top:0){@layer x{@scope (.k){b{& i{font-family:Georgia}}}}}}",
    page: '<p class="k"><b><i>k</i></b></p>',
  },
  "pseudo-elements": { css: ".m::before{content:'m';font-family:Georgia}", page: '<p class="m"></p>' },
  "a `style` element": { page: '<style>.n{font-family:Georgia}</style><p class="n">n</p>' },
  "a `style` element of an SVG": {
    page: '<svg height="30"><style>.o{font:12px Georgia}</style><text y="20" class="o">o</text></svg>',
  },
  "a `style` attribute": { page: '<p style="font-family:&quot;Georgia&quot;,serif">p</p>' },
  "a `style` attribute with escapes and comments": { page: '<p style="f\\6fnt/**/:/**/12px/**/Ge\\6frgia">q</p>' },
  "a presentation attribute of SVG": {
    page: '<svg height="30"><text y="20" font-family="Georgia, serif">r</text></svg>',
  },
  "a `font` element": { page: '<p><font face="Georgia, Arial">s</font></p>' },
  "a form control": {
    css: "input,textarea{font-family:Georgia}",
    page: '<p><input value="v"><textarea>w</textarea></p>',
  },
  "a `revert` to another layer": {
    css: "@layer{.x{font-family:Georgia}}.x{font-family:revert-layer}",
    page: '<p class="x">x</p>',
  },
  "an element with the browser's own font": { css: "code{font-family:Georgia}", page: "<p><code>y</code></p>" },
};

it("text is in the service's font wherever a font can be set", async () => {
  const places = Object.values(fontPlaces);
  const css = places.map((place) => place.css ?? "").join("\n");

  const fonts = await fontsOf({ css, page: places.map(({ page }) => page).join("\n") });

  expect(fonts).toContain("NotoSerif-BoldItalic");
  expect(others(fonts)).toEqual([]);
});

it.each(["html{font-family:Georgia}", ":root{font:1em Georgia}", "html{--f:Georgia;font-family:var(--f)}"])(
  "text is in the service's font if the root sets it (%s)",
  async (css) => {
    expect(await fontsOf({ css, page: "<p>Hello</p>" })).toEqual(["NotoSerif-Regular"]);
  },
);

it("headers and footers are in the service's font", async () => {
  const content = {
    header: '<style>.a{font-family:Georgia}</style><p class="a">a</p>',
    footer: '<p style="font-family:var(--f)">{{ page.number }}</p>',
  };

  const fonts = await fontsOf({ css: ":root{--f:Georgia}", page: "", content });

  expect(fonts).toContain("NotoSerif-Regular");
  expect(others(fonts)).toEqual([]);
});

it("the template's own font takes precedence, even if it is named Georgia", async () => {
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
])("the default font is used instead of a font that %s would find on a machine", async (_, css) => {
  expect(await fontsOf({ css, page: "<p>Hello</p>" })).toEqual(["OpenSans-Regular"]);
});
