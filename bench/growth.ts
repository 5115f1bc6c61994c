// Measures whether lists, reads and creates slow down as an account grows: an account with 100,000 documents, or as many as
// DOCUMENTS says, beside one with 1,000, alternately, so that changes in the machine's speed affect both. Also a walk through
// all documents while others are created and deleted.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { loadSample, type Sample } from "./harness/samples.ts";
import type { Tenant } from "./harness/seed.ts";
import { postDocument, startService, type BenchService } from "./harness/service.ts";
import { median } from "./harness/statistics.ts";

const rounds = 60;
const warmUpRounds = 10;
const smallCount = 1_000;
const betweenChangesMs = 50;

type Listed = {
  documents: { id: string; createdAt: string }[];
  pagination: { nextCursor: string | null; total: number };
};
type Pair = { small: Tenant; large: Tenant };

/** Prints the table of both accounts, and the walk. `count` is the number of documents of the large account. */
export async function benchGrowth(port: number, count: number): Promise<void> {
  const service = await startService(port, { tenants: 2, samples: ["small-table"] });
  try {
    const [large, small] = service.tenants;
    if (!small) throw new Error("there is no second tenant");
    await seed(service, small, smallCount);
    await seed(service, large, count);
    const sample = await loadSample("small-table", "pdf");
    await compareLists(service, { small, large });
    await compareReadsAndCreates(service, { small, large }, sample);
    await showWalk(service, large, count);
  } finally {
    await service.stop();
  }
}

/** Two of the three templates need not exist: a list does not read them. */
const otherTemplates = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];

