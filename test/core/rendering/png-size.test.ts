import { expect, it } from "vitest";
import { pngSizeProblem } from "../../../src/core/rendering/png-size.ts";

it.each([
  ["a page at triple density", 794, 1123, 3],
  ["an image with the longest side allowed", 100, 16_384, 1],
  ["an image of exactly 40 megapixels", 5000, 2000, 2],
])("accepts %s", (_what, width, height, scale) => {
  const problem = pngSizeProblem(width, height, scale);

  expect(problem).toBeNull();
});

it.each([
  ["an image one pixel too wide", 16_385, 10, 1],
  ["an image one pixel too high", 10, 16_385, 1],
  ["an image too long in device pixels", 10, 5_462, 3],
  ["an image of more than 40 megapixels", 5000, 2001, 2],
])("refuses %s", (_what, width, height, scale) => {
  const problem = pngSizeProblem(width, height, scale);

  expect(problem).not.toBeNull();
});

it("explains a refusal with the size in device pixels, the limits and the parameters to lower", () => {
  const problem = pngSizeProblem(5000, 4000, 3);

  for (const part of ["15000 x 12000", "16384", "40 megapixels", "`deviceScaleFactor`", "`width`", "`height`"]) {
    expect(problem).toContain(part);
  }
});

it("refuses an image with a height of zero, which a layout can produce", () => {
  const problem = pngSizeProblem(794, 0, 2);

  expect(problem).toMatch(/no height/);
});
