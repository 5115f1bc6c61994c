// Measures how long each step of a create takes. The time of the simulator's HTTP layer is the response time at the
// caller minus the time inside the Worker. The time of the browser is the time inside the pool minus the time to store
// the file in R2, so it includes the messages to and from the browser.
import type { Sample } from "./harness/samples.ts";
import type { BenchService } from "./harness/service.ts";
import { median } from "./harness/statistics.ts";

const rounds = 40;

export async function benchBreakdown(service: BenchService, sample: Sample): Promise<void> {
  const responseTimes: number[] = [];
  for (let round = -10; round < rounds; round++) {
    if (round === 0) await fetch(`${service.origin}/timings`);
    const startedMs = performance.now();
    await service.create(sample);
    if (round >= 0) responseTimes.push(performance.now() - startedMs);
  }
  const timings = (await (await fetch(`${service.origin}/timings`)).json()) as Record<string, number[]>;
  const took = (name: string) => median(timings[name] ?? []);
  const [request, pool, put] = [took("request"), took("BROWSER_POOL.render"), took("FILES.put")];
  const [reserve, record] = [took("ACCOUNT_QUOTA.reserve"), took("DB.batch")];
  const parts = {
    browser: pool - put,
    "R2 put": put,
    "D1 batch": record,
    reserve,
    "Liquid and the rest": request - pool - record - reserve,
    "simulator's HTTP": median(responseTimes) - request,
  };
  const shown = Object.entries(parts).map(([name, ms]) => `${name} ${ms.toFixed(0)}`);
  console.log(`${sample.name} ${sample.format}, p50 ${median(responseTimes).toFixed(0)} ms: ${shown.join(", ")}`);
}
