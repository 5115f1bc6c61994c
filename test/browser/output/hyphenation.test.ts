// Tests the lines and the text of PDFs whose styles divide words, with the service and its patterns.
import { getDocumentProxy } from "unpdf";
import { expect, it } from "vitest";
import { rendered } from "../fixtures/rendered.ts";

/** Prints paragraphs of 130 pixels, each in its language, and returns the text of the first page and its lines. */
async function printed(paragraphs: readonly [language: string, text: string][], css = "") {
  const page = paragraphs.map(([language, text]) => `<p lang="${language}">${text}</p>`).join("");
  const { bytes, warnings } = await rendered({
    page,
    content: { css: `p { width: 130px; margin: 0; font-size: 11px; hyphens: auto } ${css}` },
  });
  const firstPage = await (await getDocumentProxy(bytes)).getPage(1);
  const { items } = await firstPage.getTextContent();
  const lines = items
    .map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : ""))
    .join("")
    .split("\n");
  return { lines, warnings };
}

const texts: [language: string, text: string][] = [
  ["de", "Donaudampfschifffahrtsgesellschaften veröffentlichen Geschäftsbedingungen"],
  ["en-US", "internationalization responsibilities acknowledgements"],
  ["en-GB", "organisational responsibilities acknowledgements"],
  ["fr", "développement responsabilités remboursements"],
  ["es", "responsabilidades administraciones internacionalmente"],
  ["it", "amministrazione responsabilità internazionalmente"],
  ["pt", "responsabilidades administrativamente internacionalização"],
  ["nl", "verantwoordelijkheid aansprakelijkheidsverzekering"],
  ["sv", "ansvarsförsäkringsbolagen betalningspåminnelser"],
  ["da", "forretningsbetingelserne ansvarsforsikringsselskaber"],
  ["nb", "ansvarsforsikringsselskapene betalingspåminnelser"],
  ["fi", "vastuuvapauslausekkeet lentokonesuihkuturbiinimoottoriapumekaanikko"],
  ["pl", "odpowiedzialnościami przedsiębiorstwami międzynarodowymi"],
  ["cs", "nejodpovědnějšími mezinárodních společnostech"],
  ["hu", "felelősségbiztosításokról megszentségteleníthetetlen"],
  ["ru", "ответственность предпринимательство международного"],
  ["uk", "відповідальність підприємництво міжнародного"],
  ["tr", "sorumluluklarımızdan muvaffakiyetsizleştiricileştiriveremeyebileceklerimizdenmişsinizcesine"],
  ["el", "υπευθυνότητα επιχειρηματικότητα διεθνοποίηση"],
];

it.each(["de-", "de--AT", "de-1", "de-abcdefghi", `de-${"a".repeat(5_000)}`])(
  "a malformed tag does not fail a document: its words are divided in the language at its beginning (%.12s)",
  async (tag) => {
    const { lines, warnings } = await printed([[tag, "Donaudampfschifffahrtsgesellschaften"]]);

    expect(lines.some((line) => line.endsWith("-"))).toBe(true);
    expect(warnings).toEqual([]);
  },
);

it("the warning about languages without patterns quotes only the beginning of a long tag", async () => {
  const variants = Array.from({ length: 15 }, (_, index) => `-variant${String.fromCharCode(97 + index)}`);
  const { warnings } = await printed([[`la${variants.join("")}`, "necessitudinibus"]]);

  expect(warnings).toEqual([expect.stringContaining("`la-varianta")]);
  expect(warnings[0]?.length).toBeLessThan(260);
});

it("words of nineteen languages are divided on the page and complete in the text of the file", async () => {
  const { lines, warnings } = await printed(texts);

  const divided = lines.filter((line) => line.endsWith("-"));
  expect(warnings).toEqual([]);
  expect(divided.length).toBeGreaterThan(texts.length);
  const text = lines.join("\n").replaceAll("-\n", "").replaceAll("\n", " ");
  for (const word of texts.flatMap(([, words]) => words.split(" "))) expect(text).toContain(word);
});

it.each(texts)("a line ends with a hyphen in %s", async (language, text) => {
  const { lines } = await printed([[language, text]]);

  expect(lines.filter((line) => line.endsWith("-"))).not.toEqual([]);
});

it("words are not divided in a document without `hyphens: auto`", async () => {
  const { lines } = await printed(texts, "p { hyphens: manual }");

  expect(lines.filter((line) => line.endsWith("-"))).toEqual([]);
});

it("words in lines with page references are divided as if the page numbers were text", async () => {
  const text =
    'See <a href="#last"></a>: internationalization, acknowledgements and responsibilities, <a href="#last"></a>.';
  const widths = Array.from({ length: 12 }, (_, index) => 90 + 7 * index);
  const paragraphs = widths.map((width): [string, string] => ["en", `<span style="width: ${width}px">${text}</span>`]);
  const css = "p { width: auto } span { display: block } #last { break-before: page }";
  const printedWith = (number: string) =>
    printed(
      [...paragraphs, ["en", '<b id="last">end</b>']],
      `${css} a::after { content: ${number} } b { display: block }`,
    );

  const { lines } = await printedWith("target-counter(attr(href), page)");

  expect(lines.filter((line) => line.endsWith("-")).length).toBeGreaterThan(widths.length);
  expect(lines).toEqual((await printedWith('"2"')).lines);
});
