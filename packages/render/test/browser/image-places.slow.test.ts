// Compares how a PDF and a PNG show photos, pixel by pixel. A PDF shows a smaller file, or a drawing that contains the photo, which must
// obey the same styles as the photo itself.
import { createCanvas, loadImage, type ImageData } from "@napi-rs/canvas";
import { renderPageAsImage } from "unpdf";
import { afterAll, beforeAll, expect, it } from "vitest";
import { customGeometry } from "colophon-page/page-geometry";
import { latin1 } from "colophon-test-kit/pdf";
import { turned } from "colophon-test-kit/photo";
import { templateContent } from "colophon-test-kit/template-content";
import type { LocalRenderer } from "../../../templates/src/render/local-renderer.ts";
import { compileFolder, renderFolder } from "../../../templates/src/render/render-folder.ts";
import { startTimeoutMs, startedRenderer } from "./started-renderer.ts";

let renderer: LocalRenderer;
beforeAll(async () => void (renderer = await startedRenderer()), startTimeoutMs);
afterAll(() => renderer?.stop());

const side = { width: 400, height: 300 };

/** Renders the markup, in which `IMG` is replaced with the photo, at one pixel per CSS pixel. */
async function rendered(format: "pdf" | "png", photo: Buffer, page: string, header = ""): Promise<Uint8Array> {
  const { manifest } = templateContent({});
  const withPhoto = (markup: string) => markup.replaceAll("IMG", "{{ 'img' | asset }}");
  const content = {
    header: withPhoto(header),
    assets: { img: { contentType: "image/jpeg", base64: photo.toString("base64") } },
    manifest: {
      ...manifest,
      margin: { top: 0, right: 0, bottom: 0, left: 0 },
      page: customGeometry(side.width, side.height),
      pageSize: "Custom" as const,
    },
  };
  const folder = await compileFolder(templateContent({ page: withPhoto(page), content }));
  const parts = { renderer, fonts: { facesFor: async () => [] }, log: () => {} };
  const done = await renderFolder(parts, folder, { data: {}, format, deviceScaleFactor: 1 });
  if (done.status === "failed") throw new Error(done.message);
  return done.file.bytes;
}

/** A photo with a different colour in each quarter, and stripes. */
function photo(width: number, height: number): Buffer {
  return canvasOf(width, height).toBuffer("image/jpeg", 90);
}

function canvasOf(width: number, height: number) {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  for (const [index, colour] of ["#c33", "#3a3", "#33c", "#cc3"].entries()) {
    context.fillStyle = colour;
    context.fillRect(((index % 2) * width) / 2, (Math.floor(index / 2) * height) / 2, width / 2, height / 2);
  }
  context.fillStyle = "#fff";
  context.fillRect(width / 8, 0, width / 8, height);
  context.fillRect(0, height / 8, width, height / 8);
  return canvas;
}

async function printedPixels(pdf: Uint8Array): Promise<ImageData> {
  const options = { canvasImport: () => import("@napi-rs/canvas"), scale: 4 / 3 };
  return pixelsOf(new Uint8Array(await renderPageAsImage(pdf.slice(), 1, options)));
}

async function pixelsOf(image: Uint8Array): Promise<ImageData> {
  const loaded = await loadImage(image);
  const context = createCanvas(side.width, side.height).getContext("2d");
  context.drawImage(loaded, 0, 0, side.width, side.height);
  return context.getImageData(0, 0, side.width, side.height);
}

/** Returns the share of the pixels that differ clearly from all pixels around the same place in the other picture. */
function differing(a: ImageData, b: ImageData): number {
  const distance = (at: number, other: number) =>
    Math.max(...[0, 1, 2].map((part) => Math.abs((a.data[at + part] ?? 0) - (b.data[other + part] ?? 0))));
  // The same place comes first, because there nearly all pixels are alike.
  const steps = [0, -1, 1, -2, 2];
  const around = steps.flatMap((dy) => steps.map((dx) => (dy * side.width + dx) * 4));
  let count = 0;
  for (let y = 2; y < side.height - 2; y++) {
    for (let x = 2; x < side.width - 2; x++) {
      const at = (y * side.width + x) * 4;
      if (around.every((offset) => distance(at, at + offset) > 60)) count++;
    }
  }
  return count / (side.width * side.height);
}

const img = (style: string, attributes = "") => `<img src="IMG" alt="" style="display:block;${style}" ${attributes}>`;
const svg = (attributes: string) =>
  `<svg width="300" height="200" viewBox="0 0 30 20" style="display:block"><image href="IMG" ${attributes}/></svg>`;
const pseudo = "content:'';display:block;width:300px;height:60px";
const box = (style: string) => `<div style="width:300px;height:60px;background:url(IMG) no-repeat;${style}"></div>`;

