import { expect, it } from "vitest";
import { canonicalLocale, fallbackLocales, formattingLocale, isKnownLanguage } from "../../src/locale/locale-tag.ts";

it.each([
  ["de", "de"],
  ["DE-at", "de-AT"],
  ["de-1901", "de-1901"],
  ["en-u-nu-arab", "en-u-nu-arab"],
  ["iw", "he"],
  ["zh-hant-tw", "zh-Hant-TW"],
  ["tlh", "tlh"],
  ["la", "la"],
])("the language tag %s has the canonical form %s", (tag, canonical) => {
  expect(canonicalLocale(tag)).toBe(canonical);
});

it.each([
  "english",
  "i-klingon",
  "x-private",
  "de_DE",
  "de-",
  "",
  "root",
  "und",
  "und-Latn",
  "d",
  "../de",
  "de\n",
  `en-x${"-abcdefgh".repeat(12)}`,
])("a language tag: %j is not valid", (tag) => {
  expect(canonicalLocale(tag)).toBeNull();
});

it("a language tag belongs to a known language if the language has a name or formats", () => {
  expect(["de-AT", "tlh", "la", "jp", "zz"].filter(isKnownLanguage)).toEqual(["de-AT", "tlh", "la"]);
});

it("a language tag is formatted as American English if the language has no formats", () => {
  expect([formattingLocale("tlh"), formattingLocale("de-AT")]).toEqual(["en-US", "de-AT"]);
});

it.each([
  ["de-AT", ["de-AT", "de-Latn", "de"]],
  ["de", ["de", "de-Latn"]],
  ["en-u-nu-arab", ["en-u-nu-arab", "en-Latn", "en"]],
  ["zh-TW", ["zh-TW", "zh-Hant"]],
  ["zh-Hant-TW", ["zh-Hant-TW", "zh-Hant"]],
  ["sr-Latn-RS", ["sr-Latn-RS", "sr-Latn"]],
  ["de-CH-1901", ["de-CH-1901", "de-CH", "de-Latn", "de"]],
  ["tlh", ["tlh"]],
  ["en-US-u-va-posix", ["en-US-u-va-posix", "en-US", "en-Latn", "en"]],
  ["en-US-posix", ["en-US-posix", "en-US", "en-Latn", "en"]],
])("the fallback languages for %s are %s", (tag, expected) => {
  expect(fallbackLocales(tag)).toEqual(expected);
});
