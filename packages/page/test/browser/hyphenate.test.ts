// Tests which words `hyphens: auto` divides, and which soft hyphens stay. In the text of a page, `-` stands for a soft hyphen.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { launch, type Browser, type JSHandle, type Page } from "puppeteer-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pageScript } from "colophon-page/bundle";
import { browserLauncher } from "colophon-templates/browser";
import { patternsText } from "../../build-patterns.ts";
import type { SentPatterns } from "../../src/hyphenation/received-patterns.ts";
import type { PagePreparation, PrepareInput } from "../../src/prepared-page.ts";

type Functions = {
  addPatterns(patterns: SentPatterns): void;
  preparePage(input: PrepareInput): Promise<PagePreparation>;
};

let browser: Browser;
let page: Page;
let script: JSHandle;
// The browser is unpacked when it is used for the first time.
beforeAll(async () => {
  browser = await launch({ executablePath: await browserLauncher() });
  page = await browser.newPage();
  await page.setContent('<html lang="de"><head></head><body></body></html>');
  script = await page.evaluateHandle(pageScript);
  const sent = ["de", "en-us", "tr"].map((name): [string, string] => [name, patternsText(name)]);
  await script.evaluate((functions, each) => (functions as Functions).addPatterns(each), { sent, dropped: [] });
}, 60_000);
afterAll(() => browser?.close());

const font = createRequire(import.meta.url).resolve(
  "@fontsource/noto-sans-mono/files/noto-sans-mono-latin-400-normal.woff",
);
const fontFace = `@font-face { font-family: Mono; src: url(data:font/woff;base64,${readFileSync(font, "base64")}) }`;
/** A line has room for 14 letters. */
const styles = `<style>${fontFace} body { margin: 0; font: 20px Mono; hyphens: auto } p, td { margin: 0; padding: 0; width: 14.5ch }</style>`;

/** Prepares a document in German, and returns the text of its body, and the warnings. */
async function prepared(body: string, extra: Partial<PrepareInput> = {}) {
  const input: PrepareInput = {
    ...{ format: "pdf", pageWidth: 800, pageHeight: 1000, margin: { top: 0, right: 0, bottom: 0, left: 0 } },
    limits: { maxImagePixels: 50_000_000, imageDensity: 2, maxTaggedElements: 10_000 },
    ...{ autoHeight: null, css: null, commonHeadElements: 0, marginContents: [], valueNames: [], files: [] },
    ...{ styleFiles: [], preparedTitle: "", hyphenation: ["de", "en-us", "tr"] },
    ...{ content: `${styles}</head><body>${body}`, ...extra },
  };
  const preparation = await script.evaluate((functions, each) => (functions as Functions).preparePage(each), input);
  if (preparation.status !== "prepared") throw new Error(preparation.message);
  const { overflows, hints, warnings } = preparation.prepared;
  const text = (await page.evaluate("document.body.textContent")) as string;
  return { text: text.replaceAll("\u00ad", "-").trim(), warnings, overflows: [...overflows, ...hints] };
}

const p = (text: string, style = "") => `<p style="${style}">${text}</p>`;

it.each([
  ["a long word", p("Zahlungsverzögerungen"), "Zahlungsverzö-gerungen"],
  ["a word in capitals", p("ZAHLUNGSVERZÖGERUNGEN"), "ZAHLUNGSVERZÖ-GERUNGEN"],
  ["words of which only one is at the end of a line", p("Die Geschäftsbedingungen"), "Die Geschäfts-bedingungen"],
  ["a word on three lines", p("Donaudampfschifffahrtsgesellschaft"), "Donaudampf-schifffahrts-gesellschaft"],
  ["words that fit", p("Haftung Ziele"), "Haftung Ziele"],
  ["a word after punctuation", p("(„Zahlungsverzögerungen“)"), "(„Zahlungsver-zögerungen“)"],
  ["the parts of a compound", p("Umsatzsteuer-Zahlungsverzögerungen"), "Umsatzsteuer-Zahlungsverzö-gerungen"],
  ["a bold word before a comma", p("<b>Zahlungsverzögerungen</b>, nie"), "Zahlungsverzö-gerungen, nie"],
  ["a word after a line break", p("nie<br>Zahlungsverzögerungen"), "nieZahlungsverzö-gerungen"],
  ["a word in a different language", p('<i lang="en">internationalization</i>'), "international-ization"],
  ["Turkish capitals", p('<i lang="tr">BİLGİLENDİRMELERİN</i>'), "BİLGİLENDİRMELE-RİN"],
  ["the author's soft hyphens", p("Zah&shy;lungsverzöge&shy;rungen"), "Zah-lungsverzöge-rungen"],
  ["the author's soft hyphens, of which one is used", p("Zah&shy;lungs&shy;verzögerungen"), "Zahlungs-verzögerungen"],
  ["a column of lines that are turned", p("Zahlungsverzögerungen", "rotate: 30deg"), "Zahlungsverzö-gerungen"],
  [
    "vertical lines",
    p("Zahlungsverzögerungen", "writing-mode: vertical-rl; height: 14.5ch; width: auto"),
    "Zahlungsver-zögerungen",
  ],
  ["lines from right to left", p("Zahlungsverzögerungen", "direction: rtl"), "Zahlungsverzö-gerungen"],
  ["another sign", p("Zahlungsverzögerungen", "hyphenate-character: '='"), "Zahlungsverzö-gerungen"],
  ["no sign", p("Zahlungsverzögerungen", "hyphenate-character: ''"), "Zahlungsverzö-gerungen"],
  ["a limit", p("Zahlungsverzögerungen", "hyphenate-limit-chars: 5 2 12"), "Zahlungs-verzögerungen"],
  [
    "a style of a part",
    p("Zahlungsverzögerungen", "hyphens: manual") + p("Zahlungsverzögerungen"),
    "ZahlungsverzögerungenZahlungsverzö-gerungen",
  ],
])("soft hyphens remain only at line ends: %s", async (_, body, text) => {
  expect((await prepared(body)).text).toBe(text);
});

