// Tests that a pool puts the watermark onto the files of tests, within the memory that it has for one large file.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { extractText } from "unpdf";
import { customGeometry } from "colophon-page/page-geometry";
import { newRenderMemory } from "../../../src/objects/rendering/pool-memory.ts";
import { dataUri } from "../../fixtures/images.ts";
import { photo } from "../../fixtures/photo.ts";
import { imageDecoder, type ImageDecoder } from "../fixtures/decoded-images.ts";
import { job, testPool } from "../fixtures/pool.ts";

const renderMemory = newRenderMemory();
const pool = testPool(env.BROWSER, { renderMemory });
let decoder: ImageDecoder;
beforeAll(async () => {
  decoder = await imageDecoder(env.BROWSER);
});
afterAll(() => decoder.close());

const tile = dataUri("jpeg", photo(900, 600));
const large = { page: customGeometry(1_800, 1_200), margin: { top: 0, right: 0, bottom: 0, left: 0 } };
const markup = `<p>A photo</p><div style="height:1100px;background:url(${tile})"></div>`;

async function rendered(format: "pdf" | "webp", isTest: boolean): Promise<Uint8Array> {
  const imageQuality = format === "webp" ? 90 : null;
  const rendering = job(markup, { ...large, format, imageQuality, isTest, accountId: "a" });
  expect(await pool.render(rendering)).toMatchObject({ status: "rendered", warnings: [] });
  return pool.files.get(rendering.fileKey) ?? new Uint8Array();
}

it("a pool marks an image of a test, and frees the memory", async () => {
  const [live, test] = [await rendered("webp", false), await rendered("webp", true)];

  const { mean, max } = await decoder.difference(live, test);
  expect([mean > 2, max > 40]).toEqual([true, true]);
  expect(renderMemory.inUse).toBe(0);
});

it("a pool marks a PDF of a test, and frees the memory", async () => {
  const { text } = await extractText(await rendered("pdf", true));

  expect(text).toEqual([expect.stringMatching(/A photo.*TEST/s)]);
  expect(renderMemory.inUse).toBe(0);
});
