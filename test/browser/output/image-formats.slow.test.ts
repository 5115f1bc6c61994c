// Decodes the images that a real browser makes. A PNG is the measure for JPEG and WebP.
import { env, exports } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { imageInfo } from "colophon-images/image-info";
import { dataUri } from "../../fixtures/images.ts";
import { noisePng } from "../../fixtures/photo.ts";
import { newTenant, post, type Tenant } from "../../fixtures/tenant.ts";
import { imageDecoder, type ImageDecoder } from "../fixtures/decoded-images.ts";

type Image = {
  fileUrl: string;
  width: number;
  height: number;
  pixelWidth: number;
  pixelHeight: number;
  pageCount: number;
  fileSize: number;
  sha256: string;
  warnings: string[];
  bytes: Uint8Array;
};

const formats = ["png", "jpeg", "webp"] as const;
const compressed = ["jpeg", "webp"] as const;

const page = `
  <h1 style="color: #134">Quarterly report</h1>
  <p>The quick brown fox jumps over the lazy dog.</p>
  <div style="width: 200px; height: 80px; background: linear-gradient(90deg, #d33, #36c)"></div>`;

let decoder: ImageDecoder;
let tenant: Tenant;

beforeAll(async () => {
  decoder = await imageDecoder(env.BROWSER);
  tenant = await newTenant(env, { page, fields: [] });
});
afterAll(() => decoder.close());

async function rendered(body: object, by = tenant): Promise<Image> {
  const request = { templateId: by.templateId, data: {}, width: 400, height: 300, ...body };
  const response = await post(exports.default, by, request);
  const { data, error } = await response.json<{ data: Image; error?: unknown }>();
  expect(error).toBeUndefined();
  return { ...data, bytes: new Uint8Array(await (await exports.default.fetch(data.fileUrl)).arrayBuffer()) };
}

describe.each(compressed)("a %s", (format) => {
  it.for([1, 2, 3])("shows what the PNG shows, at %i device pixels for each CSS pixel", async (deviceScaleFactor) => {
    const png = await rendered({ format: "png", deviceScaleFactor });

    const image = await rendered({ format, deviceScaleFactor });

    expect(imageInfo(image.bytes)).toEqual({
      type: format,
      width: 400 * deviceScaleFactor,
      height: 300 * deviceScaleFactor,
    });
    expect((await decoder.difference(png.bytes, image.bytes)).mean).toBeLessThan(1.5);
  });

  it("has the same bytes each time, also for another account", async () => {
    const other = await newTenant(env, { page, fields: [] });

    const digests = [await rendered({ format }), await rendered({ format }), await rendered({ format }, other)];

    expect(new Set(digests.map(({ sha256 }) => sha256)).size).toBe(1);
  });

  it("is larger and more exact with a higher quality, which is 85 by default", async () => {
    const photo = await newTenant(env, {
      page: `<img src="${dataUri("png", await noisePng(60, 60))}" style="width: 300px; height: 200px">`,
      fields: [],
    });
    const png = await rendered({ format: "png" }, photo);

    const images = await Promise.all(
      [10, 50, 85, 100].map((imageQuality) => rendered({ format, imageQuality }, photo)),
    );

    const sizes = images.map(({ fileSize }) => fileSize);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    const means = await Promise.all(images.map(async ({ bytes }) => (await decoder.difference(png.bytes, bytes)).mean));
    expect(means).toEqual(means.toSorted((a, b) => b - a));
    expect((await rendered({ format }, photo)).sha256).toBe(images[2]?.sha256);
  });
});

it("loses nothing in a WebP of quality 100", async () => {
  const png = await rendered({ format: "png" });

  const webp = await rendered({ format: "webp", imageQuality: 100 });

  expect(await decoder.difference(png.bytes, webp.bytes)).toEqual({ mean: 0, max: 0 });
});

describe.each(formats)("the boxes of the page files in a %s", (format) => {
  it("are stacked, on white where the template paints nothing", async () => {
    const two = await newTenant(env, { page: ["<p>1</p>", `<div style="height: 500px">2</div>`], fields: [] });

    const image = await rendered({ format, height: undefined, deviceScaleFactor: 1 }, two);

    expect(image).toMatchObject({ pageCount: 2, width: 400, height: 1123, pixelWidth: 400, pixelHeight: 2246 });
    expect(imageInfo(image.bytes)).toEqual({ type: format, width: 400, height: 2246 });
    expect(await decoder.pixel(image.bytes, 2, 2)).toEqual([255, 255, 255, 255]);
    expect(await decoder.pixel(image.bytes, 398, 2244)).toEqual([255, 255, 255, 255]);
  });

  it("are clipped to the height of the request, with a warning", async () => {
    const two = await newTenant(env, { page: [`<div style="height: 900px">1</div>`, "<p>2</p>"], fields: [] });

    const image = await rendered({ format, height: 200 }, two);

    expect(image).toMatchObject({ height: 200, pixelWidth: 800, pixelHeight: 800 });
    expect(image.warnings).toEqual([
      expect.stringMatching(/^Page 1: .* hides \d+ px of its content at its bottom edge/),
    ]);
  });

  it("are as high as their content if the height is automatic", async () => {
    const one = await newTenant(env, { page: `<div style="height: 777px; background: #0a0">1</div>`, fields: [] });

    const image = await rendered({ format, height: "auto", deviceScaleFactor: 2 }, one);

    expect(image).toMatchObject({ height: 777 + 96, pixelWidth: 800, pixelHeight: 2 * (777 + 96) });
    expect(imageInfo(image.bytes)).toEqual({ type: format, width: 800, height: 2 * (777 + 96) });
    const [red = 255, green = 0, blue = 255] = await decoder.pixel(image.bytes, 400, 2 * (777 + 40));
    expect([red < 12, green > 158, blue < 12]).toEqual([true, true, true]);
  });
});

describe.each([
  ["png", 16_384],
  ["jpeg", 16_384],
  ["webp", 16_383],
] as const)("a %s of %i pixels in height", (format, side) => {
  it("shows the end of the page at its end", async () => {
    const filled = (px: number, colour: string) => `<div style="height: ${px}px; background: ${colour}"></div>`;
    const long = await newTenant(env, {
      page: filled(side - 96 - 40, "#fff") + filled(40, "#00f"),
      fields: [],
    });

    const image = await rendered({ format, width: 200, height: "auto", deviceScaleFactor: 1 }, long);

    expect(imageInfo(image.bytes)).toEqual({ type: format, width: 200, height: side });
    const [red = 255, , blue = 0] = await decoder.pixel(image.bytes, 100, side - 48 - 20);
    expect([red < 12, blue > 243]).toEqual([true, true]);
    expect(await decoder.pixel(image.bytes, 100, side - 48 - 60)).toEqual([255, 255, 255, 255]);
  });

  it("may not be one pixel higher", async () => {
    const long = await newTenant(env, { page: `<div style="height: ${side - 96 + 1}px"></div>`, fields: [] });
    const body = { templateId: long.templateId, data: {}, format, width: 200, height: "auto", deviceScaleFactor: 1 };

    const response = await post(exports.default, long, body);

    const { error } = await response.json<{ error: { code: string; message: string } }>();
    expect([response.status, error.code]).toEqual([422, "RENDER_FAILED"]);
    expect(error.message).toContain(`200 x ${side + 1} pixels`);
  });
});
