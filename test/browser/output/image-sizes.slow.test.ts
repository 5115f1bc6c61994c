// Tests in which size and format a PDF stores a document's images, whatever shows them.
import { expect, it } from "vitest";
import { dataUri } from "colophon-test-kit/images";
import { latin1 } from "colophon-test-kit/pdf";
import { readPdf } from "colophon-test-kit/pdf-reader";
import { photo, smoothAvif, smoothWebp, turned } from "colophon-test-kit/photo";
import { templateContent } from "colophon-test-kit/template-content";
import { rendered, type Rendered } from "../fixtures/rendered.ts";

/** Renders the markup at one pixel per CSS pixel. `IMG` in it is replaced with the image. */
function shown(image: Uint8Array, markup: string): Promise<Rendered> {
  const base64 = Buffer.from(image).toString("base64");
  const { manifest } = templateContent({ fields: [] });
  const content = {
    assets: { img: { contentType: "image/jpeg", base64 } },
    manifest: { ...manifest, margin: { top: 0, right: 0, bottom: 0, left: 0 } },
  };
  const page = markup.replaceAll("IMG", "{{ 'img' | asset }}");
  return rendered({ page, content }, { deviceScaleFactor: 1, width: 600, height: 600 });
}

/** Returns the size of each image in the PDF, and whether it is a JPEG. */
function images(file: Uint8Array): string[] {
  const dictionaries = [...readPdf(file).objects.values()].filter((source) => /\/Subtype ?\/Image\b/.test(source));
  const number = (source: string, key: string) => new RegExp(`/${key} (\\d+)`).exec(source)?.[1];
  return dictionaries.map((source) => {
    const format = source.includes("/DCTDecode") ? "JPEG" : "pixels";
    return `${number(source, "Width")} x ${number(source, "Height")} ${format}`;
  });
}

const heavyPhoto = photo(2400, 1600, 100_000);
const img = (style: string) => `<img src="IMG" style="display:block;${style}">`;
const background = (style: string) => `<div style="width:150px;height:150px;background:url(IMG) ${style}"></div>`;

it.each([
  ["the largest of several places", img("width:150px") + img("width:300px") + img("width:90px"), "300 x 200"],
  ["`object-fit: cover`", img("width:150px;height:150px;object-fit:cover"), "225 x 150"],
  ["`object-fit: contain`", img("width:150px;height:150px;object-fit:contain"), "150 x 100"],
  ["scale", `<div style="width:75px;transform-origin:0 0;transform:scale(2)">${img("width:75px")}</div>`, "150 x 100"],
  ["a `srcset`", '<img srcset="IMG 2x" style="width:150px">', "150 x 100"],
  ["`background-size: cover`", background("center / cover"), "225 x 150"],
  ["`background-size: contain`", background("0 0 / contain no-repeat"), "150 x 100"],
  ["an SVG", '<svg width="300" viewBox="0 0 30 20"><image href="IMG" width="15" height="10" /></svg>', "150 x 100"],
  ["tiles, for which the page counts", background("0 0 / 60px"), "900 x 600"],
  [
    "a pseudo-element, for which the page counts",
    "<style>p::before{content:'';display:block;height:90px;background:url(IMG) 0 0/30px}</style><p>x</p>",
    "900 x 600",
  ],
])("a photo is stored as a JPEG of the size at which it is shown (%s)", async (_what, markup, size) => {
  const { bytes, warnings } = await shown(heavyPhoto, markup);

  expect(images(bytes)).toEqual([`${size} JPEG`]);
  expect(warnings).toEqual([]);
});

it("a JPEG that would not become smaller is stored unchanged", async () => {
  const image = photo(660, 440);

  const { bytes } = await shown(image, img("width:594px"));

  expect(latin1(bytes)).toContain(latin1(image));
});

it("a JPEG is embedded unchanged if it has at most the shown number of pixels, even if it is cropped", async () => {
  const image = photo(320, 160);

  const { bytes } = await shown(image, img("width:160px;height:160px;object-fit:cover"));

  expect(latin1(bytes)).toContain(latin1(image));
});

it.each([
  ["a JPEG that its EXIF data turns", turned(photo(160, 80), 6), "80 x 160 JPEG"],
  ["an AVIF", smoothAvif, "160 x 80 JPEG"],
  ["a lossy WebP", smoothWebp, "160 x 80 JPEG"],
])("%s is stored as an upright JPEG", async (_what, image, expected) => {
  const { bytes } = await shown(image, `<img src="${dataUri("jpeg", image)}">`);

  expect(images(bytes)).toEqual([expected]);
});

it("resizing an image does not change the layout", async () => {
  // Each image is as high as a page, unless its aspect ratio changes.
  const image = photo(1999, 1103, 100_000);
  const half = img("width:300px;border-bottom:134.47px solid");

  const { record, bytes } = await shown(image, half.repeat(6));

  expect(record.pageCount).toBe(3);
  expect(images(bytes)).toHaveLength(1);
});
