import { expect, it } from "vitest";
import { isRightToLeft } from "colophon-base/text-direction";

it("every language that is written from right to left is recognised", () => {
  const rightToLeft = "ar ar-EG-u-nu-latn he fa-IR ur ps yi dv ckb sd az-Arab pa-PK".split(" ");
  const leftToRight = "en ar-Latn ku pa sd-Deva zh-TW ja xx".split(" ");

  expect([...rightToLeft, ...leftToRight].filter(isRightToLeft)).toEqual(rightToLeft);
});
