// Measures the service under a burst: many creates at once, on one browser. A client that is refused comes back after the
// time in `Retry-After`, as often as necessary.
import { throughput } from "./harness/measure.ts";
import type { Sample } from "./harness/samples.ts";
import { postDocument, startService, type BenchService } from "./harness/service.ts";
import { median, percentile } from "./harness/statistics.ts";

const accounts = 64;
const recoveredWithinMs = 10_000;
/** Clients give up after this time, so that a service that refuses for ever ends the benchmark. */
const giveUpAfterMs = 900_000;

type Attempt = { status: number; ms: number; retryAfterSeconds: number | null; isEnveloped: boolean };

/**
 * Sends `count` creates at once, distributed evenly among accounts on the Pro plan, and prints what the clients and the
 * Worker have measured. The Worker measures from the moment at which it receives a request, so its times do not include
 * the time that a request waits in the simulator in front of it.
 */
export async function benchBurst(port: number, sample: Sample, count: number): Promise<void> {
  const variables = { WORKER_MAIN: "bench/worker.ts" };
  const service = await startService(port, { tenants: accounts, plan: "pro", samples: ["small-table"], variables });
  try {
    const speed = (forMs: number) =>
      throughput(8, forMs, (n) => service.create(sample, service.tenants[n % service.tenants.length]));
    await speed(1_000);
    const before = await speed(3_000);
    await takeTimes(service);
    const startedMs = performance.now();
    console.log(`${count} creates at once for ${accounts} accounts on the Pro plan:`);
    const clients = Array.from({ length: count }, (_, n) => new Client(service, sample, n));
    showFirst(await Promise.all(clients.map((client) => client.first)));
    const all = await Promise.all(clients.map((client) => client.ended));
    const endedMs = performance.now();
    showAll(all, endedMs - startedMs);
    await showWorker(service);
    let after = 0;
    while (after < 0.8 * before && performance.now() - endedMs < recoveredWithinMs) after = await speed(1_000);
    console.log(`  documents/s: ${before.toFixed(1)} before the burst, ${after.toFixed(1)} after it`);
  } finally {
    await service.stop();
  }
}

/** Sends a create until it is not refused any more. */
class Client {
  readonly first: Promise<Attempt>;
  /** All attempts. */
  readonly ended: Promise<Attempt[]>;

  constructor(service: BenchService, sample: Sample, n: number) {
    this.first = timedCreate(service, sample, n);
    this.ended = this.first.then((attempt) => comeBack(attempt, () => timedCreate(service, sample, n)));
  }
}

async function comeBack(first: Attempt, create: () => Promise<Attempt>): Promise<Attempt[]> {
  const attempts = [first];
  const startedMs = performance.now();
  for (let last = first; last.retryAfterSeconds !== null && performance.now() - startedMs < giveUpAfterMs;) {
    const pauseMs = last.retryAfterSeconds * 1000;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    last = await create();
    attempts.push(last);
  }
  return attempts;
}

async function timedCreate({ origin, tenants }: BenchService, sample: Sample, n: number): Promise<Attempt> {
  const startedMs = performance.now();
  const tenant = tenants[n % tenants.length] ?? tenants[0];
  const response = await postDocument(origin, tenant, sample);
  const body = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  const isEnveloped = body !== null && "success" in body && "meta" in body && ("data" in body || "error" in body);
  const retryAfter = response.headers.get("Retry-After");
  const retryAfterSeconds = retryAfter === null ? null : Number(retryAfter);
  return { status: response.status, ms: performance.now() - startedMs, retryAfterSeconds, isEnveloped };
}

function showFirst(attempts: Attempt[]): void {
  const slowest = Math.max(...attempts.filter(({ status }) => status === 201).map(({ ms }) => ms));
  console.log(`  first responses: ${tally(attempts)}; the slowest 201 took ${seconds(slowest)} for its client`);
  const completed = Array.from(
    { length: accounts },
    (_, account) => attempts.filter(({ status }, n) => status === 201 && n % accounts === account).length,
  );
  console.log(`  completed at the first attempt: ${Math.min(...completed)} to ${Math.max(...completed)} by account`);
}

function showAll(clients: Attempt[][], totalMs: number): void {
  const all = clients.flat();
  const retryTimes = all.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
  console.log(`  last responses: ${tally(clients.flatMap((attempts) => attempts.at(-1) ?? []))}`);
  console.log(`  all responses: ${tally(all)}; without the envelope: ${all.filter((a) => !a.isEnveloped).length}`);
  console.log(`  attempts of a client: at most ${Math.max(...clients.map(({ length }) => length))}`);
  if (retryTimes.length > 0)
    console.log(
      `  Retry-After: ${Math.min(...retryTimes)} to ${Math.max(...retryTimes)} s, median ${median(retryTimes)} s`,
    );
  console.log(`  all clients had ended after ${seconds(totalMs)}`);
}

/** Prints the response times that the Worker has measured, by status. */
async function showWorker(service: BenchService): Promise<void> {
  for (const [name, times] of Object.entries(await takeTimes(service))) {
    const status = /^response (\d+)$/.exec(name)?.[1];
    if (!status) continue;
    const [middle, high, slowest] = [median(times), percentile(times, 0.95), Math.max(...times)].map(seconds);
    console.log(`  ${status} in the Worker: median ${middle}, 95 % within ${high}, slowest ${slowest}`);
  }
}

/** Returns the durations that the Worker has measured since the last call, by name. */
async function takeTimes({ origin }: BenchService): Promise<Record<string, number[]>> {
  return (await (await fetch(`${origin}/timings`)).json()) as Record<string, number[]>;
}

function tally(attempts: Attempt[]): string {
  const counts = Map.groupBy(attempts, ({ status }) => status);
  return [...counts].map(([status, { length }]) => `${length} x ${status}`).join(", ");
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
