// Measures how much memory the largest documents take in a pool and in the Worker. In a local run, both are in one isolate, so
// each is measured while the other holds no documents. The live memory, which remains after a forced garbage collection, includes
// native memory.
import { createServer, type Server } from "node:http";
import { noisePng } from "colophon-test-kit/photo";
import { startService, type RunningService } from "../../test/e2e/service.ts";
import type { Tenant } from "../../test/fixtures/tenant.ts";
import { connectInspector } from "../harness/inspector.ts";
import { imageOrigin, imagePaths, imagePort, largeCreates } from "./creates.ts";
import { largeDocuments, nothingRendered, pictureSidePx } from "./documents.ts";

const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1).padStart(7)} MB`;

/** Documents that are rendered at the same time. */
const mixes: Record<string, string[]> = {
  ...eachAlone(largeDocuments),
  "the worst mix": [
    ...Array<string>(4).fill("large markup and PDF"),
    ...Array<string>(3).fill("large headers"),
    ...Array<string>(3).fill("large PNG"),
    ...Array<string>(3).fill("large markup"),
    ...Array<string>(6).fill("small"),
  ],
};

/** Creates that are sent at the same time. */
const creates: Record<string, string[]> = {
  ...eachAlone(largeCreates),
  "sixteen with large markup": Array<string>(16).fill("large markup"),
  "the worst mix": [
    ...Array<string>(5).fill("large template"),
    ...Array<string>(4).fill("large images"),
    ...Array<string>(16).fill("large markup"),
  ],
};

function eachAlone(large: object): Record<string, string[]> {
  return Object.fromEntries(Object.keys(large).map((name) => [`one: ${name}`, [name]]));
}

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

async function benchMix(
  inspector: Awaited<ReturnType<typeof inspectMemory>>,
  name: string,
  work: Promise<string[]>,
): Promise<void> {
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
    const body = JSON.stringify({ templateId, data: largeCreates[name]?.data?.() ?? {} });
    return async () => {
      const response = await fetch(`${origin}/api/v1/documents`, { method: "POST", headers, body });
      const { error } = (await response.json()) as { error?: { message: string } };
      return `${name}: ${response.status}${response.status === 422 && error?.message === nothingRendered ? "" : ` ${error?.message}`}`;
    };
  };
  return Promise.all(names.map(prepare));
}

/** Samples are in bytes. Their `stage` is the isolate's current work; see `worker.ts`. */
async function inspectMemory(port: number) {
  let contextId: number | undefined;
  const { send, close } = await connectInspector(port, ({ method, params }) => {
    if (method === "Runtime.executionContextCreated") contextId = params?.context?.id;
  });
  await send("Runtime.enable");
  await send("HeapProfiler.enable");
  await send("HeapProfiler.startSampling", { samplingInterval: 1e12 });
  // If a task of the isolate runs between the collection and the reading, its garbage counts. `HeapProfiler.collectGarbage` lets
  // tasks run; a sampling profile collects immediately, and messages that are sent together are nearly always handled together. There
  // are two readings, because the first collection can leave garbage behind.
  const sample = async () => {
    const [, first, , second, evaluated] = await Promise.all([
      send("HeapProfiler.getSamplingProfile"),
      send("Runtime.getHeapUsage"),
      send("HeapProfiler.getSamplingProfile"),
      send("Runtime.getHeapUsage"),
      send("Runtime.evaluate", { expression: "String(globalThis.memoryStage)", contextId }),
    ]);
    const { value } = evaluated["result"] as { value?: unknown };
    return { stage: String(value), bytes: Math.min(usedBytes(first), usedBytes(second)) };
  };
  return {
    sample,
    close,
    /** Samples until `work` settles, as fast as the runtime allows. Returns the largest sample of each stage. */
    async watch(work: Promise<unknown>): Promise<Map<string, number>> {
      const peaks = new Map<string, number>();
      const sampleInto = async () => {
        const { stage, bytes } = await sample();
        peaks.set(stage, Math.max(bytes, peaks.get(stage) ?? 0));
        return false;
      };
      const isOver = Promise.allSettled([work]).then(() => true);
      // The runtime responds to the inspector between two tasks of the isolate.
      while (!(await Promise.race([isOver, sampleInto()])));
      await work;
      return peaks;
    },
  };
}

function usedBytes(usage: Record<string, unknown>): number {
  const { usedSize = 0, embedderHeapUsedSize = 0, backingStorageSize = 0 } = usage;
  return Number(usedSize) + Number(embedderHeapUsedSize) + Number(backingStorageSize);
}
