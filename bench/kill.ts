// Creates documents with four callers while Chromium is killed every ten seconds. Reports how many creates succeed and
// how long the slowest failed create takes. Also reports the used renders and the completed documents. If the quota is
// correct, these two numbers are equal.
import { median } from "./harness/statistics.ts";
import { browsersBelow } from "./harness/processes.ts";
import type { Sample } from "./harness/samples.ts";
import { postDocument, type BenchService } from "./harness/service.ts";

const callers = 4;
const killEveryMs = 10_000;

type Attempt = { status: number; ms: number };
type Usage = { used: number; reserved: number };
type List = { pagination: { total: number } };

export async function benchKills(service: BenchService, sample: Sample, seconds: number): Promise<void> {
  const endsAt = Date.now() + seconds * 1000;
  const [kills, ...attempts] = await Promise.all([
    killRepeatedly(service, endsAt),
    ...Array.from({ length: callers }, () => createUntil(service, sample, endsAt)),
  ]);
  report(kills, attempts.flat());
  await printUsage(service);
}

async function createUntil(service: BenchService, sample: Sample, endsAt: number): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  while (Date.now() < endsAt) {
    const startedMs = performance.now();
    const response = await postDocument(service.origin, service.tenants[0], sample);
    await response.text();
    attempts.push({ status: response.status, ms: performance.now() - startedMs });
  }
  return attempts;
}

async function killRepeatedly(service: BenchService, endsAt: number): Promise<number> {
  let kills = 0;
  for (let at = Date.now() + killEveryMs; at < endsAt; at += killEveryMs) {
    await new Promise((resolve) => setTimeout(resolve, at - Date.now()));
    for (const pid of await browsersBelow(service.pid)) {
      process.kill(pid, "SIGKILL");
      kills++;
    }
  }
  return kills;
}

function report(kills: number, attempts: Attempt[]): void {
  const failed = attempts.filter(({ status }) => status !== 201);
  const share = 100 * (1 - failed.length / attempts.length);
  const counts = Map.groupBy(failed, ({ status }) => status);
  const statuses = [...counts].map(([status, { length }]) => `${length} x ${status}`).join(", ");
  const slowest = (of: Attempt[]) => Math.round(Math.max(0, ...of.map(({ ms }) => ms)));
  console.log(`Chromium killed ${kills} times while ${callers} callers created documents:`);
  console.log(`  ${attempts.length} creates, ${share.toFixed(2)} % succeeded`);
  console.log(`  failures: ${statuses || "none"}; the slowest took ${slowest(failed)} ms`);
  console.log(
    `  all: p50 ${Math.round(median(attempts.map(({ ms }) => ms)))} ms; the slowest took ${slowest(attempts)} ms`,
  );
}

/** Prints the usage. Waits two seconds first, because holds are committed after the response has been sent. */
async function printUsage({ origin, tenants }: BenchService): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const read = async <T>(path: string) => {
    const headers = { Authorization: `Bearer ${tenants[0].key}` };
    return ((await (await fetch(`${origin}/api/v1${path}`, { headers })).json()) as { data: T }).data;
  };
  const { used, reserved } = await read<Usage>("/usage");
  const { pagination } = await read<List>("/documents?status=completed&limit=1");
  console.log(`  quota: ${used} used, ${reserved} reserved, ${pagination.total} documents completed`);
}
