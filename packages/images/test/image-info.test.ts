import { expect, it } from "vitest";
import { measured } from "colophon-test-kit/cpu-time";
import { avif, gif, jpeg, png, webpExtended, webpLossless, webpLossy } from "colophon-test-kit/images";
import { imageInfo } from "../src/image-info.ts";

it.each([
  ["the largest PNG", png(0xffffffff, 0x80000000), { type: "png", width: 0xffffffff, height: 0x80000000 }],
  ["a progressive JPEG", jpeg(65_535, 1, { marker: 0xc2 }), { type: "jpeg", width: 65_535, height: 1 }],
  ["a GIF", gif(640, 480), { type: "gif", width: 640, height: 480 }],
  ["a lossy WebP", webpLossy(640, 480), { type: "webp", width: 640, height: 480 }],
  ["a lossless WebP", webpLossless(16_384, 3), { type: "webp", width: 16_384, height: 3 }],
  ["an extended WebP", webpExtended(70_000, 90_000), { type: "webp", width: 70_000, height: 90_000 }],
  ["an AVIF", avif(640, 480), { type: "avif", width: 640, height: 480 }],
])("imageInfo reads the size of %s", (_what, bytes, info) => {
  expect(imageInfo(bytes)).toEqual(info);
});

it("imageInfo skips the preview in a JPEG's EXIF data and the fill bytes between segments", () => {
  const photo = jpeg(4000, 3000, { exif: jpeg(160, 120), fill: 3 });

  expect(imageInfo(photo)).toEqual({ type: "jpeg", width: 4000, height: 3000 });
});

it("imageInfo skips a JPEG's markers without a body, and tables whose markers resemble the markers of frames", () => {
  const bytes =
    "\xff\xd8\xff\x01\xff\xd0\xff\xd8\xff\xc4\0\x02\xff\xc8\0\x02\xff\xcc\0\x02\xff\xcf\0\x11\x08\0\x09\0\x07";

  expect(imageInfo(Buffer.from(bytes, "latin1"))).toEqual({ type: "jpeg", width: 7, height: 9 });
});

it("imageInfo uses the extent of a GIF's first frame if the frame exceeds the logical screen", () => {
  const bytes = gif(1, 1, { frame: [100, 50, 900, 30], colors: 4, comment: "x".repeat(600) });

  expect(imageInfo(bytes)).toEqual({ type: "gif", width: 1000, height: 80 });
});

it.each([
  '<svg xmlns="http://www.w3.org/2000/svg">',
  "\ufeff <?xml version='1.0'?>\n<!-- a <svg> -->\n<!DOCTYPE svg [<!ENTITY a 'b'>]><svg:svg a='1'>",
])("imageInfo recognises %s as an SVG", (text) => {
  expect(imageInfo(new TextEncoder().encode(text))).toEqual({ type: "svg" });
});

it.each([
  ["an empty file", ""],
  ["an HTML page that contains an SVG", "<html><svg/></html>"],
  ["an element whose name begins with `svg`", "<svgs>"],
  ["a PNG without a header", "\x89PNG\r\n\x1a\n\0\0\0\rtEXt\0\0\0\x01\0\0\0\x01"],
  ["a JPEG that ends before its first frame", "\xff\xd8\xff\xd9\0\x02\xff\xc0\0\x11\x08\0\x09\0\x07"],
  ["a JPEG whose scan begins before its first frame", "\xff\xd8\xff\xda\0\x02\xff\xc0\0\x11\x08\0\x09\0\x07"],
  ["a JPEG with other bytes between its segments", "\xff\xd8\xff\xe0\0\x02x\0\x02\xff\xc0\0\x11\x08\0\x09\0\x07"],
  ["a GIF without a frame", "GIF89a\x09\0\x09\0\0\0\0;\0\0\0\0\0\0\0\0\0\0"],
  ["a WAVE sound, which has the same container format as WebP", "RIFF\0\0\0\0WAVEfmt "],
])("imageInfo returns null for %s", (_what, text) => {
  expect(imageInfo(Uint8Array.from(text, (character) => character.charCodeAt(0)))).toBeNull();
});

it.each([
  ["PNG", png(9, 9)],
  ["JPEG", jpeg(9, 9)],
  ["GIF", gif(9, 9)],
  ["lossy WebP", webpLossy(9, 9)],
  ["lossless WebP", webpLossless(9, 9)],
  ["extended WebP", webpExtended(9, 9)],
  ["AVIF", avif(9, 9)],
])("imageInfo returns null for a %s that is truncated at any byte", (_type, bytes) => {
  for (let length = 0; length < bytes.length; length++) expect(imageInfo(bytes.subarray(0, length))).toBeNull();
});

it("imageInfo returns the largest width and height of the images in an AVIF", () => {
  const ipco = [...avif(3000, 10)].slice(-28);
  const around = [0, 0, 0, 8 + ipco.length, 0x69, 0x70, 0x72, 0x70, ...ipco];

  expect(imageInfo(avif(20, 2000, { around }))).toEqual({ type: "avif", width: 3000, height: 2000 });
});

it.each([
  ["an animated AVIF", avif(9, 9, { brand: "avis" })],
  ["a HEIC image", avif(9, 9, { brand: "heic" })],
  ["an AVIF whose boxes state the length 0", avif(9, 9).fill(0, 20)],
])("imageInfo returns null for %s", (_what, bytes) => {
  expect(imageInfo(bytes)).toBeNull();
});

it("imageInfo reads 5 MB of AVIF boxes in less than half a second of processor time", () => {
  const bytes = avif(9, 9);
  const [type, rest] = [bytes.subarray(0, 20), bytes.subarray(20)];
  const boxes = Buffer.alloc(4_800_000, "\0\0\0\x08free");

  const { result, cpuMs } = measured(() => imageInfo(Buffer.concat([type, boxes, rest])));

  expect(result).toEqual({ type: "avif", width: 9, height: 9 });
  expect(cpuMs).toBeLessThan(500);
});

it("imageInfo returns null for an image without pixels", () => {
  expect([imageInfo(png(0, 5)), imageInfo(jpeg(5, 0))]).toEqual([null, null]);
});
it("imageInfo rejects 500 KB of XML without a root element in less than half a second of processor time", () => {
  const bytes = new TextEncoder().encode("<?a?>".repeat(100_000));

  const { result, cpuMs } = measured(() => imageInfo(bytes));

  expect(result).toBeNull();
  expect(cpuMs).toBeLessThan(500);
});
