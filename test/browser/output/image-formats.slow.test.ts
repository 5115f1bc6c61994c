// Decodes the images of a real browser. JPEG and WebP are compared with the PNG.
import { env, exports } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { imageInfo } from "colophon-images/image-info";
import { dataUri } from "colophon-test-kit/images";
import { noisePng } from "colophon-test-kit/photo";
import { newTenant, post } from "../../fixtures/tenant.ts";
import { imageDecoder, type ImageDecoder } from "../fixtures/decoded-images.ts";
import { rendered, renderedBy, requested } from "../fixtures/rendered.ts";

const compressed = ["jpeg", "webp"] as const;

const page = `
  <h1 style="color: #134">Quarterly report</h1>
  <p>The quick brown fox jumps over the lazy dog.</p>
  <div style="width: 200px; height: 80px; background: linear-gradient(90deg, #d33, #36c)"></div>`;

let decoder: ImageDecoder;

beforeAll(async () => {
  decoder = await imageDecoder(env.BROWSER);
});
afterAll(() => decoder.close());

const image = (body: object, markup = page) => rendered({ page: markup }, { width: 400, height: 300, ...body });

describe.each(compressed)("a %s", (format) => {
  it("a compressed image shows the same as the PNG", async () => {
    const png = await image({ format: "png" });

    const { bytes } = await image({ format });

    expect(imageInfo(bytes)).toEqual({ type: format, width: 800, height: 600 });
    expect((await decoder.difference(png.bytes, bytes)).mean).toBeLessThan(1.5);
  });

  it("an image of higher quality is larger and more exact, and the default quality is 85", async () => {
    const source = dataUri("png", await noisePng(60, 60));
    const photo = `<img src="${source}" style="width: 300px; height: 200px">`;
    const png = await image({ format: "png" }, photo);

    const images = [];
    for (const imageQuality of [10, 85, 100]) images.push(await image({ format, imageQuality }, photo));

    const sizes = images.map(({ record }) => record.fileSize);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    const means = await Promise.all(images.map(async ({ bytes }) => (await decoder.difference(png.bytes, bytes)).mean));
    expect(means).toEqual(means.toSorted((a, b) => b - a));
    expect((await image({ format }, photo)).record.sha256).toBe(images[1]?.record.sha256);
  });
});

it("a WebP of quality 100 is lossless", async () => {
  const png = await image({ format: "png" });

  const webp = await image({ format: "webp", imageQuality: 100 });

  expect(await decoder.difference(png.bytes, webp.bytes)).toEqual({ mean: 0, max: 0 });
});

it("an image has the same bytes for a different account", async () => {
  const other = await newTenant(env, { page, fields: [] });
  const body = { templateId: other.templateId, data: {}, format: "webp", width: 400, height: 300 };

  const foreign = await renderedBy(await post(exports.default, other, body));

  expect(foreign.record.sha256).toBe((await image({ format: "webp" })).record.sha256);
});

// Stacking, clipping and the height of page boxes are tested with PNGs in page-size and auto-height.
it("an image is white where the template paints nothing", async () => {
  const { bytes } = await image({ format: "webp", height: undefined, deviceScaleFactor: 1 }, "<p>1</p>");

  expect(imageInfo(bytes)).toEqual({ type: "webp", width: 400, height: 1123 });
  expect(await decoder.pixel(bytes, 2, 2)).toEqual([255, 255, 255, 255]);
});

it.each([
  ["png", 16_384],
  ["webp", 16_383],
] as const)("a %s of %i pixels in height shows the end of the page at its end", async (format, side) => {
  const filled = (px: number, colour: string) => `<div style="height: ${px}px; background: ${colour}"></div>`;
  const long = filled(side - 96 - 40, "#fff") + filled(40, "#00f");

  const { bytes } = await image({ format, width: 200, height: "auto", deviceScaleFactor: 1 }, long);

  expect(imageInfo(bytes)).toEqual({ type: format, width: 200, height: side });
  const [red = 255, , blue = 0] = await decoder.pixel(bytes, 100, side - 48 - 20);
  expect([red < 12, blue > 243]).toEqual([true, true]);
  expect(await decoder.pixel(bytes, 100, side - 48 - 60)).toEqual([255, 255, 255, 255]);
});

it("an image must not be one pixel higher than its format allows", async () => {
  const page = `<div style="height: ${16_383 - 96 + 1}px"></div>`;

  const response = await requested({ page }, { format: "webp", width: 200, height: "auto", deviceScaleFactor: 1 });

  const { error } = await response.json<{ error: { code: string; message: string } }>();
  expect([response.status, error.code]).toEqual([422, "RENDER_FAILED"]);
  expect(error.message).toContain("200 x 16384 pixels");
});