it.each([
  ["a URL", "https://beispiel.de/zahlungsverzoegerungen"],
  ["a host", "www.zahlungsverzoegerungen.de"],
  ["an e-mail address", "rechnungen@zahlungsverzoegerungen"],
  ["a path", "/rechnungen/zahlungsverzoegerungen"],
  ["a word with digits", "Zahlungsverzögerungen2026"],
  ["a name in a program", "zahlungs_verzoegerungen"],
  ["code", "<code>Zahlungsverzögerungen</code>"],
  ["an element in code", "<pre><b>Zahlungsverzögerungen</b></pre>"],
  ["a part of a word", "<b>Zahlungsverzögerungen</b>Zahlungsverzögerungen"],
  ["parts of a URL", "https://<wbr>zahlungsverzoegerungen<wbr>.de"],
  ["`hyphens: manual`", '<span style="hyphens: manual">Zahlungsverzögerungen</span>'],
  ["`hyphens: none`", '<span style="hyphens: none">Zahlungsverzögerungen</span>'],
  ["text without line breaks", '<span style="white-space: nowrap">Zahlungsverzögerungen</span>'],
  ["a short word", '<span style="hyphenate-limit-chars: 30">Zahlungsverzögerungen</span>'],
])("the text is not divided in %s", async (_, markup) => {
  const { text } = await prepared(p(markup));

  expect(text).toBe(text.replaceAll("\u00ad", "").replaceAll("-", ""));
  expect(text).not.toBe("");
});

it("without `hyphens: auto`, the page is the same with and without patterns", async () => {
  const content = `<style>p { width: 100px }</style></head><body>${p("Zahlungsverzögerungen Zahl&shy;ung")}`;

  const texts = await Promise.all([["de"], null].map((hyphenation) => prepared("", { content, hyphenation })));

  expect(texts.map(({ text }) => text)).toEqual(Array(2).fill("Zahlungsverzögerungen Zahl-ung"));
});

it("a document does not use patterns that only an earlier document needed", async () => {
  const { text, warnings } = await prepared(p("Zahlungsverzögerungen"), { hyphenation: ["en-us"] });

  expect(text).toBe("Zahlungsverzögerungen");
  expect(warnings).toEqual([expect.stringContaining("`de`")]);
});

it("an image keeps all soft hyphens, because its text is not extracted", async () => {
  const { text } = await prepared(p("Zahlungsverzögerungen"), { format: "png" });

  expect(text).toBe("Zah-lungs-ver-zö-ge-run-gen");
});

it("the warning names languages without patterns, but not languages that have no hyphens", async () => {
  const texts = ["sw", "ja", "ar", "fil"].map((language) => `<p lang="${language}">Zahlungsverzögerungen</p>`);

  const { text, warnings } = await prepared(texts.join(""));

  expect(text).not.toContain("-");
  expect(warnings).toEqual([expect.stringMatching(/no effect on text in `sw`, `fil`: .*&shy;/)]);
});

it("a language without patterns is named even if it is the document's only language", async () => {
  const { warnings } = await prepared('<p lang="sw">Ucheleweshaji wa malipo</p>', { hyphenation: [] });

  expect(warnings).toHaveLength(1);
});

it.each([
  ["a table", `<table style="width: 380px"><tr><td style="width: auto">T<td style="width: auto">T T</table>`],
  [
    "a grid",
    `<div style="display: grid; grid-template-columns: auto auto; width: 400px"><div>Ein Geschäftsbedingungen</div><div>Zahlungsverzögerungen</div></div>`,
  ],
])("the columns of %s keep their widths when words become whole again", async (_, markup) => {
  const body = markup.replaceAll("T", "Zahlungsverzögerungen Geschäftsbedingungen");
  const boxes = () => page.evaluate("[...document.querySelectorAll('td, div div')].map((each) => each.offsetWidth)");

  await prepared(body, { format: "png" });
  const withAll = await boxes();
  const { text } = await prepared(body);

  expect(await boxes()).toEqual(withAll);
  expect(text).toContain("Zahlungsver");
});

it("a warning quotes text without its soft hyphens", async () => {
  const body = `<div style="height: 25px; overflow: hidden; width: 168px">Zahlungsverzögerungen</div>`;

  const { overflows } = await prepared(body);

  expect(overflows.map(({ message }) => message)).toEqual([expect.stringContaining("Zahlungsverzögerungen")]);
});

it("text on narrower pages is divided where its own lines end", async () => {
  const narrow = "@page narrow { margin: 0 310px } .narrow { page: narrow } p { width: auto }";
  const content = `${styles}<style>${narrow}</style></head><body><div class="narrow">${p("Zahlungsverzögerungen")}</div>`;

  expect((await prepared("", { content })).text).toBe("Zahlungsverzö-gerungen");
});
