// Calculates how long a create takes on the platform, for callers in five regions, and names the hop that takes longest.
// Nothing is measured here, because no account was at hand: the round trips are assumptions, and the work is taken from the
// table "Where the time goes" in docs/performance.md. The way between the caller and the Worker is left out.
import { hostOf, type HostRegion, type Region } from "../src/core/region.ts";

/** Round trips in ms between large cities of the regions: what public clouds publish for their own networks, rounded. */
const roundTrips: Partial<Record<`${Region} ${Region}`, number>> = {
  "weur eeur": 25,
  "weur enam": 80,
  "weur wnam": 140,
  "weur apac": 165,
  "weur oc": 260,
  "weur sam": 190,
  "eeur enam": 105,
  "eeur wnam": 165,
  "eeur apac": 175,
  "eeur oc": 285,
  "eeur sam": 215,
  "enam wnam": 65,
  "enam apac": 220,
  "enam oc": 200,
  "enam sam": 115,
  "wnam apac": 170,
  "wnam oc": 140,
  "wnam sam": 175,
  "apac oc": 95,
  "apac sam": 330,
  "oc sam": 300,
};
/** A round trip inside a region, for example from a Worker in Madrid to an object in Amsterdam. */
const insideMs = 15;

/** The work of a create of the invoice, in ms: a row of the table in docs/performance.md. */
const work = { browser: 50, put: 8, d1: 3, quota: 1, liquid: 10 };
/** Round trips between the pool and its browser: for a document with a header or footer, and to prepare a new browser. */
const browserTrips = { render: 3, prepare: 6 };
/** The platform documents 2 to 4 s. */
const launchMs = 3_000;

const callers: Region[] = ["weur", "enam", "sam", "apac", "oc"];

/**
 * Where the parts are that a create needs. D1's primary database and the buckets are in `data`. If `readsAhead`, the template
 * comes from a replica of D1, and its content is read while the hold is reserved.
 */
type Layout = { data: HostRegion; pool: HostRegion; home: HostRegion; readsAhead: boolean };

/** One after the other. What happens at the same time as a longer step is left out. */
type Step = { name: string; ms: number };

/** Prints two tables: with all objects where the first caller was, and with an own pool and a home in each region. */
export function printRegions(): void {
  const data: HostRegion = "weur";
  console.log(
    `D1 and the buckets are in ${data}. Times of a create in ms, without the way from the caller to the Worker.`,
  );
  printTable("all pools and the account's object where the first caller was", () => {
    return { data, pool: data, home: data, readsAhead: false };
  });
  printTable("a pool in each region, the account at home in its callers' region, replicas of D1", (caller) => {
    return { data, pool: hostOf(caller), home: hostOf(caller), readsAhead: true };
  });
}

function printTable(title: string, layoutOf: (caller: Region) => Layout): void {
  console.log(`\n${title}\n`);
  console.log(
    "| caller in | warm | longest hop | new Worker, warm browser | cold | longest hop |\n|---|---|---|---|---|---|",
  );
  for (const caller of callers) {
    const layout = layoutOf(caller);
    const [warm, newWorker, cold] = [
      warmSteps(caller, layout),
      [...lookups(caller, layout), ...warmSteps(caller, layout)],
      [...lookups(caller, layout), ...launch(), ...warmSteps(caller, layout)],
    ];
    const cells = [caller, total(warm), longest(warm), total(newWorker), total(cold), longest(cold)];
    console.log(`| ${cells.join(" | ")} |`);
  }
}

/** The steps that a Worker with warm caches takes while the pool has a warm page. */
function warmSteps(caller: Region, { data, pool, home }: Layout): Step[] {
  return [
    { name: "reserve in the quota object", ms: between(caller, home) + work.quota },
    { name: "Liquid", ms: work.liquid },
    { name: "call of the pool", ms: between(caller, pool) },
    { name: "render in the browser", ms: browserTrips.render * insideMs + work.browser },
    { name: "put into R2", ms: between(pool, data) + work.put },
    { name: "insert into D1", ms: between(caller, data) + work.d1 },
  ];
}

/** What a new Worker reads first. Afterwards, it is cached. */
function lookups(caller: Region, { data, home, readsAhead }: Layout): Step[] {
  const content = between(caller, data) + work.put;
  const reserve = between(caller, home) + work.quota;
  return [
    { name: "key in D1", ms: between(caller, data) + work.d1 },
    { name: "template in D1", ms: between(caller, readsAhead ? hostOf(caller) : data) + work.d1 },
    { name: "template's content from R2", ms: readsAhead ? Math.max(0, content - reserve) : content },
  ];
}

function launch(): Step[] {
  return [
    { name: "launch of a browser", ms: launchMs },
    { name: "preparation of the browser", ms: browserTrips.prepare * insideMs },
  ];
}

function between(a: Region, b: Region): number {
  if (a === b) return insideMs;
  const known = roundTrips[`${a} ${b}`] ?? roundTrips[`${b} ${a}`];
  if (known === undefined) throw new Error(`no round trip between ${a} and ${b}`);
  return known;
}

function total(steps: Step[]): number {
  return steps.reduce((sum, { ms }) => sum + ms, 0);
}

function longest(steps: Step[]): string {
  const [first] = steps.toSorted((a, b) => b.ms - a.ms);
  return first ? `${first.name} (${first.ms})` : "";
}
