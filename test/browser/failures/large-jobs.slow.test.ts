// Jobs of the largest sizes that the service accepts, through the real pool object. The platform refuses a call with more than
// 32 MiB, and a string takes two bytes per character if it contains a character such as the euro sign.
import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { maxMarkupChars } from "colophon-liquid/meter";
import type { InlinedFile } from "colophon-page/resolve-files";
import { poolJob } from "colophon-render/job-content";
import type { RenderJob } from "colophon-render/render-job";
import { noisePng } from "colophon-test-kit/photo";
import { maxInlinedBytes } from "../../../packages/template-model/src/document/inlined-files.ts";
import type { ObjectNamespace } from "../../../src/platform/object-client.ts";
import { poolClient, type PoolObject } from "../../../src/platform/rendering/pool-client.ts";
import { job } from "../fixtures/pool.ts";

const pools = env.BROWSER_POOL as unknown as ObjectNamespace<PoolObject>;
const renderer = poolClient(pools, { regions: ["enam"], perRegion: 1, batchPools: 0, pages: 8 }, "enam");
const euros = (chars: number) => `<!--${"€".repeat(chars - 7)}-->`;

/** Four pictures with almost `maxInlinedBytes` bytes in total. */
let pictures: InlinedFile[] = [];

beforeAll(async () => {
  for (let index = 0; index < 4; index++) {
    const base64 = Buffer.from(await noisePng(1_290, 1_290)).toString("base64");
    const placeholder = `colophon-file-11111111-1111-4111-8111-111111111111:${index};`;
    pictures.push({ placeholder, uri: `data:image/png;base64,${base64}` });
  }
  const bytes = (pictures.reduce((sum, { uri }) => sum + uri.length, 0) * 3) / 4;
  expect(bytes / maxInlinedBytes).toBeGreaterThan(0.99);
  expect(bytes).toBeLessThan(maxInlinedBytes);
});

/** At three pixels per CSS pixel, a picture of this size keeps all of its pixels. The pictures overlap. */
const wholePicture = "width:430px;margin:0 -420px -420px 0";

const shown = (files: InlinedFile[]) =>
  files.map(({ placeholder }) => `<img src="${placeholder}" style="${wholePicture}">`).join("€");

function largeJob(markup: string, rest: Partial<RenderJob> = {}): RenderJob {
  return job(markup, { timeoutMs: 50_000, deviceScaleFactor: 3, ...rest });
}

async function stored(fileKey: string): Promise<Uint8Array> {
  return new Uint8Array((await (await env.FILES.get(fileKey))?.arrayBuffer()) ?? new ArrayBuffer());
}

it("the platform refuses a call with more than 32 MiB", async () => {
  const pool = pools.get(pools.idFromName("enam-0"));
  const tooLong = { ...poolJob(job("")), content: new Uint8Array(34_000_000) };
  const messageOf = async () => {
    try {
      return (await pool.render(tooLong, null)).status;
    } catch (error) {
      return String(error);
    }
  };

  expect(await messageOf()).toMatch(/limited to 32MiB/);
});

it("a document with 20 MB of pictures and the longest markup, in which each character takes two bytes, is rendered", async () => {
  const made = largeJob(shown(pictures) + euros(maxMarkupChars - 1_000), { files: pictures });

  expect(await renderer.render(made)).toMatchObject({ status: "rendered", pageCount: 1 });
  expect((await stored(made.fileKey)).length).toBeGreaterThan(19_000_000);
});

it("a document whose styles show 20 MB of pictures is rendered", async () => {
  const rules = pictures.map(({ placeholder }, index) => `#p${index}{background:url("${placeholder}");height:300px}`);
  const boxes = pictures.map((_, index) => `<p id="p${index}">€</p>`).join("");
  const made = largeJob(boxes, { css: rules.join(""), styleFiles: pictures, templateHash: "styles" });

  expect(await renderer.render(made)).toMatchObject({ status: "rendered", pageCount: 2, warnings: [] });
  expect((await stored(made.fileKey)).length).toBeGreaterThan(900_000);
});

it("headers with 20 MB of pictures and the longest markup are rendered", async () => {
  const probe = '<p style="height:20px">€</p>';
  const made = largeJob("<p>€</p>", { marginContents: [{ edge: "header", markup: probe }] });
  const markups = [`<p style="height:20px">€${shown(pictures)}</p>${euros(maxMarkupChars - 1_000)}`];
  const margins = { markups, headerOfPage: [0], footerOfPage: null, files: pictures };

  const renderMargins = async () => ({ status: "ok" as const, ...margins });
  expect(await renderer.render(made, { renderMargins })).toMatchObject({ status: "rendered" });
  expect((await stored(made.fileKey)).length).toBeGreaterThan(19_000_000);
});

it("a PNG of almost 25 MB is captured", async () => {
  const page = { ...job("").page, width: 2_800, height: 2_800, cssWidth: "2800px", cssHeight: "2800px" };
  const [width, height] = [1_400, 1_400];
  const grid = shown(pictures).replaceAll(wholePicture, `display:block;float:left;width:${width}px;height:${height}px`);
  const made = largeJob(`<div style="width:2800px;display:flow-root">${grid}</div>`, {
    format: "png",
    page,
    deviceScaleFactor: 1,
    files: pictures,
  });

  expect(await renderer.render(made)).toMatchObject({ status: "rendered", width: 2_800, warnings: [] });
  expect((await stored(made.fileKey)).length).toBeGreaterThan(15_000_000);
});

it("a small document is rendered in the same session after all large documents", async () => {
  expect(await renderer.render(job("<p>€</p>"))).toMatchObject({ status: "rendered", warnings: [] });
});
