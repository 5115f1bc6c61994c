// Models the service at 10, 100 and 1,000 creates a second, for one account and for ten thousand: what an operator sets, how busy each
// part is then, and which parts have too much. The model is fed with the processor time of creates on this machine, the
// size of rows, and the platform's documented rates. It knows averages only: no bursts, no distances, no outages.
import { processorDuring } from "./harness/processes.ts";
import { loadSample } from "./harness/samples.ts";
import { startWithTenants } from "./harness/service.ts";
import { rowSizes } from "./row-sizes.ts";
import { profiler } from "./stages.ts";

const inspectorPort = 8896;
const tenants = 64;
const calls = 192;
/** Above this utilisation of a part, waits begin to grow. */
const busyShare = 0.7;

/** Rates per second, each from the pessimistic to the optimistic end. docs/scaling.md names their sources. */
const platform = {
  writesOfAnObject: [200, 500],
  writesOfADatabase: [100, 300],
  bytesOfADatabase: 10e9,
  browsers: 200,
  /** How many times longer than here a browser of the platform takes. */
  browserFactor: [3, 1],
} as const;

/** The resources of a part that one create with a delivered webhook needs; docs/performance.md explains the counts. */
const writesOfACreate = { quota: 2, sender: 2, database: 2 };

/** Processor time of one create in ms; `pool` and `quota` contain their share of the runtime's own time. */
type Costs = { worker: number; quota: number; pool: number; browser: number };

export async function benchScale(): Promise<void> {
  const [one, many] = await measureCosts();
  const { expiring, event } = rowSizes();
  const bytes = expiring + event;
  console.log("ms of a create: Worker, quota object, pool object, browser; bytes in D1");
  for (const [name, costs] of Object.entries({ "one account": one, "many accounts": many }))
    console.log(`${name.padEnd(16)}${Object.values(costs).map(format).join("")}${String(bytes).padStart(8)}`);
  for (const rate of [10, 100, 1_000]) showScenario(1, rate, one, bytes);
  for (const rate of [10, 100, 1_000]) showScenario(10_000, rate, many, bytes);
}

function showScenario(accounts: number, rate: number, costs: Costs, bytes: number): void {
  const browserMs = costs.browser * platform.browserFactor[0];
  const pools = Math.min(platform.browsers, Math.ceil((rate * browserMs) / 1000 / busyShare));
  const databases =
    accounts === 1 ? 1 : Math.ceil((rate * writesOfACreate.database) / platform.writesOfADatabase[0] / busyShare);
  const days = (databases * platform.bytesOfADatabase) / (rate * bytes * 86_400);
  const ofAccount = rate / accounts;
  const browserRates = platform.browserFactor.map((factor) => 1000 / (costs.browser * factor));
  const parts = {
    "quota object": shares(ofAccount * writesOfACreate.quota, platform.writesOfAnObject),
    "webhook sender": shares(ofAccount * writesOfACreate.sender, platform.writesOfAnObject),
    "pool object": shares(rate / pools, [1000 / costs.pool]),
    browser: shares(rate / pools, browserRates),
    database: shares((rate * writesOfACreate.database) / databases, platform.writesOfADatabase),
  };
  console.log(`\n${accounts} accounts, ${rate} creates a second: ${pools} pools, ${databases} databases`);
  console.log(`  the databases are full after ${days.toFixed(1)} days`);
  for (const [part, [most = 0, ...least]] of Object.entries(parts)) {
    const remark = most > busyShare + 0.005 ? "  too much" : "";
    console.log(`  ${part.padEnd(16)}${[most, ...least].map(percent).join("")}${remark}`);
  }
}

function shares(perSecond: number, rates: readonly number[]): number[] {
  return rates.map((rate) => perSecond / rate);
}

/** Returns the costs of creates for one account, and for many in turn, whose pages are seldom warm. */
async function measureCosts(): Promise<[Costs, Costs]> {
  const sample = await loadSample("templates/invoice", "pdf");
  const variables = { INSPECTOR_PORT: String(inspectorPort) };
  const service = await startWithTenants({ tenants, folders: [sample.folder], variables });
  try {
    const profile = await profiler(inspectorPort);
    const measure = async (accounts: number): Promise<Costs> => {
      const creates = async () => {
        for (let call = 0; call < calls; call++) await service.create(sample, call % accounts);
      };
      await creates();
      const processes = await processorDuring(service.process.pid ?? 0, creates);
      const used = (kind: string) => (processes[kind] ?? 0) / calls;
      const byStage = await profile(creates);
      const profiled = Object.values(byStage).reduce((sum, ms) => sum + ms, 0);
      const shareOf = (...stages: string[]) => stages.reduce((sum, stage) => sum + (byStage[stage] ?? 0), 0) / profiled;
      const quota = used("workerd") * shareOf("reserve");
      const pool = used("workerd") * shareOf("put", "assembly", "browser");
      return { worker: used("workerd") - quota - pool, quota, pool, browser: used("page") + used("browser") };
    };
    return [await measure(1), await measure(tenants)];
  } finally {
    await service.stop();
  }
}

function format(ms: number): string {
  return ms.toFixed(1).padStart(8);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`.padStart(10);
}
