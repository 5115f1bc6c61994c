import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { colourFontEdits } from "../../../../src/core/templates/styles/colour-fonts.ts";
import { styleAssets } from "../../../../src/core/templates/styles/style-assets.ts";

const root = join(import.meta.dirname, "../../../..");

function font(path: string, contentType = "font/woff2") {
  return { contentType, base64: readFileSync(join(root, path)).toString("base64") };
}

const assets = {
  "emoji.woff2": font("templates/report/assets/emoji-color.woff2"),
  "emoji.ttf": { contentType: "font/ttf", base64: sfnt(["CBDT", "cmap"]) },
  "emoji.woff": { contentType: "font/woff", base64: woff(["cmap", "sbix"]) },
  "mono.woff2": font("templates/report/assets/emoji-mono.woff2"),
  "text.woff2": font("templates/report/assets/geist-400.woff2"),
  "text.woff": font("node_modules/@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff", "font/woff"),
  "cut.woff2": { contentType: "font/woff2", base64: btoa("wOF2") },
};

/** Returns the beginning of a file whose directory has these tables. */
function sfnt(names: string[]): string {
  const entries = names.map((name) => name + "\0".repeat(12)).join("");
  return btoa(`\0\x01\0\0\0${String.fromCharCode(names.length)}${"\0".repeat(6)}${entries}`);
}

function woff(names: string[]): string {
  const entries = names.map((name) => name + "\0".repeat(16)).join("");
  return btoa(`wOFF\0\x01\0\0${"\0".repeat(4)}\0${String.fromCharCode(names.length)}${"\0".repeat(30)}${entries}`);
}

/** Returns the styles with the edits. */
function edited(css: string): string {
  const used = styleAssets(css, new Set(Object.keys(assets))).assets;
  const edits = colourFontEdits({ css, styleAssets: used, assets });
  return edits.reduceRight((text, { start, end, text: inserted }) => text.slice(0, start) + inserted + text.slice(end), css);
}

describe("a font with colours gets every weight", () => {
  it.each([
    "@font-face{font-family:Emoji;src:url(emoji.woff2)§}",
    "@font-face{src:url(emoji.ttf)format('truetype');font-family:Emoji;§}",
    "@font-face { font-family: 'Emoji'; font-weight: 400; src: local(x), url('emoji.woff') format('woff') §}",
    "@media print { @font-face { font-family: Emoji; src: url(emoji.woff2) §} } p { color: red }",
    "@font-face{font-family:E;src:url(emoji.woff2);unicode-range:U+1F600§}@font-face{font-family:e;src:url(emoji.ttf)§}",
  ])("in %s", (css) => {
    expect(edited(css.replaceAll("§", ""))).toBe(css.replaceAll("§", ";font-weight:1 1000"));
  });
});

describe("styles stay as they are", () => {
  it.each([
    ["if the font has no colours", "@font-face{font-family:Text;src:url(text.woff2)}"],
    ["if the font has no colours (WOFF)", "@font-face{font-family:Text;src:url(text.woff)}"],
    ["if the font has emoji in one colour", "@font-face{font-family:Mono;src:url(mono.woff2)}"],
    ["if the file is cut off", "@font-face{font-family:Cut;src:url(cut.woff2)}"],
    [
      "if the family has another font",
      "@font-face{font-family:A;src:url(emoji.woff2)}@font-face{font-family:a;src:url(text.woff2)}",
    ],
    [
      "if the family has several weights",
      "@font-face{font-family:A;src:url(emoji.woff2)}@font-face{font-family:A;src:url(emoji.ttf);font-weight:700}",
    ],
    ["if only a background names the font", "p{background:url(emoji.woff2)}"],
  ])("%s", (_, css) => {
    expect(edited(css)).toBe(css);
  });
});
