// Tests that a document names drawings that lose a gradient, a mask or the like because `display: none` hides it.
import { expect, it } from "vitest";
import { openRenderer, pageBreak } from "../fixtures/warnings.ts";

const renderer = openRenderer();

const gradient = '<linearGradient id="g"><stop stop-color="red"></stop></linearGradient>';
const hidden = (content: string) => `<svg style="display:none">${content}</svg>`;
const drawing = (content: string) => `<svg width="40" height="40">${content}</svg>`;
const circle = '<circle r="9" fill="url(#g)" />';
const symbol = `<symbol id="s" viewBox="0 0 9 9">${circle}</symbol>`;

it.each([
  [
    "a gradient",
    hidden(gradient) + drawing(circle),
    /^Page 1: `<circle>` is drawn without `<linearGradient id="g">`, which is inside an element with `display: none`\. Hide/,
  ],
  ["a gradient on page 2", `${hidden(gradient)}x${pageBreak}${drawing(circle)}`, /^Page 2/],
  [
    "a gradient in a hidden box",
    `<style>.sprite { display: none }</style><div class="sprite">${drawing(gradient)}</div>${drawing('<path d="M0 0h9v9z" style="fill:url(#g)" />')}`,
    /`<path>`/,
  ],
  [
    "a mask",
    hidden('<mask id="m"></mask>') + drawing('<rect width="9" height="9" mask="url(#m)" />'),
    /`<mask id="m">`/,
  ],
  ["a marker", hidden('<marker id="m"></marker>') + drawing('<path d="M0 0h9" marker-end="url(#m)" />'), /`<marker/],
  ["a path that clips", hidden('<clipPath id="c"></clipPath>') + drawing('<rect clip-path="url(#c)" />'), /`<clipPath/],
  ["a gradient of a symbol", hidden(gradient + symbol) + drawing('<use href="#s" />'), /`<use>` is drawn without/],
])("a document names a drawing that loses %s", async (_what, body, message) => {
  expect(await renderer.warningsOf(body)).toEqual([expect.stringMatching(message)]);
  expect(await renderer.warningsOf(body, { format: "png" })).toHaveLength(1);
});

it.each([
  ["its own gradient", drawing(gradient + circle)],
  [
    "a gradient in a drawing without a size",
    `<svg width="0" height="0" style="position:absolute">${gradient}</svg>${drawing(circle)}`,
  ],
  [
    "a gradient in an invisible drawing",
    `<svg style="visibility:hidden;position:absolute">${gradient}</svg>${drawing(circle)}`,
  ],
  ["a hidden symbol", hidden('<symbol id="s"><circle r="9" /></symbol>') + drawing('<use href="#s" />')],
  ["a hidden filter", hidden('<filter id="f"></filter>') + drawing('<rect width="9" height="9" filter="url(#f)" />')],
  ["a hidden gradient that nothing uses", hidden(gradient) + drawing('<circle r="9" />')],
  ["a hidden gradient that only hidden drawings use", hidden(gradient + circle) + drawing('<circle r="9" />')],
  ["a symbol that nothing uses", hidden(gradient + symbol) + drawing('<use href="#t" />')],
  ["a gradient with a similar id", hidden(gradient) + drawing('<circle r="9" fill="url(#gg)" />')],
  ["a gradient of an element of HTML", `<div style="display:none"><mask id="g"></mask></div><p title="url(#g)">x</p>`],
])("a document does not complain about a drawing with %s", async (_what, body) => {
  expect(await renderer.warningsOf(body)).toEqual([]);
});
