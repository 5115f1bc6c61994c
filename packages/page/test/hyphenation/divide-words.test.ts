import { createRequire } from "node:module";
// Tests where words are divided. The package with the patterns has its own implementation, with which ours is compared.
import { expect, it } from "vitest";
import { patternFiles, patternsText, sources } from "../../build-patterns.ts";
import { wordDivider, wordLimits } from "../../src/hyphenation/divide-words.ts";
import { patternLanguages, patternNames, patternsFor } from "../../src/hyphenation/pattern-names.ts";

const requireFile = createRequire(import.meta.url);
type Options = { hyphenChar: string; html: boolean; minWordLength: number };
const createHyphenator = requireFile("hyphen/hyphen.js") as (
  patterns: unknown,
  options: Options,
) => (text: string) => string;

/** Returns the word with a hyphen at each place that is at least two letters from its ends. */
function hyphenated(word: string, all: readonly number[]): string {
  const places = all.filter((place) => place >= 2 && place <= word.length - 2);
  return places
    .map((place, index) => word.slice(places[index - 1] ?? 0, place))
    .concat(word.slice(places.at(-1)))
    .join("-");
}

it.each([
  ["de", "donaudampfschifffahrt", "do-nau-dampf-schiff-fahrt"],
  ["de", "zahlungsverzögerungen", "zah-lungs-ver-zö-ge-run-gen"],
  ["en-us", "hyphenation", "hy-phen-ation"],
  ["en-gb", "hyphenation", "hy-phen-a-tion"],
  // An exception, which no pattern divides in this way.
  ["en-us", "associates", "as-so-ciates"],
  ["fr", "développement", "dé-ve-lop-pe-ment"],
  ["es", "responsabilidad", "res-pon-sa-bi-li-dad"],
  ["it", "amministrazione", "am-mi-ni-stra-zio-ne"],
  ["pt", "responsabilidade", "res-pon-sa-bi-li-da-de"],
  ["nl", "verantwoordelijkheid", "ver-ant-woor-de-lijk-heid"],
  ["sv", "ansvarsfrihet", "an-svars-fri-het"],
  ["da", "forretningsbetingelser", "for-ret-nings-be-tin-gel-ser"],
  ["nb", "ansvarsbegrensning", "an-svars-be-grens-ning"],
  ["fi", "vastuuvapauslauseke", "vas-tuu-va-paus-lause-ke"],
  ["pl", "odpowiedzialność", "od-po-wie-dzial-ność"],
  ["cs", "odpovědnost", "od-po-věd-nost"],
  ["hu", "felelősségbiztosítás", "fe-le-lős-ség-biz-to-sí-tás"],
  ["ru", "ответственность", "от-вет-ствен-ность"],
  ["uk", "відповідальність", "від-по-від-аль-ність"],
  ["tr", "sorumluluklarımız", "so-rum-lu-luk-la-rı-mız"],
  ["el", "υπευθυνότητα", "υπευ-θυ-νό-τη-τα"],
])("in %s, lines may end at these hyphens of %s: %s", (name, word, expected) => {
  const divide = wordDivider(patternsText(name));

  expect(hyphenated(word, divide(word))).toBe(expected);
});

it.each(patternLanguages)("our patterns of %s divide words like those of the package", (name) => {
  const patterns = requireFile(`hyphen/patterns/${sources[name] ?? name}.js`) as [levels: number[][], trie: object];
  const hyphenate = createHyphenator(patterns, { hyphenChar: "-", html: false, minWordLength: 1 });
  const letters = Object.keys(patterns[1]).filter((letter) => /\p{L}/u.test(letter));
  let seed = 1;
  const letter = () => letters[(seed = (seed * 48_271) % 2_147_483_647) % letters.length] ?? "";
  const words = Array.from({ length: 300 }, (_, index) => Array.from({ length: 5 + (index % 9) }, letter).join(""));
  const divide = wordDivider(patternsText(name));

  const ours = words.map((word) => hyphenated(word, divide(word)));

  expect(ours).toEqual(words.map((word) => hyphenate(word)));
});

it("the pattern files of all languages are smaller together than the maximum size of one document's fonts", () => {
  const files = Object.values(patternFiles());

  expect(files.length).toBeGreaterThan(30);
  expect(files.join("").length).toBeLessThan(4_000_000);
});

it.each([
  ["de", "de"],
  ["de-AT", "de"],
  ["de-Latn-CH", "de"],
  ["en", "en-us"],
  ["en-US", "en-us"],
  ["en-GB", "en-gb"],
  ["en-AU", "en-gb"],
  ["no", "nb"],
  ["nb-NO", "nb"],
  ["sr", "sr"],
  ["sr-Latn-RS", null],
  ["sw", null],
  ["ja", null],
  ["constructor", null],
  ["", null],
])("the language %j has the patterns %j", (tag, name) => {
  expect(patternsFor(tag)).toBe(name);
});

it("a document loads the patterns of each of its languages once", () => {
  expect(patternNames(["de-DE", "fr", "de-AT", "ja"])).toEqual(["de", "fr"]);
});

it.each([
  ["auto", "de", { word: 5, before: 2, after: 2 }],
  ["auto", "en-us", { word: 5, before: 2, after: 3 }],
  ["10 4 3", "de", { word: 10, before: 4, after: 3 }],
  ["8", "en-us", { word: 8, before: 2, after: 3 }],
  ["8 3", "de", { word: 8, before: 3, after: 3 }],
  ["auto 3 auto", "de", { word: 5, before: 3, after: 2 }],
])("`hyphenate-limit-chars: %s` in %s", (limit, name, expected) => {
  expect(wordLimits(limit, name)).toEqual(expected);
});
