// Tests the box that replaces an image that cannot be shown. A PNG is compared with the PNG of a document that has a plain box
// instead of the image.
import { expect, it } from "vitest";
import { dataUri } from "colophon-test-kit/images";
import { latin1 } from "colophon-test-kit/pdf";
import { readPdf } from "colophon-test-kit/pdf-reader";
import { flatPng } from "colophon-test-kit/photo";
import { rendered } from "../fixtures/rendered.ts";

const url = "https://example.com/a.png";
const undecodable = "data:image/png;base64,xx";
const box = (style: string) => `<span style="display:inline-block;${style}"></span>`;
const svg = (content: string) => `<svg width="60" height="30">${content}</svg>`;
const fallback = "<source srcset='https://example.com/b.png'>";

/** Returns a PNG of the markup between two letters, whose distance shows its size. */
async function picture(markup: string): Promise<string> {
  const page = `<p>a${markup}b</p><p>c</p>`;
  return latin1((await rendered({ page }, { format: "png", width: 300, height: 200 })).bytes);
}

it.each([
  ["without a source", "<img alt='Alt' width=60 height=30>"],
  ["with an empty source", "<img src='' alt='Alt' width=60 height=30>"],
  ["at a blocked URL", `<img src="${url}" alt="Alt" width=60 height=30>`],
  ["in a `srcset`", `<img srcset="${url} 1x, ${url}?2 2x" alt="Alt" width=60 height=30>`],
  ["in a `picture`", `<picture>${fallback}<img alt="Alt" width=60 height=30></picture>`],
  ["whose decoding fails", `<img src="${undecodable}" alt="Alt" width=60 height=30>`],
  ["in a form", `<input type="image" src="${url}" alt="Alt" width=60 height=30>`],
])("an image that cannot be shown is replaced with an empty box: an image %s", async (_what, image) => {
  expect(await picture(image)).toBe(await picture(box("width:60px;height:30px")));
});

it.each([
  ["a CSS size", 'style="width:70px;height:20px;border:2px solid red"', "width:70px;height:20px;border:2px solid red"],
  ["the ratio of its attributes", 'width=60 height=30 style="width:100px;height:auto"', "width:100px;height:50px"],
  ["the aspect ratio in CSS", 'style="width:100px;aspect-ratio:4"', "width:100px;height:25px"],
  ["no size if the template gives it none", "", "width:0;height:0"],
])("the empty box of an image that cannot be shown has %s", async (_what, attributes, style) => {
  for (const source of ["", url, undecodable]) {
    expect(await picture(`<img src="${source}" alt="Alt" ${attributes}>`)).toBe(await picture(box(style)));
  }
});

it("an image that cannot be shown has no box if the template hides images without a source", async () => {
  const hiding = "<style>img[src=''] { display: none }</style>";

  expect(await picture(`${hiding}<img src="" alt="Alt" width=60 height=30>`)).toBe(await picture(""));
});

it.each([
  ["at a blocked URL", `<image href="${url}" width="60" height="30" />`],
  ["whose decoding fails", `<image xlink:href="${undecodable}" width="60" height="30" />`],
])("an image in an SVG drawing that cannot be shown is not drawn: an image %s", async (_what, image) => {
  expect(await picture(svg(image))).toBe(await picture(svg("")));
});

it("an image that cannot be shown keeps its `alt` text in the tags of a PDF", async () => {
  const image = (source: string) => `<img src="${source}" alt="Acme logo" width=60 height=30>`;

  const { bytes } = await rendered({ page: image("") + image(url) + image(undecodable) });

  const objects = [...readPdf(bytes).objects.values()];
  const images = objects.filter((object) => /\/Subtype ?\/Image\b/.test(object));
  expect(objects.filter((object) => /\/Alt ?\(Acme logo\)/.test(object))).toHaveLength(3);
  expect(images.filter((object) => !/\/Width 1\b/.test(object))).toEqual([]);
});

it("a warning counts images that have too many pixels or cannot be decoded, wherever they are", async () => {
  const bomb = dataUri("png", await flatPng(8_000, 8_000, false));
  const page = [undecodable, bomb].map((uri) => `${svg(`<image href="${uri}" />`)}<input type=image src="${uri}">`);

  const { warnings } = await rendered({ page: page.join("") });

  expect(warnings).toEqual([
    "Left 2 images empty: an image may have at most 50 megapixels.",
    "Left 2 images empty: decoding failed.",
  ]);
});
