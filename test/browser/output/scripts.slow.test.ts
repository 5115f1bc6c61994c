// Prints each writing system in the service's fonts, in the body, the header and the footer, and checks that text copied from the PDF
// equals the template's text. How glyphs join and stack must be checked by eye, for example with `pdftoppm`.
import { extractText, getDocumentProxy } from "unpdf";
import { expect, it } from "vitest";
import { missingGlyphFace, missingGlyphFamily } from "colophon-page/missing-glyph-font";
import { readPdf } from "colophon-test-kit/pdf-reader";
import { actualText } from "../fixtures/actual-text.ts";
import { everyScript } from "../fixtures/every-script.ts";
import { pagesOf } from "../fixtures/printed-pages.ts";
import { rendered } from "../fixtures/rendered.ts";

/**
 * `plain` removes differences in layout, and `joined` also removes spaces. pdf.js returns the words of a right-to-left line in visual order.
 */
const plain = (text: string) => text.normalize("NFKC").replace(/[\ufe0f\p{Bidi_Control}]/gu, "");
const characters = (text: string) => [...joined(text)].toSorted();
const joined = (text: string) => plain(text).replace(/\s/gu, "");

/**
 * Chromium maps only plain glyphs to characters. For joined and substituted glyphs, it writes ActualText, which pdf.js ignores.
 */
const substituting = new Set(
  "Arabic,Devanagari,Bengali,Gurmukhi,Gujarati,Oriya,Tamil,Telugu,Kannada,Malayalam,Sinhala,Thai,Lao,Khmer,Myanmar,Tibetan".split(
    ",",
  ),
);

/** Chromium 127 maps emoji sequences and some joined letters to no characters, for which pdf.js returns NUL. */
function hasUnmappedGlyphs(pdf: Uint8Array): boolean {
  return Number(/Skia\/PDF m(\d+)/.exec(new TextDecoder("latin1").decode(pdf))?.[1]) <= 127;
}

/** Returns the letters, and the emoji that are not part of a sequence. */
const mainCharacters = (text: string) => plain(text).match(/\p{L}|[😀🫠]/gu) ?? [];

/** Returns the characters that occur in `all` in the same order. */
function inOrder(characters: string[], all: string[]): string[] {
  let next = 0;
  return characters.filter((character) => {
    const index = all.indexOf(character, next);
    if (index >= 0) next = index + 1;
    return index >= 0;
  });
}

it.each(everyScript)("text copied from a PDF equals the text of the template ($name)", async ({ name, lang, text }) => {
  const block = `<p lang="${lang}" dir="auto">${text}</p>`;
  const { bytes, warnings } = await rendered({ page: block, content: { header: block, footer: block } });

  expect(warnings).toEqual([]);
  if (substituting.has(name)) {
    const parts = await actualText(bytes);
    expect(parts.length).toBeGreaterThan(5);
    return expect(parts.filter((part) => !joined(text).includes(joined(part)))).toEqual([]);
  }
  const { text: read } = await extractText(await getDocumentProxy(bytes.slice()), { mergePages: true });
  if (hasUnmappedGlyphs(bytes) && read.includes("\0")) {
    const [all, copied] = [mainCharacters(text.repeat(3)), mainCharacters(read)];
    // All letters of Mongolian are joined, and none is mapped.
    if (name !== "Mongolian") expect(copied.length).toBeGreaterThan(all.length / 2);
    return expect(copied).toEqual(inOrder(copied, all));
  }
  // The body, the header and the footer each contain the text once.
  if (lang === "he") expect(characters(read)).toEqual(characters(text.repeat(3)));
  else expect(joined(read).split(joined(text))).toHaveLength(4);
});

it("Japanese punctuation has its full width in every version of Chromium", async () => {
  const [printedPage] = await pagesOf({
    page: '<p lang=ja style="font-size:16px">「本」、「本」、<b style="font:inherit;color:red">本</b></p>',
  });

  // The margin is 36 pt. Eight characters of 12 pt stand before the last one.
  expect(printedPage?.words.at(-1)).toMatchObject({ text: "本", left: expect.closeTo(36 + 8 * 12, 0) });
});

it("emoji are drawn in colour with a Type 3 font", async () => {
  const { bytes } = await rendered({ page: "<p>😀🚀</p>" });

  const objects = [...readPdf(bytes).objects.values()];
  expect(objects.some((source) => /\/Subtype\s*\/Type3/.test(source))).toBe(true);
});

const warningsFor = async (page: string, css = "") => (await rendered({ page, content: { css } })).warnings;
const box = (character: string, code: string) =>
  `No font has a glyph for "${character}" (${code}), so it is drawn as a box.`;

it("a missing glyph is named in a single warning, even if it occurs several times", async () => {
  expect(await warningsFor("<p>𓀀 and 𓀀</p><p><b>𓀀</b></p>")).toEqual([box("𓀀", "U+13000")]);
});