const places: Record<string, string> = {
  "stretched by attributes": img("", 'width="300" height="60"'),
  "stretched by percentages": `<div style="width:240px;height:80px">${img("width:100%;height:100%")}</div>`,
  "stretched by a minimum and a maximum": img("min-width:300px;max-height:60px"),
  "stretched by a flex container": `<div style="display:flex;height:200px">${img("width:100px")}</div>`,
  "stretched in vertical writing": `<div style="writing-mode:vertical-rl">${img("width:90px;height:200px")}</div>`,
  "stretched by `srcset`": '<img srcset="IMG 2x" style="display:block;height:200px;width:90px">',
  "one length and a percentage": `<div style="width:240px;height:80px">${img("width:50%;height:auto")}</div>`,
  "`object-fit: fill`": img("width:90px;height:200px;object-fit:fill"),
  "`contain`": img("width:300px;height:60px;object-fit:contain"),
  "`contain` at the right": img("width:300px;height:60px;object-fit:contain;object-position:right"),
  "`contain` with padding": img("width:50%;height:100px;padding:2%;object-fit:contain;object-position:0 100%"),
  "`cover`": img("width:300px;height:60px;object-fit:cover"),
  "`cover` at the top": img("width:100px;height:200px;object-fit:cover;object-position:20% 0"),
  "`cover` with borders": img("width:150px;height:50px;border:10px solid;padding:5px 20px;object-fit:cover"),
  "`object-fit: none`": img("width:300px;height:200px;object-fit:none;object-position:10px -20px"),
  "`scale-down`": img("width:300px;height:60px;object-fit:scale-down"),
  "`object-view-box`": img("width:200px;height:50px;object-view-box:inset(10% 20%)"),
  "`aspect-ratio`": img("width:200px;aspect-ratio:1"),
  "the natural ratio before `aspect-ratio`": img("width:200px;aspect-ratio:auto 1"),
  "`aspect-ratio` and `cover`": img("width:200px;aspect-ratio:1/1;object-fit:cover"),
  "a rotated photo": img("width:150px;height:50px;margin:90px;transform:rotate(30deg)"),
  "a skewed photo": img("width:150px;height:50px;margin:90px;transform:skewX(20deg) scaleY(2)"),
  "a zoomed photo": img("width:150px;height:30px;zoom:1.5"),
  "borders inside the size": img("width:150px;height:50px;border:10px solid;padding:5px 20px;box-sizing:border-box"),
  "round corners": img("width:200px;height:50px;border-radius:20px"),
  "a clip": img("width:200px;height:150px;clip-path:circle(40%)"),
  "an SVG image": svg('width="15" height="10"'),
  "a stretched SVG image": svg('width="30" height="5" preserveAspectRatio="none"'),
  "a background in pixels": box("background-size:300px 60px"),
  "a background in per cent": box("background-size:50% 100%;background-position:right"),
  "a background of full width": box("background-size:100% auto"),
  "a background that covers": box("background-size:cover;background-position:0 80%"),
  "a background that is contained": box("background-size:contain;background-position:100% 0"),
  "a background of natural size": box("background-position:-20px -10px"),
  "a background in the content": box(
    "border:10px dotted;padding:10px;background-origin:content-box;background-size:100% 100%",
  ),
  "a background clipped at the content": box("padding:10px;background-clip:content-box;background-size:100% 100%"),
  "a rotated background": box("background-size:100% 100%;margin:100px 20px;rotate:20deg"),
  "a fixed background": box("background-size:100% 100%;background-attachment:fixed"),
  "a background of the page": "<style>body{height:200px;background:url(IMG) 9px 9px/100% 60px no-repeat}</style>",
  "a background below a colour": box("background:linear-gradient(#fff8,#fff8),url(IMG) 0 0/300px 60px no-repeat"),
  "two backgrounds": box("background:url(IMG) 0 0/100px 60px no-repeat,url(IMG) 150px 0/100% 30px no-repeat"),
  "a pseudo-element of an empty paragraph": `<style>p::before{${pseudo};background:url(IMG) 0 0/100% 100% no-repeat}</style><p>`,
  "several places": img("width:300px;height:60px") + box("background-size:cover") + img("width:60px;height:100px"),
};
const photos = { "few pixels": photo(160, 80), "many pixels": photo(1600, 800) };

it.each(
  Object.entries(places).flatMap(([name, markup]) =>
    Object.entries(photos).map(([size, file]) => [name, size, markup, file] as const),
  ),
)("a PDF shows a photo in the same way as a PNG: %s, %s", async (_name, _size, markup, file) => {
  const [pdf, png] = [await rendered("pdf", file, markup), await rendered("png", file, markup)];

  const printed = await printedPixels(pdf);
  const shown = await pixelsOf(png);
  expect(Math.max(differing(printed, shown), differing(shown, printed))).toBeLessThan(0.01);
  const text = latin1(pdf);
  expect([text.match(/\/Subtype ?\/Image\b/g)?.length, text.match(/\/DCTDecode/g)?.length]).toEqual([1, 1]);
});

