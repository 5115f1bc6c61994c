// Compares the speed of commits. Their services run at the same time and are called alternately, so that changes in the machine's
// speed affect all of them.
import { comparedSamples, inTurn, prepareCheckout, startCheckout, type CheckoutService } from "./harness/checkout.ts";
import { median, responseMs, throughput } from "./harness/measure.ts";
import { processorDuring } from "./harness/processes.ts";

const callsInRound = 60;
const callers = 8;
const throughputMs = 3_000;
/** How much longer each call of D1, R2, the queue or an object takes. */
const delaysMs = [0, 10, 20];

/** Compares this checkout with the commits, in medians of `rounds` rounds. */
export async function benchCompare(firstPort: number, commits: string[], rounds: number): Promise<void> {
  const known = Object.keys(comparedSamples);
  const samples = process.env["SAMPLES"]?.split(",") ?? known;
  const unknown = samples.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`there is no sample "${unknown}"; the samples are ${known.join(", ")}`);
  const services: CheckoutService[] = [];
  try {
    for (const [index, name] of [...commits, "."].entries())
      services.push(await startCheckout(await prepareCheckout(name), { name, port: firstPort + index }));
    const names = services.map(({ name }) => name).join(", ");
    console.log(`medians of ${rounds} rounds, and of the ratios to the first: ${names}`);
    for (const sample of samples) await compareSample(services, sample, rounds);
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
}

async function compareSample(services: CheckoutService[], sample: string, rounds: number): Promise<void> {
  await inTurn(services, ({ create }) => throughput(callers, 2 * throughputMs, () => create(sample)));
  const times = delaysMs.map((): number[][] => []);
  const rates: number[][] = [];
  const processors: Record<string, number>[][] = [];
  for (let round = 0; round < rounds; round++) {
    for (const [index, ms] of [...delaysMs.entries()].toReversed()) {
      await inTurn(services, ({ delay }) => delay(ms));
      times[index]?.push(await responseTimes(services, sample));
    }
    rates.push(await inTurn(services, ({ create }) => throughput(callers, throughputMs, () => create(sample))));
    processors.push(await inTurn(services, (service) => processorPerCreate(service, sample)));
  }
  const [plain = [], delayed = [], slowest = []] = times;
  show(`${sample}: p50 ms`, plain);
  show("  with calls that take 10 ms longer", delayed);
  show("  with calls that take 20 ms longer", slowest);
  // A line through equally distant points is as steep as the line through its ends.
  const slopes = plain.map((row, round) => row.map((ms, index) => ((slowest[round]?.[index] ?? NaN) - ms) / 20));
  show("  ms for each ms that calls take longer", slopes);
  show(`  ${callers} callers, documents/s`, rates);
  for (const kind of Object.keys(processors[0]?.[0] ?? {})) {
    const values = processors.map((row) => row.map((ms) => ms[kind] ?? NaN));
    show(`  processor ms of a create: ${kind}`, values);
  }
}

/** Returns the median response time of each service in ms. */
async function responseTimes(services: CheckoutService[], sample: string): Promise<number[]> {
  const calls: number[][] = [];
  for (let call = 0; call < callsInRound; call++)
    calls.push(await inTurn(services, ({ create }) => responseMs(() => create(sample))));
  return services.map((_, index) => median(calls.map((row) => row[index] ?? NaN)));
}

/** Returns the processor time of one create in ms, by the kind of process. */
async function processorPerCreate({ pid, create }: CheckoutService, sample: string): Promise<Record<string, number>> {
  const used = await processorDuring(pid, async () => {
    for (let call = 0; call < callsInRound; call++) await create(sample);
  });
  return Object.fromEntries(Object.entries(used).map(([kind, ms]) => [kind, ms / callsInRound]));
}

/** `rows` has one value per service for each round. */
function show(what: string, rows: number[][]): void {
  const columns = (rows[0] ?? []).map((_, index) => {
    const value = median(rows.map((row) => row[index] ?? NaN));
    const ratio = median(rows.map((row) => (row[index] ?? NaN) / (row[0] ?? NaN)));
    return `${value.toFixed(1).padStart(8)} (${ratio.toFixed(2)})`;
  });
  console.log(`${what.padEnd(40)}${columns.join("")}`);
}
