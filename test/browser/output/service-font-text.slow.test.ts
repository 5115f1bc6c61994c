// Tests how text in the service's fonts is stored in a PDF, so that every program can search and copy it.
import { extractText, getDocumentProxy } from "unpdf";
import { expect, it } from "vitest";
import { readPdf } from "colophon-test-kit/pdf-reader";
import { actualText } from "../fixtures/actual-text.ts";
import { embeddedFonts } from "../fixtures/embedded-fonts.ts";
import { rendered } from "../fixtures/rendered.ts";

it.each(["sans-serif", "serif", "monospace"])(
  'maps each glyph of words such as "office" to its letter (%s)',
  async (family) => {
    const words = "office affine flow fjord shuffle";
    const styles = `<b>${words}</b> <i>${words}</i> <b><i>${words}</i></b>`;

    const { bytes } = await rendered({ page: `<p style="font:10px ${family}">${words} ${styles}</p>` });

    const { text } = await extractText(await getDocumentProxy(bytes.slice()), { mergePages: true });
    expect(text.trim().split(/\s+/)).toEqual([1, 2, 3, 4].flatMap(() => words.split(" ")));
    // Poppler prefers `ActualText` to the glyphs' characters; other readers ignore it.
    expect(await actualText(bytes)).toEqual([]);
  },
);

it("Chinese, Japanese and Korean text is embedded as fonts, not as drawings", async () => {
  const text = "请求书 領収書 請求書をお送りします 청구서를 보내 드립니다";

  const { bytes } = await rendered({ page: `<p lang="ja">${text} <b>${text}</b></p>` });

  const objects = [...readPdf(bytes).objects.values()];
  expect(objects.filter((source) => /\/Subtype\s*\/Type3/.test(source))).toEqual([]);
  expect(embeddedFonts(bytes).join()).toContain("NotoSansJP");
});
