import { expect, it } from "vitest";
import type { ImageFormat } from "colophon-page/document-format";
import { imageSizeProblem, maxBytesPerPixel } from "../src/image-limits.ts";

const problemOf = (format: ImageFormat, width: number, height: number, deviceScaleFactor: number) =>
  imageSizeProblem(format, { width, height, deviceScaleFactor });

it.each([
  ["png", 100, 16_384, 1],
  ["png", 5000, 2000, 2],
  ["jpeg", 5000, 2000, 2],
  ["webp", 16_383, 100, 1],
  ["webp", 1500, 2000, 2],
] as const)("a %s of exactly the maximum size is accepted (%i x %i, density %i)", (format, width, height, scale) => {
  expect(problemOf(format, width, height, scale)).toBeNull();
});

it.each([
  ["png", 16_385, 10, 1],
  ["png", 10, 5_462, 3],
  ["png", 5000, 2001, 2],
  ["jpeg", 10, 16_385, 1],
  ["jpeg", 5000, 2001, 2],
  ["webp", 10, 16_384, 1],
  ["webp", 1500, 2001, 2],
] as const)("a %s that is a pixel too large is refused (%i x %i, density %i)", (format, width, height, scale) => {
  expect(problemOf(format, width, height, scale)).not.toBeNull();
});

it.each([
  ["png", "a PNG", "16384", "40 megapixels"],
  ["jpeg", "a JPEG", "16384", "40 megapixels"],
  ["webp", "a WebP", "16383", "12 megapixels"],
] as const)("the refusal of a %s states its size, the limits and the property to lower", (format, ...limits) => {
  const problem = problemOf(format, 5000, 4000, 3);

  for (const part of ["15000 x 12000", ...limits, "`deviceScaleFactor`", "`width`", "`height`"]) {
    expect(problem).toContain(part);
  }
});

it("the message for an image that is too large does not advise lowering a density that is already the lowest", () => {
  const problem = problemOf("png", 800, 20_000, 1);

  expect(problem).not.toContain("deviceScaleFactor");
  expect(problem).toContain('shorten the content, or choose the format "pdf"');
});

it("an image with a height of zero, which a layout can produce, is refused", () => {
  const problem = problemOf("png", 794, 0, 2);

  expect(problem).toMatch(/no height/);
});

it("an image in a lossless format may have more bytes per pixel", () => {
  const perPixel = (format: ImageFormat, imageQuality: number | null) => maxBytesPerPixel({ format, imageQuality });

  expect(perPixel("webp", 100)).toBe(perPixel("png", null));
  expect(perPixel("webp", 99)).toBeLessThan(perPixel("png", null));
  expect(perPixel("jpeg", 100)).toBeLessThan(perPixel("png", null));
});
