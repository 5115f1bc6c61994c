// Measures how fast an account's quota object works without renders, and how many binding calls of a create run in
// sequence.
import type { Sample } from "./harness/samples.ts";
import type { BenchService } from "./harness/service.ts";
import { median, slope } from "./harness/statistics.ts";

const delaysMs = [0, 20, 40, 60];
const rounds = 12;

/** Prints how many holds one account can reserve and commit per second. */
export async function benchCycles({ origin }: BenchService): Promise<void> {
  await fetch(`${origin}/cycles?count=1000&parallel=32`);
  const response = (await (await fetch(`${origin}/cycles?count=6000&parallel=32`)).json()) as { ms: number };
  console.log(`reserve + commit, one account: ${Math.round(6_000_000 / response.ms)} cycles/s`);
}

/**
 * Prints how many binding calls of a create run in sequence. The benchmark delays every binding call by the same time.
 * Each call in sequence adds that delay to the response time, but parallel calls add it only once. The slope of the
 * response time over the delay is therefore the number of calls in sequence.
 */
export async function benchHops(service: BenchService, sample: Sample): Promise<void> {
  const points: { x: number; y: number }[] = [];
  for (const delayMs of delaysMs) {
    const observed = (await (await fetch(`${service.origin}/delay?ms=${delayMs}`)).json()) as { ms: number };
    const times: number[] = [];
    for (let round = -4; round < rounds; round++) {
      const startedMs = performance.now();
      await service.create(sample, undefined, { "X-Delay-Ms": String(delayMs) });
      if (round >= 0) times.push(performance.now() - startedMs);
    }
    points.push({ x: observed.ms, y: median(times) });
  }
  const shown = points.map(({ x, y }) => `${x.toFixed(1)} ms: ${y.toFixed(0)} ms`).join(", ");
  console.log(`p50 of a create, by the delay of every binding call: ${shown}`);
  console.log(`  binding calls in sequence (the slope): ${slope(points).toFixed(2)}`);
}
