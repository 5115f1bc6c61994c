// Tests that a document shows images without a warning if a browser can.
import { expect, it } from "vitest";
import { dataUri } from "colophon-test-kit/images";
import { flatPng, photo } from "colophon-test-kit/photo";
import { rendered } from "../fixtures/rendered.ts";

const png = await flatPng(60, 60, false);
const jpeg = photo(64, 64);
const img = (uri: string) => `<p><img class="logo" src="${uri}" style="width:20px"></p>`;
const styled = (uri: string) => `<p style="background-image:url(&quot;${uri}&quot;)">x</p>`;
const svg =
  "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><path d='M0 0h9v9z' fill='rgb(9,9,9)'/></svg>";
const warningsOf = async (page: string) => (await rendered({ page })).warnings;

it.each([
  ["a PNG that is called a JPEG", img(dataUri("jpeg", png))],
  ["base64 with percent escapes", img(dataUri("jpeg", jpeg).replaceAll("A", "%41"))],
  ["base64 with line breaks", img(dataUri("png", png).replace(/.{30}/g, "$&\n"))],
  ["base64 without padding", img(dataUri("png", png).replace(/=+$/, ""))],
  ["an SVG with quotes", styled(`data:image/svg+xml;utf8,${svg}`) + img(`data:image/svg+xml,${svg}`)],
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
