import { expect, it } from "vitest";
import { isRightToLeft } from "colophon-base/text-direction";

it("the languages that are written from right to left are known", () => {
  const rightToLeft = "ar ar-EG-u-nu-latn he fa-IR ur ps yi dv ckb sd az-Arab pa-PK".split(" ");
  const leftToRight = "en ar-Latn ku pa sd-Deva zh-TW ja xx".split(" ");

  expect([...rightToLeft, ...leftToRight].filter(isRightToLeft)).toEqual(rightToLeft);
});
