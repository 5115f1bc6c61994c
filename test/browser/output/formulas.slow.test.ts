// Draws formulas in MathML: tests whether each letter has a glyph, which parts stretch, and which text can be copied from a PDF. The
// appearance of formulas must be checked by eye, for example with `pdftoppm`.
import { env } from "cloudflare:workers";
import { extractText, getDocumentProxy } from "unpdf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { imageDecoder, type ImageDecoder } from "../fixtures/decoded-images.ts";
import { embeddedFonts } from "../fixtures/embedded-fonts.ts";
import { formulas } from "../fixtures/formulas.ts";
import { rendered } from "../fixtures/rendered.ts";

const display = (content: string) => `<math display="block">${content}</math>`;
const everyFormula = formulas.map(display).join("");

it("a formula in a PDF uses only the font for formulas, and causes no warnings", async () => {
  const { bytes, warnings } = await rendered({ page: everyFormula });

  expect(warnings).toEqual([]);
  expect(embeddedFonts(bytes)).toEqual(["STIXTwoMath-Regular"]);
});

it("no letter or sign of a formula is shown as an empty box", async () => {
  const page = everyFormula;
  const size = { format: "png", width: 800, height: 4000, deviceScaleFactor: 1 };
  const css = 'math{font-family:"Colophon Math","Colophon Scripts",colophon-every-character}';
  const withBoxes = await rendered({ page }, size);
  const withoutBoxes = await rendered({ page, content: { css } }, size);

  expect(withBoxes.bytes).toEqual(withoutBoxes.bytes);
});

it("a formula has glyphs for the letters that the browser substitutes, even in a font that the template chooses", async () => {
  const page = "<math><mi>x</mi><mo>=</mo><mn>2</mn></math>";

  const { bytes, warnings } = await rendered({ page, content: { css: "math { font-family: Arial }" } });

  expect(warnings).toEqual([]);
  expect(embeddedFonts(bytes)).toEqual(["OpenSans-Regular", "STIXTwoMath-Regular"]);
});

it("the text of a formula can be copied from a PDF", async () => {
  const root = "<msqrt><mrow><msup><mi>b</mi><mn>2</mn></msup><mo>−</mo><mn>4</mn><mi>a</mi><mi>c</mi></mrow></msqrt>";
  const page = display(`<mi>ψ</mi><mo>=</mo><mi>b</mi><mo>±</mo>${root}<mo>∈</mo><mi>ℝ</mi><mtext>if so</mtext>`);

  const { bytes } = await rendered({ page });

  const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: true });
  // Chromium 127 records the meaning of a larger sign only in ActualText, which pdf.js does not read.
  expect(text.normalize("NFKC").replaceAll(/\s/g, "").replace("\0", "√")).toBe("ψ=b±√b2−4ac∈Rifso");
});

describe("an operator in a formula", () => {
  let decoder: ImageDecoder;
  beforeAll(async () => {
    decoder = await imageDecoder(env.BROWSER);
  }, 60_000);
  afterAll(() => decoder?.close());

  /** Returns the size of the operators, which alone are black. */
  async function sizeOf(formula: string) {
    const css = "math { color: #fff; font-size: 20px } mo { color: #000 }";
    const request = { format: "png", width: 500, height: 500, deviceScaleFactor: 1 };
    const { bytes } = await rendered({ page: `<math>${formula}</math>`, content: { css } }, request);
    return decoder.inkBox(bytes);
  }

  const rows = (count: number) => `<mtable>${"<mtr><mtd><mi>x</mi></mtd></mtr>".repeat(count)}</mtable>`;

  it.each(["(", "⟨", "‖"])("an operator in a formula becomes as high as its content (%s)", async (bracket) => {
    const around = (content: string) => sizeOf(`<mrow><mo fence="true" form="prefix">${bracket}</mo>${content}</mrow>`);
    const [one, three, nine] = [await around("<mi>x</mi>"), await around(rows(3)), await around(rows(9))];

    expect(one.height).toBeLessThan(30);
    expect(three.height).toBeGreaterThan(2 * one.height);
    // The angle bracket has no form above 80 pixels.
    expect(nine.height).toBeGreaterThan(bracket === "⟨" ? three.height - 1 : 2.5 * three.height);
  });

  it.each(["→", "⏞"])("an operator in a formula becomes as long as the content below it (%s)", async (accent) => {
    const above = (content: string) =>
      sizeOf(`<mover><mrow>${content}</mrow><mo stretchy="true">${accent}</mo></mover>`);
    const [short, long] = [await above("<mi>A</mi>"), await above("<mi>A</mi>".repeat(10))];

    expect(short.width).toBeLessThan(25);
    expect(long.width).toBeGreaterThan(100);
  });
});
