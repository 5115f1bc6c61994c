// Tests that a document names the effects that take text out of a PDF, and the links that lead nowhere.
import { expect, it } from "vitest";
import { rendered } from "../fixtures/rendered.ts";
import { openRenderer, pageBreak } from "../fixtures/warnings.ts";

const renderer = openRenderer();

const text = '<p>Some text <a href="https://example.com/">LINK</a></p>';
const styled = (style: string, content = text) =>
  `<div class="e" style="width:200px;margin:40px 100px;${style}">${content}</div>`;
const image = `<img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>" style="filter:sepia(1)">`;
const drawing = (attributes: string, inside: string) =>
  `<svg width="90" height="40" ${attributes}><filter id="f"><feOffset dx="1"/></filter>${inside}</svg>`;

const flattened: [what: string, body: string, message: RegExp][] = [
  ["a grey body", `<style>body{filter:grayscale(1)}</style>${text}`, /^Page 1: `<body>` has `filter`/],
  ["a filter on page 2", `x${pageBreak}${styled("filter:blur(0)")}`, /^Page 2: `<div class="e">` has `filter`/],
  ["a filter of SVG", drawing("", "") + styled("filter:url(#f)"), /`<div class="e">` has `filter`/],
  ["a shadow of letters", `<p>x <b style="filter:drop-shadow(1px 1px red)">y</b></p>`, /`<b>` has `filter`/],
  ["a filtered row", `<table><tr style="filter:sepia(1)"><td>x</table>`, /`<tr>` has `filter`/],
  ["a filtered text in a drawing", drawing("", '<text y="20" filter="url(#f)">x</text>'), /`<text>` has `filter`/],
  ["a filtered drawing", drawing('style="filter:sepia(1)"', '<text y="20">x</text>'), /`<svg>` has `filter`/],
  ["a filtered text area", '<textarea style="filter:sepia(1)">x</textarea>', /`<textarea>` has `filter`/],
  ["a reflection", styled("-webkit-box-reflect:below 2px"), /has `-webkit-box-reflect`/],
  ["perspective", styled("perspective:300px", styled("transform:rotateX(30deg)")), /has `perspective`/],
  ["a rotation out of the page", styled("transform:rotateX(30deg)"), /has a transform in three dimensions/],
  ["a rotation around an axis", styled("rotate:y 30deg"), /has a transform in three dimensions/],
];

const kept: [what: string, body: string][] = [
  ["a filtered image", `<a href="https://example.com/">${image}</a>`],
  ["a filter on a box with images", styled("filter:sepia(1)", image)],
  ["a filter that does not exist", styled("filter:url(#missing)")],
  ["no filter", styled("filter:none;perspective:none;transform:none")],
  ["a filter on a box without a box", '<p style="display:contents;filter:sepia(1)">x</p>'],
  ["a filter on hidden text", styled("filter:sepia(1)", '<i style="visibility:hidden">x</i>')],
  ["opacity", styled("opacity:.5")],
  ["a backdrop", styled("backdrop-filter:blur(2px)")],
  ["a blend mode", styled("mix-blend-mode:multiply")],
  ["a mask", styled("-webkit-mask-image:linear-gradient(#000,transparent)")],
  ["a clipped box", styled("clip-path:inset(0)")],
  ["a gradient", styled("background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent")],
  ["a flat rotation", styled("transform:rotate(5deg);rotate:z 3deg;scale:1 1.1;translate:3px 3px")],
  ["a layer of its own", styled("transform:translateZ(0);will-change:filter")],
  ["a rotation of an inline box", '<p>x <b style="transform:rotateX(30deg)">y</b></p>'],
];

