import { expect, it } from "vitest";
import { isRightToLeft } from "colophon-base/text-direction";

it.each(["ar", "ar-EG-u-nu-latn", "he", "fa-IR", "ur", "ps", "yi", "dv", "ckb", "sd", "az-Arab", "pa-PK"])(
  "knows that %s is written from right to left",
  (tag) => {
    expect(isRightToLeft(tag)).toBe(true);
  },
);

it.each(["en", "ar-Latn", "ku", "pa", "sd-Deva", "zh-TW", "ja", "xx"])(
  "knows that %s is written from left to right",
  (tag) => {
    expect(isRightToLeft(tag)).toBe(false);
  },
);
