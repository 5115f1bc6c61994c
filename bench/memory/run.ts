// Measures how much memory the largest documents take in a pool and in the Worker. In a local run, both are in one isolate, so
// each is measured while the other holds no documents.
import { createServer, type Server } from "node:http";
import { startService, type RunningService } from "../../test/e2e/service.ts";
import { noisePng } from "../../test/fixtures/photo.ts";
import type { Tenant } from "../../test/fixtures/tenant.ts";
import { imageOrigin, imagePaths, imagePort, largeCreates } from "./creates.ts";
import { nothingRendered, pictureSidePx } from "./documents.ts";
import { inspectMemory, type MemoryInspector } from "./inspector.ts";

const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1).padStart(7)} MB`;

/** Documents that are rendered at the same time. */
const mixes: Record<string, string[]> = {
  "one with large markup": ["large markup"],
  "one with large markup and a large PDF": ["large markup and PDF"],
  "one with large headers": ["large headers"],
  "one with a large PNG": ["large PNG"],
  "one with a large JPEG": ["large JPEG"],
  "one with a large WebP": ["large WebP"],
  "the worst mix": [
    ...Array<string>(4).fill("large markup and PDF"),
    ...Array<string>(3).fill("large headers"),
    ...Array<string>(3).fill("large PNG"),
    ...Array<string>(3).fill("large markup"),
    ...Array<string>(6).fill("small"),
  ],
};

const worstCreates = [
  ...Array<string>(5).fill("large template"),
  ...Array<string>(4).fill("large images"),
  ...Array<string>(16).fill("large markup"),
];

/** Creates that are sent at the same time. */
const creates: Record<string, string[]> = {
  "one large template": ["large template"],
  "one with large markup": ["large markup"],
  "one with large images": ["large images"],
  "one with large data": ["large data"],
  "sixteen with large markup": Array<string>(16).fill("large markup"),
  "the worst mix": worstCreates,
};

export async function benchMemory(inspectorPort: number): Promise<void> {
  const variables = {
    WORKER_MAIN: "bench/memory/worker.ts",
    INSPECTOR_PORT: String(inspectorPort),
    IMAGE_ALLOWED_ORIGINS: imageOrigin,
    DEMO: "0",
  };
  const images = await serveImages();
  const service = await startService(variables);
  try {
    const inspector = await inspectMemory(inspectorPort);
    await fetch(`${service.origin}/memory/pictures`);
    await render(service, ["small"]);
    console.log(`idle, after one document ${mb((await inspector.sample()).bytes)}`);
    console.log("\nIn a pool:");
    for (const [name, documents] of Object.entries(mixes)) await benchMix(inspector, name, render(service, documents));
    console.log("\nIn a Worker:");
    for (const [name, names] of Object.entries(creates)) {
      const prepared = await prepareCreates(service, names);
      await benchMix(inspector, name, Promise.all(prepared.map((create) => create())));
    }
    inspector.close();
  } finally {
    await service.stop();
    images.close();
  }
}

async function serveImages(): Promise<Server> {
  const pngs = await Promise.all(imagePaths.map(() => noisePng(pictureSidePx, pictureSidePx)));
  return createServer(({ url = "" }, response) => {
    response.setHeader("Content-Type", "image/png").end(pngs[imagePaths.indexOf(url)]);
  }).listen(imagePort, "127.0.0.1");
}

async function benchMix(inspector: MemoryInspector, name: string, work: Promise<string[]>): Promise<void> {
  const peaks = await inspector.watch(work);
  console.log(`\n${name}: ${mb(Math.max(...peaks.values()))}  (${(await work).join(", ")})`);
  for (const [stage, bytes] of peaks) console.log(`  ${stage.padEnd(36)}${mb(bytes)}`);
}

async function render(service: RunningService, documents: string[]): Promise<string[]> {
  const query = new URLSearchParams(documents.map((name) => ["document", name]));
  const response = await fetch(`${service.origin}/memory/pool?${query}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as string[];
}

/** Creates an account with a template for each create. Returns functions that send them. */
async function prepareCreates({ origin }: RunningService, names: string[]): Promise<(() => Promise<string>)[]> {
  const prepare = async (name: string) => {
    const made = await fetch(`${origin}/memory/tenant?create=${encodeURIComponent(name)}`);
    const { key, templateId } = (await made.json()) as Tenant;
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const body = JSON.stringify({ templateId, data: largeCreates[name]?.data() });
    return async () => {
      const response = await fetch(`${origin}/api/v1/documents`, { method: "POST", headers, body });
      const { error } = (await response.json()) as { error?: { message: string } };
      return `${name}: ${response.status}${response.status === 422 && error?.message === nothingRendered ? "" : ` ${error?.message}`}`;
    };
  };
  return Promise.all(names.map(prepare));
}
