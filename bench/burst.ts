// Measures the service under a burst: many simultaneous creates on one browser. A refused client retries after the time in
// `Retry-After` until it succeeds.
import { median, seconds, throughput } from "./harness/measure.ts";
import { loadSample, type Sample } from "./harness/samples.ts";
import { startWithTenants, type TenantsService } from "./harness/service.ts";

const accounts = 64;
/** Clients give up after this time, so that the benchmark ends even if the service always refuses. */
const giveUpAfterMs = 900_000;

type Attempt = { status: number; ms: number; retryAfterSeconds: number | null };

/** Sends `count` creates at once, distributed evenly among accounts on the Pro plan, and prints what the clients have measured. */
export async function benchBurst(count: number): Promise<void> {
  const sample = await loadSample("bench/small-table", "pdf");
  const service = await startWithTenants({ tenants: accounts, plan: "pro", folders: [sample.folder] });
  try {
    await throughput(8, 4_000, (n) => service.create(sample, n)); // The warm-up.
    const startedMs = performance.now();
    console.log(`${count} simultaneous creates for ${accounts} accounts on the Pro plan:`);
    const clients = await Promise.all(Array.from({ length: count }, (_, n) => attemptsOf(service, sample, n)));
    show(clients, performance.now() - startedMs);
  } finally {
    await service.stop();
  }
}

/** Sends a create again and again until it is accepted. Returns all attempts. */
async function attemptsOf(service: TenantsService, sample: Sample, n: number): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  const startedMs = performance.now();
  for (;;) {
    const attempt = await timedCreate(service, sample, n);
    attempts.push(attempt);
    if (attempt.retryAfterSeconds === null || performance.now() - startedMs > giveUpAfterMs) return attempts;
    const pauseMs = attempt.retryAfterSeconds * 1000;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

async function timedCreate(service: TenantsService, sample: Sample, n: number): Promise<Attempt> {
  const startedMs = performance.now();
  const response = await service.post(sample, n);
  await response.text();
  const retryAfter = response.headers.get("Retry-After");
  const retryAfterSeconds = retryAfter === null ? null : Number(retryAfter);
  return { status: response.status, ms: performance.now() - startedMs, retryAfterSeconds };
}

function show(clients: Attempt[][], totalMs: number): void {
  const all = clients.flat();
  const first = clients.flatMap((attempts) => attempts[0] ?? []);
  const slowest = Math.max(...first.filter(({ status }) => status === 201).map(({ ms }) => ms));
  const retryTimes = all.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
  console.log(`  first responses: ${tally(first)}; the slowest 201 took ${seconds(slowest)}`);
  console.log(`  last responses: ${tally(clients.flatMap((attempts) => attempts.at(-1) ?? []))}`);
  console.log(`  all responses: ${tally(all)}`);
  console.log(`  attempts of a client: at most ${Math.max(...clients.map(({ length }) => length))}`);
  if (retryTimes.length > 0)
    console.log(`  Retry-After: median ${median(retryTimes)} s, at most ${Math.max(...retryTimes)} s`);
  console.log(`  all clients had ended after ${seconds(totalMs)}`);
}

function tally(attempts: Attempt[]): string {
  const counts = Map.groupBy(attempts, ({ status }) => status);
  return [...counts].map(([status, { length }]) => `${length} x ${status}`).join(", ");
}
