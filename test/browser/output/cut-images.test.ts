// Tests that a document names the images that it shows only in part, and counts the images that it cannot show, including images in
// `style` attributes.
import { expect, it } from "vitest";
import { dataUri } from "colophon-test-kit/images";
import { flatPng, photo } from "colophon-test-kit/photo";
import { rendered } from "../fixtures/rendered.ts";

const png = await flatPng(60, 60, false);
const jpeg = photo(64, 64);
const cut = (bytes: Uint8Array, count: number) => bytes.subarray(0, bytes.length - count);
const img = (uri: string) => `<p><img class="logo" src="${uri}" style="width:20px"></p>`;
const styled = (uri: string) => `<p style="background-image:url(&quot;${uri}&quot;)">x</p>`;
const after = (bytes: Uint8Array, count: number) => Uint8Array.from([...bytes, ...Array<number>(count).fill(65)]);
const svg =
  "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><path d='M0 0h9v9z' fill='rgb(9,9,9)'/></svg>";
const warningsOf = async (page: string) => (await rendered({ page })).warnings;

it.each([
  ["a PNG without its last bytes", img(dataUri("png", cut(png, 24)))],
  ["a PNG without a third of its bytes", img(dataUri("png", cut(png, Math.round(png.length / 3))))],
  ["a JPEG without its end", img(dataUri("jpeg", cut(jpeg, 2)))],
  ["half a JPEG", img(dataUri("jpeg", cut(jpeg, 40)))],
  ["half a JPEG without padding", img(dataUri("jpeg", cut(jpeg, 41)).replace(/=+$/, ""))],
])("a document names an image whose file ends too early: %s", async (_what, page) => {
  expect(await warningsOf(page)).toEqual([
    'Only the upper part of the image in `<img class="logo">` is shown, because its file ends too early.',
  ]);
});

it.each([
  ["bytes that are no image", styled(`data:image/png;base64,${btoa("text")}`)],
  ["the same bytes twice", styled("data:image/gif;base64,xx").repeat(2)],
  ["the beginning of a PNG", styled(dataUri("png", png.subarray(0, 40)))],
  ["a malformed SVG", styled(`data:image/svg+xml,${encodeURIComponent(svg.replace("</svg>", ""))}`)],
  ["an SVG that is called a PNG", styled(`data:image/png,${encodeURIComponent(svg)}`)],
])("an image in a `style` attribute that cannot be shown is counted in a warning: %s", async (_what, page) => {
  expect(await warningsOf(page)).toEqual(["Left 1 image empty: decoding failed."]);
});

it.each([
  ["a whole PNG", img(dataUri("png", png)) + styled(dataUri("png", png))],
  ["a whole JPEG", img(dataUri("jpeg", jpeg)) + styled(dataUri("jpeg", jpeg))],
  ["a PNG that is called a JPEG", img(dataUri("jpeg", png))],
  ["a few bytes after a PNG", img(dataUri("png", after(png, 9)))],
  ["many bytes after a JPEG", img(dataUri("jpeg", after(jpeg, 500)))],
  ["base64 with percent escapes", img(dataUri("jpeg", jpeg).replaceAll("A", "%41"))],
  ["base64 with line breaks", img(dataUri("png", png).replace(/.{30}/g, "$&\n"))],
  ["base64 without padding", img(dataUri("png", png).replace(/=+$/, ""))],
  ["an SVG with quotes", styled(`data:image/svg+xml;utf8,${svg}`) + img(`data:image/svg+xml,${svg}`)],
  ["an SVG with a fragment", styled(`data:image/svg+xml,${encodeURIComponent(svg)}#x`)],
  ["a `data:` URI that no property shows", `<p style="--logo: data:image/png;base64,xx" title="data:image/png">x</p>`],
])("a document does not warn about %s", async (_what, page) => {
  expect(await warningsOf(page)).toEqual([]);
});

it("an image without a source shows the image of its `content`", async () => {
  const page = (image: string) => `<p>a${image}b</p>`;
  const size = { format: "png", width: 200, height: 150 };
  const uri = dataUri("png", png);

  const styled = await rendered({ page: page(`<img alt="" style="content:url(${uri})">`) }, size);

  expect(styled.record.sha256).toBe((await rendered({ page: page(`<img alt="" src="${uri}">`) }, size)).record.sha256);
});
