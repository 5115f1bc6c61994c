// Measures how much memory the largest documents take in a pool and in the Worker. In a local run, both are in one isolate, so
// each is measured while the other has nothing to keep.
import { startService, type BenchService } from "../harness/service.ts";
import { inspectMemory, type MemoryInspector } from "./inspector.ts";

const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1).padStart(7)} MB`;

/** What is rendered at the same time. */
const mixes: Record<string, string[]> = {
  "one large input": ["large input"],
  "one large PDF": ["large PDF"],
  "one large input and PDF": ["large input and PDF"],
  "one large PNG": ["large PNG"],
  "the worst mix": [
    ...Array<string>(4).fill("large input and PDF"),
    ...Array<string>(3).fill("large PNG"),
    ...Array<string>(3).fill("large PDF"),
    ...Array<string>(6).fill("small"),
  ],
};

export async function benchMemory(port: number, inspectorPort: number): Promise<void> {
  const variables = { WORKER_MAIN: "bench/memory/worker.ts", INSPECTOR_PORT: String(inspectorPort) };
  const service = await startService(port, { variables });
  const inspector = await inspectMemory(inspectorPort);
  try {
    await render(service, ["small"]);
    console.log(`idle, after one document ${mb((await inspector.sample()).bytes)}`);
    for (const [name, documents] of Object.entries(mixes)) await benchMix(service, inspector, { name, documents });
  } finally {
    inspector.close();
    await service.stop();
  }
}

async function benchMix(
  service: BenchService,
  inspector: MemoryInspector,
  { name, documents }: { name: string; documents: string[] },
): Promise<void> {
  const work = render(service, documents);
  const peaks = await inspector.watch(work);
  console.log(`\n${name}: ${mb(Math.max(...peaks.values()))}  (${(await work).join(", ")})`);
  for (const [stage, bytes] of peaks) console.log(`  ${stage.padEnd(36)}${mb(bytes)}`);
}

async function render(service: BenchService, documents: string[]): Promise<string[]> {
  const query = new URLSearchParams(documents.map((name) => ["document", name]));
  const response = await fetch(`${service.origin}/memory/pool?${query}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as string[];
}
