// Tests the pixel density at which a file stores raster images, and which images are left empty.
import { expect, it } from "vitest";
import { dataUri, png } from "colophon-test-kit/images";
import { latin1 } from "colophon-test-kit/pdf";
import { flatPng, photo } from "colophon-test-kit/photo";
import { field } from "colophon-test-kit/template-content";
import { type TenantOptions } from "../../fixtures/tenant.ts";
import { rendered } from "../fixtures/rendered.ts";

/** Returns a template with one asset, an image. `IMG` in the page is replaced with the image. */
function showing(image: Uint8Array, contentType: string, page: string, more: TenantOptions["content"] = {}) {
  const assets = { img: { contentType, base64: Buffer.from(image).toString("base64") } };
  return { page: page.replaceAll("IMG", "{{ 'img' | asset }}"), content: { assets, ...more } };
}

/** Returns the width of each image in a PDF, in pixels. */
function imageWidths(pdf: Uint8Array): number[] {
  return [...latin1(pdf).matchAll(/\/Subtype\s*\/Image\s*\/Width (\d+)/g)].map(([, width]) => Number(width));
}

it("a JPEG is shrunk to deviceScaleFactor times the width at which it is shown", async () => {
  const template = showing(photo(4800, 3200, 250_000), "image/jpeg", '<img src="IMG" style="width:100%">');

  const made = [];
  for (const deviceScaleFactor of [1, 2, 3]) made.push(await rendered(template, { deviceScaleFactor }));

  // Chromium lays out the content of an A4 page at 698 px, although it is 697.7 px wide.
  expect(made.map(({ bytes }) => imageWidths(bytes))).toEqual([[698], [1396], [2094]]);
  const [small = 0, medium = 0, large = 0] = made.map(({ record }) => record.fileSize);
  expect(medium).toBeGreaterThan(small * 1.5);
  expect(large).toBeGreaterThan(medium * 1.3);
  for (const { bytes } of made) expect(latin1(bytes)).toContain("/DCTDecode");
});

it("a JPEG that is small enough is embedded unchanged", async () => {
  const image = photo(1396, 1000);
  const template = showing(image, "image/jpeg", '<img src="IMG" style="width:100%">');

  const { bytes } = await rendered(template, { deviceScaleFactor: 2 });

  expect(latin1(bytes)).toContain(latin1(image));
});

it("a shrunken image keeps its transparency", async () => {
  const template = showing(await flatPng(2000, 100, true), "image/png", '<img src="IMG" style="width:100%">');

  const { bytes } = await rendered(template, { deviceScaleFactor: 1 });

  expect(latin1(bytes)).toMatch(/\/Width 698\b/);
  expect(latin1(bytes)).toContain("/SMask");
  expect(latin1(bytes)).not.toContain("/DCTDecode");
});

it.each([
  ["a header", 90, "<p>x</p>", { header: '<img src="{{ \'img\' | asset }}" style="width:90px">' }],
  [
    "styles",
    698,
    '<div class="cover"></div>',
    { css: ".cover { height: 99px; background: red url(img) 0 0 / cover }" },
  ],
])("an image in %s is shrunk to the size at which it is shown", async (_where, width, page, more) => {
  const template = showing(photo(2400, 1600, 100_000), "image/jpeg", page, more);

  const { bytes, warnings } = await rendered(template, { deviceScaleFactor: 1 });

  expect(imageWidths(bytes)).toEqual([width]);
  expect(warnings).toEqual([]);
});

it("an image that cannot be decoded is left empty with a warning", async () => {
  const template = { page: '<img src="data:image/png;base64,xx"><p>x</p>' };

  const { warnings } = await rendered(template);

  expect(warnings).toEqual(["Left 1 image empty: decoding failed."]);
});

it.each(["pdf", "png"])("the available part of an incomplete image is shown with a warning (%s)", async (format) => {
  const jpeg = photo(600, 400);
  const half = jpeg.subarray(0, jpeg.length / 2);
  const template = { page: `<img width="600" src="${dataUri("jpeg", half)}"><p>x</p>` };

  const { warnings } = await rendered(template, { format });

  expect(warnings).toEqual([]);
});

it("a warning names the field of an image whose header states too many pixels", async () => {
  const template = { page: '<img src="{{ photo }}"><p>x</p>', fields: [field("photo", "image")] };

  const { warnings } = await rendered(template, { data: { photo: dataUri("png", png(60_000, 60_000)) } });

  expect(warnings).toEqual([expect.stringMatching(/`photo` was left empty: it is 60000 x 60000 pixels/)]);
});

it.each(["pdf", "png"])("an unchecked image with too many pixels is left empty (%s)", async (format) => {
  const bomb = await flatPng(8_000, 8_000, false);
  const template = { page: '<img src="{{ link }}"><p>x</p>', fields: [field("link", "string")] };

  const link = dataUri("png", bomb).replace("image/png", "");
  const { warnings } = await rendered(template, { data: { link }, format });

  expect(warnings).toEqual(["Left 1 image empty: an image may have at most 50 megapixels."]);
});
