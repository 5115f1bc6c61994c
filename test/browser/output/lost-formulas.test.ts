// Tests that a document names exactly the formulas that browsers draw only in part.
import { expect, it } from "vitest";
import { rendered } from "../fixtures/rendered.ts";
import { openRenderer, pageBreak } from "../fixtures/warnings.ts";

const renderer = openRenderer();

const math = (content: string, attributes = "") => `<p>before <math ${attributes}>${content}</math> after</p>`;
const styled = (css: string, content: string) => `<style>${css}</style>${math(content)}`;
const root = "<msqrt><mi>x</mi></msqrt>";
const tall = "<mrow><mo>(</mo><mfrac><mi>a</mi><mfrac><mi>b</mi><mi>c</mi></mfrac></mfrac><mo>)</mo></mrow>";
const sum = "<apply><plus/><ci>x</ci><cn>1</cn></apply>";

it.each([
  ["content MathML", math(sum), /^Page 1: `<math>` does not show the text in `<ci>`: “x”\. Write presentation MathML/],
  ["a matrix of content MathML", math("<matrix><matrixrow><cn>0</cn></matrixrow></matrix>"), /text in `<cn>`: “0”/],
  [
    "presentation MathML in an annotation of content MathML",
    math(`<semantics>${sum}<annotation-xml encoding="MathML-Presentation"><mi>x</mi></annotation-xml></semantics>`),
    /`<ci>`/,
  ],
  ["text without an element", math("x + 1", 'class="sum"'), /^Page 1: `<math class="sum">` .* `<math[^>]*>`: “x \+ 1”/],
  ["text in a row", `x${pageBreak}${math("<mrow>abc</mrow>")}`, /^Page 2: .* `<mrow>`: “abc”/],
  ["an element that MathML lacks", math("<mtxt>abc</mtxt>"), /`<mtxt>`: “abc”/],
  ["a fraction of plain text", math("<mfrac><mrow>1</mrow><mn>2</mn></mfrac>"), /`<mrow>`: “1”/],
])("a warning names a formula that loses its text: %s", async (_what, body, message) => {
  expect(await renderer.warningsOf(body)).toEqual([expect.stringMatching(message)]);
  expect(await renderer.render(body, { overflow: "error" })).not.toMatchObject({ status: "rendered" });
});

it.each([
  [
    "three parts of a fraction",
    math("<mfrac><mi>a</mi><mo>+</mo><mi>b</mi></mfrac>"),
    /`<mfrac>` needs 2 children and has 3,/,
  ],
  ["a power without an exponent", math("<msup><mi>a</mi></msup>"), /`<msup>` needs 2 children and has 1,/],
  ["limits without an upper one", math("<munderover><mo>∑</mo><mi>i</mi></munderover>"), /`<munderover>` needs 3/],
  ["a root with two degrees", math("<mroot><mi>a</mi><mn>2</mn><mn>3</mn></mroot>"), /`<mroot>` needs 2/],
  ["an index without a base", math("<msub><mi>a</mi></msub>"), /^Page 1: In `<math>`, `<msub>` needs 2/],
])("a warning names a formula that is not drawn as it is written: %s", async (_what, body, message) => {
  expect(await renderer.warningsOf(body)).toEqual([expect.stringMatching(message)]);
});

it.each([
  ["presentation MathML", math(`${root}${tall}<mtext>if</mtext><ms>s</ms><mtable><mtr><mtd>text</mtd></mtr></mtable>`)],
  [
    "an annotation with content MathML",
    math(`<semantics><mi>x</mi><annotation-xml encoding="MathML-Content">${sum}</annotation-xml></semantics>`),
  ],
  [
    "an annotation with TeX",
    math('<semantics><mi>x</mi><annotation encoding="application/x-tex">x</annotation></semantics>'),
  ],
  ["a hidden formula", `<div style="display:none">${math(sum)}</div>`],
  ["a hidden part", math('<mrow style="display:none">abc</mrow><mi>x</mi>')],
  ["spaces between elements", math("\n <mrow>\n <mi>x</mi>\n </mrow>\n")],
  ["HTML in a text", math("<mtext><b>bold</b></mtext>")],
  ["an element of HTML with a name of MathML", "<p><apply>text</apply></p>"],
])("a formula that is drawn as it is written causes no warning: %s", async (_what, body) => {
  expect(await renderer.warningsOf(body)).toEqual([]);
});

it.each([
  [
    "a root in a text font",
    styled("math { font-family: Arial }", root),
    /^Page 1: The font of `<math>`, `Arial`, has no/,
  ],
  ["a root in the font of all elements", styled("* { font-family: Georgia, serif }", root), /`Georgia`/],
  ["a root in the font of the text", styled("math { font-family: inherit }", root), /`Colophon Sans`/],
  ["brackets in a text font", styled("p * { font: 12px Verdana }", tall), /`Verdana`/],
  ["a root in a font that is missing", styled(":root { --f: Foo } math { font-family: var(--f) }", root), /`Foo`/],
])("a warning names a formula whose font lacks the measures for it: %s", async (_what, page, message) => {
  expect((await rendered({ page })).warnings).toEqual([expect.stringMatching(message)]);
});

it.each([
  ["a root in a font for formulas", styled("math { font-family: 'Latin Modern Math', serif }", root)],
  ["a root in a missing font before `math`", styled("math { font-family: Foo, math }", root)],
  ["a root in a document with a text font", styled("body, p { font-family: Georgia }", root + tall)],
  ["letters in a text font", styled("mi, mn { font-family: Georgia }", root + tall)],
  ["a formula without roots in a text font", styled("* { font-family: Georgia }", "<mi>x</mi><mo>+</mo><mn>1</mn>")],
])("a formula whose font has the measures that it needs causes no warning: %s", async (_what, page) => {
  expect((await rendered({ page })).warnings).toEqual([]);
});
