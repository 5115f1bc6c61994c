// Tests that a document names exactly the formulas whose font lacks the measures that they need.
import { expect, it } from "vitest";
import { rendered } from "../fixtures/rendered.ts";

const math = (content: string) => `<p>before <math>${content}</math> after</p>`;
const styled = (css: string, content: string) => `<style>${css}</style>${math(content)}`;
const root = "<msqrt><mi>x</mi></msqrt>";
const tall = "<mrow><mo>(</mo><mfrac><mi>a</mi><mfrac><mi>b</mi><mi>c</mi></mfrac></mfrac><mo>)</mo></mrow>";

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