const dead: [what: string, body: string, message: RegExp][] = [
  [
    "no element",
    '<a class="l" href="#nowhere">x</a>',
    /^Page 1: The link `<a class="l">` to `#nowhere` is lost, because no printed element has this id\./,
  ],
  ["no element on the second page", `x${pageBreak}<a href="#nowhere">x</a>`, /^Page 2: The link `<a>` to `#nowhere`/],
  ["a different case", '<a href="#Here">x</a><p id="here">y</p>', /to `#Here`/],
  ["an element that is not displayed", '<a href="#n">x</a><p id="n" style="display:none">y</p>', /to `#n`/],
  ["an element without a box", '<a href="#n">x</a><p id="n" style="display:contents">y</p>', /to `#n`/],
  ["an option", '<a href="#n">x</a><select><option id="n">y</select>', /to `#n`/],
  ["a name that is no anchor", '<a href="#n">x</a><p name="n">y</p>', /to `#n`/],
  ["an escaped id", '<a href="#a%20c">x</a><p id="a b">y</p>', /to `#a%20c`/],
  ["nothing in a drawing", '<svg width="40" height="20"><a xlink:href="#n"><text y="15">x</text></a></svg>', /to `#n`/],
  ["an id of a style", '<a href="#n">x</a><style id="n"></style>', /to `#n`/],
  ["no element from an image", `<a href="#n"><img width="9" height="9" alt="x"></a>`, /to `#n`/],
];

const alive: [what: string, body: string][] = [
  ["an element", '<a href="#n">x</a><p id="n">y</p>'],
  ["an element before it", '<p id="n">y</p><a href="#n">x</a>'],
  ["a named anchor", '<a href="#n">x</a><a name="n"></a>'],
  ["the top", '<a href="#top">x</a> <a href="#">y</a>'],
  ["an empty element", '<a href="#n">x</a><div id="n"></div><a href="#m">x</a> <span id="m"></span>'],
  ["an invisible element", '<a href="#n">x</a><p id="n" style="visibility:hidden">y</p>'],
  ["a row", '<a href="#n">x</a><table><tr id="n"><td>y</table>'],
  ["an id with a space", '<a href="#a%20b">x</a><p id="a b">y</p>'],
  ["an id with a letter of German", '<a href="#ü">x</a><p id="ü">y</p>'],
  ["a letter in a drawing", '<a href="#n">x</a><svg width="40" height="20"><text id="n" y="15">y</text></svg>'],
  ["nothing, as it is hidden itself", '<a href="#n" style="display:none">x</a><a href="#n"></a>'],
];

it.each(flattened)("a PDF warns of the text in %s", async (_what, body, message) => {
  expect(await renderer.warningsOf(body)).toEqual([expect.stringMatching(message)]);
});

it.each(kept)("a PDF does not warn of %s", async (_what, body) => {
  expect(await renderer.warningsOf(body)).toEqual([]);
});

it.each(dead)("a PDF warns of a link to %s", async (_what, body, message) => {
  expect(await renderer.warningsOf(body)).toEqual([expect.stringMatching(message)]);
});

it.each(alive)("a PDF does not warn of a link to %s", async (_what, body) => {
  expect(await renderer.warningsOf(body)).toEqual([]);
});

it("a broken link in a footer causes one warning", async () => {
  const footer = '<a href="#nowhere">x</a> <a href="#here">y</a>';
  const { warnings } = await rendered({ page: `<p id="here">x</p>${pageBreak}y`, content: { footer } });

  expect(warnings).toEqual([expect.stringMatching(/^A link in the header or the footer to `#nowhere` is lost/)]);
});

it("an image causes no warnings about links, which it does not have, or about effects, which it shows", async () => {
  expect(await renderer.warningsOf(`<a href="#nowhere">x</a>${styled("filter:sepia(1)")}`, { format: "png" })).toEqual(
    [],
  );
});

it("lost effects and links do not fail a render that may not lose content", async () => {
  const body = `<a href="#nowhere">x</a>${styled("filter:sepia(1)")}`;

  expect(await renderer.render(body, { overflow: "error" })).toMatchObject({
    status: "rendered",
    warnings: { length: 2 },
  });
});