it("a warning names an invisible character that leaves a gap", async () => {
  const codes = ["0007", "000B", "000C", "009F", "115F", "1680", "1BCA0"];
  const text = codes.map((code) => String.fromCodePoint(Number.parseInt(code, 16))).join("a");

  expect(await warningsFor(`<p>${text}</p>`)).toEqual(
    codes.map((code) => `No font has a glyph for U+${code}, so it leaves a gap.`),
  );
});

it("a missing glyph is named in a warning when it occurs in a header or a footer", async () => {
  const { warnings } = await rendered({ page: "<p>x</p>", content: { header: "<p>𓀀</p>", footer: "<p>𓀁</p>" } });

  expect(warnings).toEqual([box("𓀀", "U+13000"), box("𓀁", "U+13001")]);
});

it("a missing glyph is named in a warning if it is among the first ten", async () => {
  const warnings = await warningsFor("<p>𓀀𓀁𓀂𓀃𓀄𓀅𓀆𓀇𓀈𓀉𓀊𓀋</p>");

  expect(warnings).toHaveLength(11);
  expect(warnings[10]).toBe("No font has a glyph for 2 other characters either.");
});

it.each([
  ["text in the system's font", "Ελληνικά, кирилиця, Tiếng Việt, ≤ €"],
  ["text whose style names a font that does not exist", "<span style='font-family:Nope'>Ελληνικά</span>"],
  ["letters with combining marks", "e\u0301 a\u0323\u0302 o\u0308"],
  ["characters that are never drawn", "a\u200bb\u200dc\u2060\u00ad\ufe0f\ufeff\u{e0061}\u202ex\u202c"],
  ["spaces of every width", "a\u2003b\u2009c\u3000d"],
  ["hidden text", "<span style='display:none'>𓀀</span><span style='visibility:hidden'>𓀀</span>"],
])("a missing glyph is not reported for %s", async (_what, text) => {
  expect(await warningsFor(`<p>${text}</p>`)).toEqual([]);
});

it.each([
  ["an element without a box", "<p><span style='display:contents'>𓀀</span></p>"],
  ["an input", "<input value='𓀀'>"],
  ["an input of an unknown type", "<input type=other value='𓀀'>"],
  ["a button", "<input type=submit value='𓀀'>"],
  ["a placeholder", "<input placeholder='𓀀'>"],
  ["the placeholder of a password", "<input type=password placeholder='𓀀'>"],
  ["a text area", "<textarea>𓀀</textarea>"],
  ["the placeholder of a text area", "<textarea placeholder='𓀀'></textarea>"],
  ["the selected option", "<select><option>a<option selected>𓀀</select>"],
  ["the label of an option", "<select><option label='𓀀'>a</select>"],
  ["an open list", "<select multiple><option>a<option>𓀀</select>"],
  ["the label of a group", "<select size=4><optgroup label='𓀀'><option>a</optgroup></select>"],
  ["an SVG picture", "<svg><text y='20'>𓀀</text></svg>"],
  ["a formula", "<math><mi>𓀀</mi></math>"],
])("a missing glyph is named in %s", async (_where, page) => {
  expect(await warningsFor(page)).toEqual([box("𓀀", "U+13000")]);
});

it.each([
  ["a template", "<template>𓀀</template>"],
  ["a password", "<input type=password value='𓀀'>"],
  ["the value of a check box", "<input type=checkbox value='𓀀'>"],
  ["a hidden value", "<input type=hidden value='𓀀'><input value='𓀀' style='visibility:hidden'>"],
  ["the placeholder of an input with a value", "<input value=a placeholder='𓀀'>"],
  ["an option that is not selected", "<select><option>a<option>𓀀</select>"],
  ["the text of an option with a label", "<select multiple><option label=a>𓀀</select>"],
  ["the content of a meter", "<meter>𓀀</meter><progress>𓀀</progress>"],
  ["closed details", "<details>𓀀<p>𓀀</p></details>"],
  ["skipped content", "<p style='content-visibility:hidden'>𓀀<b>𓀀</b></p>"],
  ["the description of a missing image", "<img alt='𓀀'>"],
])("a missing glyph is not reported for %s", async (_what, page) => {
  expect(await warningsFor(page)).toEqual([]);
});

it("a missing glyph is reported only for text that does not use the template's font", async () => {
  // A font with a glyph for every character.
  const css = missingGlyphFace.replace(missingGlyphFamily, "Script");
  const page = "<p style='font-family:Script'>𓀀𓀁𓀂</p><p>𓀁</p>";

  const { warnings } = await rendered({ page, content: { css } });

  expect(warnings).toEqual([box("𓀁", "U+13001")]);
});

it("a missing glyph is reported even for a character in a private use area", async () => {
  expect(await warningsFor("<p>\ue000</p>")).toEqual([box("\ue000", "U+E000")]);
});