it("a photo in a header is stretched as in the body of the document", async () => {
  const markup = img("width:300px;height:60px") + img("width:60px;height:100px;object-fit:cover");
  const pdf = await rendered("pdf", photos["few pixels"], "<p>", markup);

  const png = await rendered("png", photos["few pixels"], `<div style="padding-top:24px">${markup}</div>`);

  expect(differing(await printedPixels(pdf), await pixelsOf(png))).toBeLessThan(0.01);
});

/** Quality 100 is lossless. `directory` is the claimed position of the orientation in the EXIF data. */
type Turned = { orientation: number; quality?: number; directory?: number };

/** Returns a WebP of the photo with EXIF data that rotates it. */
function turnedWebp({ orientation, quality = 90, directory = 8 }: Turned): Buffer {
  const [width, height] = [200, 120];
  const chunk = (name: string, data: Buffer) => {
    const size = Buffer.alloc(4);
    size.writeUInt32LE(data.length);
    return Buffer.concat([Buffer.from(name), size, data, Buffer.alloc(data.length % 2)]);
  };
  const pixels = canvasOf(width, height).toBuffer("image/webp", quality);
  const [across, down] = [width - 1, height - 1];
  const extended = chunk("VP8X", Buffer.from([8, 0, 0, 0, across & 255, across >> 8, 0, down & 255, down >> 8, 0]));
  const exif = chunk(
    "EXIF",
    Buffer.from([0x49, 0x49, 42, 0, directory, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]),
  );
  // The chunk of the picture is the first one after the headers, with or without a header of an extended WebP.
  const picture = pixels.subarray(pixels.indexOf(quality === 100 ? "VP8L" : "VP8 "));
  const chunks = Buffer.concat([Buffer.from("WEBP"), extended, picture, exif]);
  return chunk("RIFF", chunks);
}

const turns = [2, 3, 4, 5, 6, 7, 8];
it.each(turns.map((orientation) => [orientation, orientation % 2 ? 100 : 90] as const))(
  "a WebP with the orientation %i is shown like a JPEG with that orientation",
  async (orientation, quality) => {
    const markup = img("width:100px") + box("width:150px;background-size:cover") + svg('width="15" height="10"');
    const small = img("width:60px");
    const webp = turnedWebp({ orientation, quality });
    const jpeg = Buffer.from(turned(photo(200, 120), orientation));

    const png = await pixelsOf(await rendered("png", webp, markup));
    const pdf = await printedPixels(await rendered("pdf", webp, "<br>", small));

    expect(differing(png, await pixelsOf(await rendered("png", jpeg, markup)))).toBeLessThan(0.01);
    expect(differing(pdf, await printedPixels(await rendered("pdf", jpeg, "<br>", small)))).toBeLessThan(0.01);
  },
);

it.each<[string, Buffer]>([
  ["that EXIF data leave upright", turnedWebp({ orientation: 1 })],
  ["with an orientation that does not exist", turnedWebp({ orientation: 9 })],
  ["whose EXIF data end early", turnedWebp({ orientation: 6, directory: 200 })],
  ["without EXIF data", canvasOf(200, 120).toBuffer("image/webp", 90)],
])("the picture is not rotated in a WebP %s", async (_what, webp) => {
  const markup = img("width:100px");

  const png = await pixelsOf(await rendered("png", webp, markup));

  expect(differing(png, await pixelsOf(await rendered("png", photo(200, 120), markup)))).toBeLessThan(0.01);
});

const secret = "taken at home";
it.each<[string, string, string?]>([
  ["that is printed in its size", img("")],
  ["that is cropped", img("width:60px;height:60px;object-fit:cover")],
  ["of a background", box("background-size:100% 100%")],
  ["of a pseudo-element", `<style>p::before{${pseudo};background:url(IMG)}</style><p>x</p>`],
  ["of an SVG image", svg('width="15" height="10"')],
  ["of a list", "<style>ul{list-style-image:url(IMG)}</style><ul><li>x</ul>"],
  ["of `content`", "<style>p::before{content:url(IMG)}</style><p>x</p>"],
  ["whose orientation is ignored", img("image-orientation:none")],
  ["in a header", "<p>x</p>", img("width:90px")],
  ["in an SVG file", img("").replace("IMG", `data:image/svg+xml,${encodeURIComponent(svgFile())}`)],
])("a PDF does not contain the metadata of a JPEG %s", async (_what, markup, header) => {
  const comment = Buffer.from(`\xff\xfe\0${String.fromCharCode(secret.length + 2)}${secret}`, "latin1");
  const plain = photo(160, 80);
  const jpeg = Buffer.concat([plain.subarray(0, 2), comment, plain.subarray(2), Buffer.from(secret)]);

  const pdf = latin1(await rendered("pdf", jpeg, markup.replace("PHOTO", jpeg.toString("base64")), header));

  expect(pdf).toContain("/DCTDecode");
  expect(pdf).not.toContain(secret);
});

function svgFile(): string {
  const image = '<image width="160" height="80" href="data:image/jpeg;base64,PHOTO"/>';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="80">${image}</svg>`;
}
