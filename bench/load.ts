// Measures the service under a burst of creates and under a long sequence of creates.
import { repeated, throughput } from "./harness/measure.ts";
import { footprint } from "./harness/processes.ts";
import type { Sample } from "./harness/samples.ts";
import { postDocument, type BenchService } from "./harness/service.ts";

const respondWithinMs = 30_000;
const recoveredWithinMs = 10_000;

/**
 * Sends `count` creates at once, distributed evenly among the accounts. Then measures the throughput until it reaches
 * 80 % of its value before the burst, or until ten seconds have passed.
 */
export async function benchBurst(service: BenchService, sample: Sample, count: number): Promise<void> {
  const speed = (forMs: number) => throughput(8, forMs, () => service.create(sample));
  await speed(1_000);
  const before = await speed(3_000);
  const responses = await Promise.all(Array.from({ length: count }, (_, n) => timedCreate(service, sample, n)));
  const endedMs = performance.now();
  const slowest = Math.max(...responses.map(({ ms }) => ms));
  const outside = responses.filter(({ isEnveloped }) => !isEnveloped).length;
  let after = 0;
  while (after < 0.8 * before && performance.now() - endedMs < recoveredWithinMs) after = await speed(1_000);
  const counts = Map.groupBy(responses, ({ status }) => status);
  const statuses = [...counts].map(([status, { length }]) => `${length} x ${status}`).join(", ");
  console.log(`${count} creates at once: ${statuses}; the slowest response took ${(slowest / 1000).toFixed(1)} s`);
  console.log(
    `  responses that took more than ${respondWithinMs / 1000} s: ${responses.filter(({ ms }) => ms > respondWithinMs).length}`,
  );
  console.log(`  responses without the envelope: ${outside}`);
  console.log(`  documents/s: ${before.toFixed(1)} before the burst, ${after.toFixed(1)} after it`);
}

async function timedCreate({ origin, tenants }: BenchService, sample: Sample, n: number) {
  const startedMs = performance.now();
  const tenant = tenants[n % tenants.length];
  if (!tenant) throw new Error("there are no accounts");
  const response = await postDocument(origin, tenant, sample);
  const body = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  const isEnveloped = body !== null && "success" in body && "meta" in body && ("data" in body || "error" in body);
  return { status: response.status, ms: performance.now() - startedMs, isEnveloped };
}

/**
 * Creates the documents, and prints the memory and the number of open browser contexts several times. First sends
 * 10,000 requests that render nothing, because the simulator's isolates grow during their first 10,000 requests. That
 * growth must not be attributed to renders.
 */
export async function benchSoak(service: BenchService, sample: Sample, renders: number): Promise<void> {
  const { origin, tenants } = service;
  const report = async (what: string) => console.log(`after ${what}: ${await footprint(service.pid)}`);
  await repeated(8, 10_000, async () => void (await (await fetch(`${origin}/healthz`)).text()));
  await report("10,000 requests without a render");
  let done = 0;
  for (const stop of [...[1_000, 2_000, 5_000].filter((count) => count < renders), renders]) {
    await repeated(8, stop - done, (n) => service.create(sample, tenants[n % tenants.length]));
    done = stop;
    await report(`${done} renders`);
  }
}
