// Renders many scripts in the service's own fonts, without any font in the template.
import { expect, it } from "vitest";
import { embeddedFonts } from "../fixtures/embedded-fonts.ts";
import { everyScript } from "../fixtures/every-script.ts";
import { rendered } from "../fixtures/rendered.ts";

const css = `body,p,b{font-family:"Colophon Sans","Colophon Scripts",colophon-missing}`;

const content = { css };
/** Draws nothing, instead of boxes, for characters that no font has. */
const contentWithoutBoxes = { css: css.replaceAll(",colophon-missing", ",colophon-every-character") };

const page = everyScript.map(({ lang, text }) => `<p lang="${lang}" dir="auto">${text} <b>${text}</b></p>`).join("");

it("a document in thirty scripts shows no empty box in a PNG with the service's fonts", async () => {
  const size = { format: "png", width: 1000, height: 3000, deviceScaleFactor: 1 };
  const withBoxes = await rendered({ page, content }, size);
  const withoutBoxes = await rendered({ page, content: contentWithoutBoxes }, size);

  expect(withBoxes.warnings).toEqual([]);
  expect(withBoxes.bytes).toEqual(withoutBoxes.bytes);
});

it.each([
  ["ja", "骨と直線", "NotoSerifJP", "NotoSansJP"],
  ["zh-CN", "骨头与直线", "NotoSerifSC", "NotoSansSC"],
  ["ar", "مرحبا بالعالم", "NotoNaskhArabic", "NotoSansArabic"],
  ["ko", "안녕하세요", "NotoSansKR", "NotoSansKR"],
  ["zh-TW", "骨頭與直線", "NotoSansTC", "NotoSansTC"],
])("serif text has a serif font for its language if one exists (%s)", async (lang, text, serif, sans) => {
  const namesIn = async (family: string) => {
    const { bytes, warnings } = await rendered({
      page: `<p lang="${lang}">${text} <b>${text}</b></p>`,
      content: { css: `p { font-family: ${family} }` },
    });
    expect(warnings).toEqual([]);
    return [...new Set(embeddedFonts(bytes).map((name) => name.replace(/-.*/, "")))];
  };

  const names = [await namesIn("serif"), await namesIn("sans-serif")];

  expect(names.map((each) => each.filter((name) => /JP|SC|TC|KR|Arabic/.test(name)))).toEqual([[serif], [sans]]);
});

const text = "ﾌﾘｶﾞﾅ ﾊﾟﾋﾟﾌﾟ ﾀﾞｲﾁ ｷﾞﾝｺｳ";
const size = { format: "png", width: 600, height: 160, deviceScaleFactor: 1 };

it.each(["ja", "zh-TW"])("half-width katakana have glyphs for letters with voicing marks (%s)", async (lang) => {
  const paragraphs = `<p lang="${lang}">${text}</p><p lang="${lang}"><b>${text}</b></p>`;
  const withBoxes = await rendered({ page: paragraphs, content }, size);
  const withoutBoxes = await rendered({ page: paragraphs, content: contentWithoutBoxes }, size);

  expect(withBoxes.warnings).toEqual([]);
  expect(withBoxes.bytes).toEqual(withoutBoxes.bytes);
});

it("a character that no font has is drawn as a box", async () => {
  const size = { format: "png", width: 300, height: 120, deviceScaleFactor: 1 };
  const box = await rendered({ page: "<p>\u{10fffd}</p>", content }, size);
  const nothing = await rendered({ page: "<p>&#x200b;</p>", content }, size);

  expect(box.bytes).not.toEqual(nothing.bytes);
});

it("a document looks the same whatever an earlier document on the same page has shown", async () => {
  const size = { format: "png", width: 300, height: 120, deviceScaleFactor: 1 };
  const render = async (text: string) =>
    (await rendered({ page: `<p lang=zh>骨直 ${text}</p>`, content }, size)).record.sha256;

  const before = await render("");
  const other = await render("かな 한국어 ✓ 😀");

  expect(other).not.toBe(before);
  expect(await render("")).toBe(before);
});
