// Reads from a real page the order of the characters in formatted amounts, for every currency and every right-to-left language.
import { launch } from "puppeteer-core";
import { expect, it } from "vitest";
import { isRightToLeft } from "colophon-base/text-direction";
import { browserLauncher } from "colophon-templates/browser";
import { textOf } from "../../../liquid/test/engine.ts";

const letters = "abcdefghijklmnopqrstuvwxyz";
const locales = Array.from(letters, (first) => Array.from(letters, (second) => first + second))
  .flat()
  .concat("ckb", "ar-EG", "ar-MA", "fa-AF", "ur-IN", "uz-Arab", "az-Arab")
  .filter((tag) => Intl.NumberFormat.supportedLocalesOf(tag).length > 0 && isRightToLeft(tag));

/** A string, because the types of a page differ from a test's types. */
const orderInPage = String.raw`({ text, direction }) => {
  document.body.innerHTML = "<p></p>";
  const paragraph = document.querySelector("p");
  paragraph.dir = direction;
  const node = paragraph.appendChild(document.createTextNode(text));
  const leftOf = (index) => {
    const range = document.createRange();
    range.setStart(node, index);
    range.setEnd(node, index + 1);
    return range.getBoundingClientRect().left;
  };
  const characters = Array.from(text, (character, index) => ({ character, left: leftOf(index) }));
  const visible = characters.filter(({ character }) => !/[\p{Cf}\s]/u.test(character));
  return visible.toSorted((a, b) => a.left - b.left).map(({ character }) => character).join("");
}`;

/** Returns the visible characters of each string in their order from left to right. */
async function visualOrder(texts: string[], direction: string): Promise<string[]> {
  const browser = await launch({ executablePath: await browserLauncher() });
  try {
    const page = await browser.newPage();
    const lines = JSON.stringify(texts.map((text) => ({ text, direction })));
    return (await page.evaluate(`${lines}.map(${orderInPage})`)) as string[];
  } finally {
    await browser.close();
  }
}

it.each(["rtl", "ltr"])(
  "amounts keep their symbols, signs and digits together in %s",
  async (direction) => {
    const amounts = locales.flatMap((locale) =>
      Intl.supportedValuesOf("currency").flatMap((currency) =>
        [1234.5, -1234.5].map((number) => {
          const text = textOf(`{{ ${number} | currency: "${currency}" }}`, {}, { scope: { locale } });
          const options = { style: "currency", currency } as const;
          const parts = new Intl.NumberFormat(locale, options).formatToParts(number);
          const symbol = parts.find(({ type }) => type === "currency")?.value.replace(/[\p{Cf}\s]/gu, "") ?? "";
          return { locale, number, text, symbol };
        }),
      ),
    );

    const seen = await visualOrder(
      amounts.map(({ text }) => text),
      direction,
    );

    const wrong = amounts.flatMap(({ locale, number, symbol, text }, index) => {
      const [positive = "", printed = ""] = [seen[index - (number < 0 ? 1 : 0)], seen[index]];
      const isWhole = !/^[\x20-\x7e£¥€]+$/.test(symbol) || printed.includes(symbol);
      const isSame = printed.replace(/[-−]/, "") === positive;
      return isWhole && isSame ? [] : [`${locale} ${JSON.stringify(text)}: ${printed}, but ${positive}`];
    });
    expect(locales).toEqual(expect.arrayContaining(["ar", "fa", "he", "ur"]));
    expect(wrong).toEqual([]);
  },
  120_000,
);
