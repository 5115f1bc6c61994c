// The service beside bare puppeteer: one caller, eight callers, and eight callers of many accounts.
import type { BareRenderer } from "./bare.ts";
import { bestConcurrency, latency, throughput, type Pair } from "./measure.ts";
import type { Sample } from "./samples.ts";
import type { BenchService } from "./service.ts";
import { median } from "./statistics.ts";

export type Contestants = { service: BenchService; bare: BareRenderer };

const callers = 8;
const turns = 5;
const turnMs = 2_000;

/** p50 of one caller in ms, warm. */
export function oneCaller({ service, bare }: Contestants, sample: Sample, rounds: number): Promise<Pair> {
  return latency(
    rounds,
    () => bare.render(sample),
    () => service.create(sample),
  );
}

/** Documents a second of one account with eight callers, beside bare puppeteer with as many pages as serve it best. */
export async function oneAccount({ service, bare }: Contestants, sample: Sample): Promise<Pair> {
  const bareCall = () => bare.render(sample);
  const bareCallers = await bestConcurrency(bareCall);
  return inTurns(
    () => throughput(bareCallers, turnMs, bareCall),
    () => throughput(callers, turnMs, () => service.create(sample)),
  );
}

/** Documents a second of all accounts in turn, beside bare puppeteer with a fresh context for each document. */
export async function manyAccounts({ service, bare }: Contestants, sample: Sample): Promise<Pair> {
  const { tenants } = service;
  const bareCall = () => bare.renderInFreshContext(sample);
  const bareCallers = await bestConcurrency(bareCall);
  return inTurns(
    () => throughput(bareCallers, turnMs, bareCall),
    () => throughput(callers, turnMs, (n) => service.create(sample, tenants[n % tenants.length])),
  );
}

async function inTurns(bare: () => Promise<number>, service: () => Promise<number>): Promise<Pair> {
  const rates: { bare: number[]; service: number[] } = { bare: [], service: [] };
  await service(); // Warms up.
  for (let turn = 0; turn < turns; turn++) {
    rates.bare.push(await bare());
    rates.service.push(await service());
  }
  return { bare: median(rates.bare), service: median(rates.service) };
}
