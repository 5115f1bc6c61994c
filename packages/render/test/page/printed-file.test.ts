import { expect, it } from "vitest";
import { recordedSize } from "../../src/page/printed-file.ts";

it.each([
  ["a page that was rounded", { width: 793.28, height: 1122.56 }, { width: 794, height: 1123 }],
  ["a turned page that was rounded", { width: 1122.56, height: 793.28 }, { width: 1123, height: 794 }],
  ["a page that was rounded to whole points", { width: 794.67, height: 1124.4 }, { width: 794, height: 1123 }],
  ["a page of another size", { width: 399.68, height: 200.32 }, { width: 400, height: 200 }],
  ["a page that is two pixels wider", { width: 796, height: 1123 }, { width: 796, height: 1123 }],
])("recordedSize returns the size of %s", (_what, real, recorded) => {
  expect(recordedSize(real, { width: 794, height: 1123 })).toEqual(recorded);
});
