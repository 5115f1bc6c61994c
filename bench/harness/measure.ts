// Measures response times and throughput. `latency` calls two implementations of the same work alternately, so that
// changes in the machine's speed affect both.
import { median } from "./statistics.ts";

export type Work = () => Promise<void>;
/** The results of bare puppeteer and of the service, in the same unit. */
export type Pair = { bare: number; service: number };

/** The maximum number of rounds before those that are measured. */
export const maxWarmUpRounds = 10;

/** Returns the median response times of both implementations in ms. Only one call runs at a time. */
export async function latency(rounds: number, bare: Work, service: Work): Promise<Pair> {
  const times: { bare: number[]; service: number[] } = { bare: [], service: [] };
  for (let round = -Math.min(maxWarmUpRounds, Math.ceil(rounds / 4)); round < rounds; round++) {
    const [bareMs, serviceMs] = [await timed(bare), await timed(service)];
    if (round < 0) continue;
    times.bare.push(bareMs);
    times.service.push(serviceMs);
  }
  return { bare: median(times.bare), service: median(times.service) };
}

async function timed(work: Work): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/**
 * Lets the concurrent callers make calls for `forMs`, and returns the number of completed calls per second. `n` is the
 * number of the call, counted from 0.
 */
export async function throughput(callers: number, forMs: number, call: (n: number) => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  let started = 0;
  let done = 0;
  const caller = async () => {
    while (performance.now() - startedMs < forMs) {
      await call(started++);
      done++;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return (done * 1000) / (performance.now() - startedMs);
}

/**
 * Makes `count` calls in total, divided among the concurrent callers. `n` is the number of the call, counted from 0.
 */
export async function repeated(callers: number, count: number, call: (n: number) => Promise<void>): Promise<void> {
  let started = 0;
  const caller = async () => {
    while (started < count) await call(started++);
  };
  await Promise.all(Array.from({ length: callers }, caller));
}

/** Returns the number of concurrent callers, at most 8, that reached the highest throughput in a short trial. */
export async function bestConcurrency(call: () => Promise<void>): Promise<number> {
  const rates: { callers: number; rate: number }[] = [];
  for (const callers of [1, 2, 3, 4, 6, 8]) {
    await throughput(callers, 500, call);
    rates.push({ callers, rate: await throughput(callers, 1_000, call) });
  }
  return rates.toSorted((a, b) => b.rate - a.rate)[0]?.callers ?? 1;
}

/** Prints both results and the ratio of the second to the first. */
export function showPair(what: string, { bare, service }: Pair): void {
  const ratio = (service / bare).toFixed(2);
  console.log(`${what.padEnd(41)}${bare.toFixed(1).padStart(9)}${service.toFixed(1).padStart(10)}${ratio.padStart(8)}`);
}
