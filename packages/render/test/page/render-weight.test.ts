import { expect, it } from "vitest";
import type { DocumentFace } from "colophon-fonts/font-index";
import { renderWeight } from "../../src/page/render-weight.ts";

/** The memory for the documents on their way, in bytes. */
const maxWeight = 40_000_000;

it("all pages can render small documents while one page renders a document of the largest size", () => {
  const small = renderWeight({ textBytes: 30_000, fileBytes: 200_000 });
  const largest = renderWeight({ textBytes: 8_000_000, fileBytes: 26_700_000 });

  expect(5 * small + largest).toBeLessThanOrEqual(maxWeight);
  expect(2 * largest).toBeGreaterThan(maxWeight);
});

const fonts = (count: number, name = "noto-sans-jp") =>
  Array.from({ length: count }, (_, index) => ({ id: `${name}-${index}`, weight: "400", style: "normal" }) as const);
const document = { textBytes: 30_000, fileBytes: 0 };
const weightOf = (...faces: DocumentFace[]) => renderWeight({ ...document, fonts: faces }) - renderWeight(document);

it("fonts add to the weight of a document, up to the weight of the parts that are sent to the page at a time", () => {
  expect(weightOf()).toBe(0);
  expect(weightOf(...fonts(4))).toBe(2 * weightOf(...fonts(2)));
  expect(weightOf(...fonts(1_000))).toBe(weightOf(...fonts(100)));
});

it("the weight of the fonts allows all pages to render documents in Japanese, or three pages to render documents with emoji", () => {
  const emoji = weightOf(...fonts(1, "noto-color-emoji-all"));

  expect(6 * renderWeight({ ...document, fonts: fonts(100) })).toBeLessThanOrEqual(maxWeight);
  expect(emoji).toBeGreaterThan(10_000_000);
  expect(3 * emoji).toBeLessThanOrEqual(maxWeight);
});

it("each font file adds once to the weight of a document", () => {
  const [font] = fonts(1);
  if (!font) throw new Error("there is no font");

  expect(weightOf(font, { ...font, weight: "700" })).toBe(weightOf(font));
});