async function seed(service: BenchService, { accountId, templateIds }: Tenant, count: number): Promise<void> {
  const startedMs = performance.now();
  const ids = JSON.stringify([...Object.values(templateIds), ...otherTemplates]);
  const env = { ...process.env, ...service.env };
  await promisify(execFile)(process.execPath, ["bench/harness/seed-documents.ts", accountId, ids, String(count)], {
    env,
  });
  console.log(`seeded ${count} documents in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
}

/** Returns queries of the filters. The metadata belong to a tenth, and to a hundred documents. */
function queries({ templateIds }: Tenant): string[] {
  const day = new Date(Date.now() - 24 * 3_600_000).toISOString().slice(0, 10);
  const template = `templateId=${Object.values(templateIds)[0]}`;
  const metadata = ["metadata[tier]=t1", "metadata[customer]=c5"];
  const filters = ["status=completed", "status=failed", "format=png", template, `createdAfter=${day}`, ...metadata];
  return ["", ...filters, `${template}&status=failed`].map((filter) => `?limit=20${filter && `&${filter}`}`);
}

async function compareLists(service: BenchService, { small, large }: Pair): Promise<void> {
  console.log("\np50 in ms                                                                 1,000    large   ratio");
  const [ofSmall, ofLarge] = [queries(small), queries(large)];
  for (const [index, query] of ofSmall.entries()) {
    const other = ofLarge[index] ?? "";
    await compare(shown(query), {
      small: () => list(service, small, query),
      large: () => list(service, large, other),
    });
    const [cursorOfSmall, cursorOfLarge] = [await middle(service, small, query), await middle(service, large, other)];
    await compare(`${shown(query)}, from a cursor on`, {
      small: () => list(service, small, query + cursorOfSmall),
      large: () => list(service, large, other + cursorOfLarge),
    });
  }
}

/** Returns the parameter with a cursor to the page after document 500. */
async function middle(service: BenchService, tenant: Tenant, query: string): Promise<string> {
  const { pagination } = await list(service, tenant, `?limit=1&offset=500&${query.slice(1).replace("limit=20", "")}`);
  return pagination.nextCursor ? `&cursor=${pagination.nextCursor}` : "";
}

function shown(query: string): string {
  return `GET /documents${query.replace("?limit=20", "").replace("&", "?")}`.replace(
    /templateId=[^&]*/,
    "templateId=…",
  );
}

async function compareReadsAndCreates(service: BenchService, { small, large }: Pair, sample: Sample): Promise<void> {
  const read = async (tenant: Tenant) => {
    const [found] = (await list(service, tenant, "?limit=1&offset=500&status=completed")).documents;
    return () => get(service, tenant, `/documents/${found?.id}`);
  };
  await compare("GET /documents/{id}", { small: await read(small), large: await read(large) });
  for (const pairs of [0, 2, 20]) {
    const metadata = Object.fromEntries(Array.from({ length: pairs }, (_, index) => [`key${index}`, `value ${index}`]));
    await compare(`POST /documents with ${pairs} pairs of metadata`, {
      small: () => service.create({ ...sample, metadata }, small),
      large: () => service.create({ ...sample, metadata }, large),
    });
  }
}

async function compare(what: string, work: Record<keyof Pair, () => Promise<unknown>>): Promise<void> {
  const times: Record<keyof Pair, number[]> = { small: [], large: [] };
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const account of round % 2 === 0 ? (["small", "large"] as const) : (["large", "small"] as const)) {
      const startedMs = performance.now();
      await work[account]();
      if (round >= 0) times[account].push(performance.now() - startedMs);
    }
  }
  const [small, large] = [median(times.small), median(times.large)];
  const figures = [small.toFixed(1), large.toFixed(1), (large / small).toFixed(2)].map((text) => text.padStart(8));
  console.log(`${what.padEnd(71)}${figures.join(" ")}`);
}

/** Walks through all documents, and prints how many of those that existed all the time were found, and how often. */
async function showWalk(service: BenchService, tenant: Tenant, count: number): Promise<void> {
  const found = new Map<string, number>();
  const changes = new AbortController();
  const changed = changeMeanwhile(service, tenant, changes.signal);
  const startedMs = performance.now();
  let cursor: string | null = null;
  let pages = 0;
  do {
    const listed: Listed = await list(service, tenant, `?limit=100${cursor ? `&cursor=${cursor}` : ""}`);
    for (const { id } of listed.documents) found.set(id, (found.get(id) ?? 0) + 1);
    cursor = listed.pagination.nextCursor;
    pages++;
  } while (cursor);
  const seconds = (performance.now() - startedMs) / 1000;
  changes.abort();
  const { created, deleted, seeded } = await changed;
  const doubles = [...found.values()].filter((times) => times > 1).length;
  // Documents that the benchmark created may or may not be found, and so may those that it deleted.
  const certain = [...found.keys()].filter((id) => !created.has(id) && !deleted.has(id)).length;
  console.log(
    `\nwalk: ${pages} pages in ${seconds.toFixed(0)} s, while ${created.size} were created and ${deleted.size} deleted;`,
    `found ${certain} of ${seeded - deleted.size} that existed all the time, ${doubles} of them more than once`,
  );
  if (certain !== seeded - deleted.size || doubles > 0)
    throw new Error(`the walk over ${count} documents is not complete`);
}

type Changes = { created: Set<string>; deleted: Set<string>; seeded: number };

/** Creates documents, and deletes others anywhere in the list, until the signal aborts. */
async function changeMeanwhile(service: BenchService, tenant: Tenant, signal: AbortSignal): Promise<Changes> {
  const { pagination } = await list(service, tenant, "?limit=1");
  const changes: Changes = { created: new Set(), deleted: new Set(), seeded: pagination.total };
  const sample = await loadSample("small-table", "pdf");
  for (let round = 0; !signal.aborted; round++) {
    const response = await postDocument(service.origin, tenant, sample);
    if (response.status !== 201) throw new Error(await response.text());
    changes.created.add(((await response.json()) as { data: { id: string } }).data.id);
    const offset = (round * 7_919) % changes.seeded;
    const [other] = (await list(service, tenant, `?limit=1&offset=${offset}`)).documents;
    if (other && !changes.created.has(other.id)) {
      await get(service, tenant, `/documents/${other.id}`, "DELETE");
      changes.deleted.add(other.id);
    }
    await new Promise((resolve) => setTimeout(resolve, betweenChangesMs));
  }
  return changes;
}

function list(service: BenchService, tenant: Tenant, query: string): Promise<Listed> {
  return get<Listed>(service, tenant, `/documents${query}`);
}

async function get<T>({ origin }: BenchService, { key }: Tenant, path: string, method = "GET"): Promise<T> {
  const response = await fetch(`${origin}/api/v1${path}`, { method, headers: { Authorization: `Bearer ${key}` } });
  if (response.status !== 200) throw new Error(await response.text());
  return ((await response.json()) as { data: T }).data;
}
