// Measures the service under a long sequence of creates.
import { repeated } from "./harness/measure.ts";
import { footprint } from "./harness/processes.ts";
import type { Sample } from "./harness/samples.ts";
import type { BenchService } from "./harness/service.ts";

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
