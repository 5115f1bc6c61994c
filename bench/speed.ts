// Compares the speed of the service with that of bare puppeteer, for one caller, for eight callers of one account, and
// for eight callers of many accounts.
import type { BareRenderer } from "./harness/bare.ts";
import { bestConcurrency, latency, throughput, type Pair } from "./harness/measure.ts";
import type { Sample } from "./harness/samples.ts";
import type { BenchService } from "./harness/service.ts";
import { median } from "./harness/statistics.ts";

export type Compared = { service: BenchService; bare: BareRenderer };

const callers = 8;
const rounds = 5;
const roundMs = 2_000;

/** Returns the median response times in ms with a single caller, after a warm-up. */
export function oneCaller({ service, bare }: Compared, sample: Sample, rounds: number): Promise<Pair> {
  return latency(
    rounds,
    () => bare.render(sample),
    () => service.create(sample),
  );
}

/** The same, except that bare puppeteer also prints the headers and footers. */
export function oneCallerTwoPrints({ service, bare }: Compared, sample: Sample, rounds: number): Promise<Pair> {
  return latency(
    rounds,
    () => bare.printTwice(sample),
    () => service.create(sample),
  );
}

/**
 * Returns the number of documents created per second. The service has eight callers of one account. Bare puppeteer has
 * the number of callers that was fastest in a short trial.
 */
export async function oneAccount({ service, bare }: Compared, sample: Sample): Promise<Pair> {
  const bareCall = () => bare.render(sample);
  const bareCallers = await bestConcurrency(bareCall);
  return alternating(
    () => throughput(bareCallers, roundMs, bareCall),
    () => throughput(callers, roundMs, () => service.create(sample)),
  );
}

/**
 * Returns the number of documents created per second. The service has eight callers, which create documents for all
 * accounts in turn. Bare puppeteer opens a new context for each document, and has the number of callers that was
 * fastest in a short trial.
 */
export async function manyAccounts({ service, bare }: Compared, sample: Sample): Promise<Pair> {
  const { tenants } = service;
  const bareCall = () => bare.renderInFreshContext(sample);
  const bareCallers = await bestConcurrency(bareCall);
  return alternating(
    () => throughput(bareCallers, roundMs, bareCall),
    () => throughput(callers, roundMs, (n) => service.create(sample, tenants[n % tenants.length])),
  );
}

async function alternating(bare: () => Promise<number>, service: () => Promise<number>): Promise<Pair> {
  const rates: { bare: number[]; service: number[] } = { bare: [], service: [] };
  await service(); // The warm-up.
  for (let round = 0; round < rounds; round++) {
    rates.bare.push(await bare());
    rates.service.push(await service());
  }
  return { bare: median(rates.bare), service: median(rates.service) };
}
