// Measures the service under a burst: many creates at once, on one browser. A client that is refused comes back after the
// time in `Retry-After`, as often as necessary.
import { throughput } from "./harness/measure.ts";
import { loadSample, type Sample } from "./harness/samples.ts";
import { startWithTenants, type TenantsService } from "./harness/service.ts";
import { median, percentile } from "./harness/statistics.ts";

const accounts = 64;
const recoveredWithinMs = 10_000;
/** Clients give up after this time, so that a service that refuses for ever ends the benchmark. */
const giveUpAfterMs = 900_000;

/** `workerMs` is the time from the moment at which the Worker received the request, without the wait in the simulator before it. */
type Attempt = { status: number; ms: number; workerMs: number; retryAfterSeconds: number | null; isEnveloped: boolean };

/**
 * Sends `count` creates at once, distributed evenly among accounts on the Pro plan, and prints what the clients and the
 * Worker have measured.
 */
export async function benchBurst(count: number): Promise<void> {
  const sample = await loadSample("bench/small-table", "pdf");
  const service = await startWithTenants({ tenants: accounts, plan: "pro", folders: [sample.folder] });
  try {
    const speed = (forMs: number) => throughput(8, forMs, (n) => service.create(sample, n));
    await speed(1_000);
    const before = await speed(3_000);
    const startedMs = performance.now();
    console.log(`${count} creates at once for ${accounts} accounts on the Pro plan:`);
    const clients = Array.from({ length: count }, (_, n) => new Client(service, sample, n));
    showFirst(await Promise.all(clients.map((client) => client.first)));
    const all = await Promise.all(clients.map((client) => client.ended));
    const endedMs = performance.now();
    showAll(all, endedMs - startedMs);
    showWorker(all.flat());
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

  constructor(service: TenantsService, sample: Sample, n: number) {
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

async function timedCreate(service: TenantsService, sample: Sample, n: number): Promise<Attempt> {
  const startedMs = performance.now();
  const response = await service.post(sample, n);
  const body = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  const isEnveloped = body !== null && "success" in body && "meta" in body && ("data" in body || "error" in body);
  const retryAfter = response.headers.get("Retry-After");
  const retryAfterSeconds = retryAfter === null ? null : Number(retryAfter);
  const workerMs = Number(/total;dur=([\d.]+)/.exec(response.headers.get("Server-Timing") ?? "")?.[1]);
  return { status: response.status, ms: performance.now() - startedMs, workerMs, retryAfterSeconds, isEnveloped };
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

function showWorker(attempts: Attempt[]): void {
  for (const [status, some] of Map.groupBy(attempts, (attempt) => attempt.status)) {
    const times = some.map(({ workerMs }) => workerMs);
    const [middle, high, slowest] = [median(times), percentile(times, 0.95), Math.max(...times)].map(seconds);
    console.log(`  ${status} in the Worker: median ${middle}, 95 % within ${high}, slowest ${slowest}`);
  }
}

function tally(attempts: Attempt[]): string {
  const counts = Map.groupBy(attempts, ({ status }) => status);
  return [...counts].map(([status, { length }]) => `${length} x ${status}`).join(", ");
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
