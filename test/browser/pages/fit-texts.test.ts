// Tests that text with `data-fit` is printed in a smaller font; packages/page/test/browser tests in which size.
import { expect, it } from "vitest";
import { pagesOf } from "../fixtures/printed-pages.ts";
import { rendered } from "../fixtures/rendered.ts";
import { openRenderer, pageBreak } from "../fixtures/warnings.ts";

const renderer = openRenderer();

const line = (attribute: string, text: string) =>
  `<p class="name" ${attribute} style="width:200px;margin:0;font-size:20px;white-space:nowrap;overflow:hidden">${text}</p>`;
const long = "Bartholomew Featherstonehaugh-Cholmondeley";

it("a text with data-fit is printed in a font size that fits its box, in the template's font", async () => {
  const [page] = await pagesOf({ page: line('data-fit="8px"', long) });

  expect(page?.words[0]?.sizePt).toBeCloseTo(8.75 * 0.75, 1);
  expect(page?.text).toBe(long);
});

it("texts that fit are printed in the same way with data-fit as without", async () => {
  const fitted = { page: line('data-fit="8px"', "Bart") };
  const plain = { page: line("", "Bart") };

  expect(await pagesOf(fitted)).toEqual(await pagesOf(plain));
  const [fittedImage, plainImage] = [
    await rendered(fitted, { format: "png" }),
    await rendered(plain, { format: "png" }),
  ];
  expect(Buffer.from(fittedImage.bytes).equals(plainImage.bytes)).toBe(true);
});

it("a text that is too long at its smallest size is named with its page, and fails a render that may not lose content", async () => {
  const body = `x${pageBreak}${line('data-fit="15px"', long)}`;
  const message =
    /^Page 2: `<p class="name">` is too small for its text, even at the smallest size in its `data-fit`: \d+ px extend beyond its right edge: “…/;

  expect(await renderer.warningsOf(body)).toEqual([expect.stringMatching(message)]);
  expect(await renderer.warningsOf(line('data-fit="15px"', long), { format: "png" })).toEqual([
    expect.stringMatching(/^Page 1: `<p class="name">` is too small/),
  ]);
  expect(await renderer.render(body, { overflow: "error" })).toMatchObject({
    status: "impossible",
    message: expect.stringContaining("Page 2: `<p class"),
  });
});
