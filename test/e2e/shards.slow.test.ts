// A service with three databases, which its operator has added to `wrangler.toml`. Each has an account with the same work.
import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { cp, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { strayRows, tables } from "../fixtures/census.ts";
import { killBelow } from "./processes.ts";
import { expectNothingLost } from "./serve-load.ts";
import {
  createDocument,
  newAccount,
  pushSample,
  read,
  startService,
  type Account,
  type RunningService,
} from "./service.ts";

type Customer = Account & { body: { templateId: string; data: object; webhookUrl: string }; created: Set<string> };

const numbers = [0, 1, 2];

let folder: string;
let service: RunningService;
let customers: Customer[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "colophon-shards-"));
  for (const name of ["src", "migrations"]) await cp(name, join(folder, name), { recursive: true });
  for (const name of ["dist", "node_modules", "package.json"])
    await symlink(join(process.cwd(), name), join(folder, name));
  const more = numbers
    .slice(1)
    .map(
      (number) =>
        `\n[[d1_databases]]\nbinding = "DB_${number}"\ndatabase_name = "colophon-${number}"\nmigrations_dir = "migrations/shard"\n`,
    );
  await writeFile(join(folder, "wrangler.toml"), (await readFile("wrangler.toml", "utf8")) + more.join(""));
  service = await start(join(folder, "state"));
  customers = await Promise.all(numbers.map((shard) => newCustomer({ shard })));
  for (const customer of customers) await create(customer);
}, 240_000);

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

function start(stateDir: string): Promise<RunningService> {
  // A jurisdiction has no effect on one machine.
  return startService({ RATE_LIMITS: "off", JURISDICTION: "eu" }, stateDir, "serve", folder);
}

async function newCustomer(own: { shard: number; monthlyRenders?: number }): Promise<Customer> {
  const account = await newAccount(service, "enterprise", own);
  const sample = await pushSample(service, account, "bench/one-line");
  return { ...account, body: { ...sample, webhookUrl: "https://example.com/hook" }, created: new Set() };
}

/** Creates a document, and returns the status of the response; 0 is a broken connection. */
async function create(customer: Customer): Promise<number> {
  const response = await createDocument(service, customer, customer.body).catch(() => null);
  const document = (await response?.json().catch(() => null)) as { data: { id: string } } | null;
  if (response?.status === 201 && document) customer.created.add(document.data.id);
  return response?.status ?? 0;
}

function run(command: string, args: string[], env: Record<string, string>): Promise<unknown> {
  return promisify(execFile)(process.execPath, [`src/cli/${command}.ts`, ...args], { env: { ...process.env, ...env } });
}

/** Returns the files of the databases by their numbers. Each has the rows of its customer. */
function databaseFiles(): string[] {
  const files = globSync(join(service.stateDir, "v3/d1/**/[0-9a-f]*.sqlite"));
  return customers.map(({ id }) => files.find((file) => has(file, id)) ?? "");
}

/** Returns true if a table of the database has a row of the account. */
function has(file: string, accountId: string): boolean {
  using database = new DatabaseSync(file, { readOnly: true });
  const rowOf = (table: string) =>
    database.prepare(`SELECT 1 FROM ${table} WHERE account_id = ? LIMIT 1`).get(accountId);
  return tables.some((table) => rowOf(table) !== undefined);
}

async function expectNoStrayRows(): Promise<void> {
  const databases = databaseFiles().map((file) => new DatabaseSync(file, { readOnly: true }));
  const bindings = databases.map((database, number) => [
    number === 0 ? "DB" : `DB_${number}`,
    { prepare: (query: string) => ({ all: async () => ({ results: database.prepare(query).all() }) }) },
  ]);
  expect(await strayRows(Object.fromEntries(bindings))).toEqual([]);
  for (const database of databases) database.close();
}

it.each(numbers)("the smoke test passes with an account in shard %i", async (shard) => {
  const account = await newAccount(service, "enterprise", { shard });
  await pushSample(service, account, "templates/invoice");

  await run("smoke", [service.origin], { COLOPHON_KEY: account.key });
});

it("with five renders left, exactly five of twelve parallel creates complete in each shard", async () => {
  const racers = await Promise.all(numbers.map((shard) => newCustomer({ shard, monthlyRenders: 5 })));

  const statuses = await Promise.all(
    racers.map((racer) => Promise.all(Array.from({ length: 12 }, () => create(racer)))),
  );

  const expected = [...Array.from({ length: 5 }, () => 201), ...Array.from({ length: 7 }, () => 429)];
  expect(statuses.map((found) => found.sort())).toEqual(numbers.map(() => expected));
});

it("a batch and creates in each shard survive kills of the runtime, and no document is lost or created twice", async () => {
  const batches = await Promise.all(
    customers.map(async ({ key, body: { templateId, data } }) => {
      const items = Array.from({ length: 40 }, () => ({ data }));
      const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
      const body = JSON.stringify({ templateId, items });
      const response = await fetch(`${service.baseUrl}/batches`, { method: "POST", headers, body });
      return ((await response.json()) as { data: { id: string } }).data.id;
    }),
  );
  const over = new AbortController();
  const callers = customers.map(async (customer) => {
    while (!over.signal.aborted) if ((await create(customer)) !== 201) await setTimeout(100);
  });
  for (let kill = 0; kill < 2; kill++) {
    const before = customers.map(({ created }) => created.size);
    const haveAll = () => customers.every(({ created }, shard) => created.size > (before[shard] ?? 0) + 2);
    await expect.poll(haveAll, { timeout: 60_000 }).toBe(true);
    killBelow(service.process.pid ?? 0, "workerd serve");
  }
  over.abort();
  await Promise.all(callers);

  for (const [shard, customer] of customers.entries()) {
    const batch = () => read<object>(service, customer, `/batches/${batches[shard]}`).catch(() => null);
    await expect
      .poll(batch, { timeout: 120_000, interval: 500 })
      .toMatchObject({ status: "ended", counts: { completed: 40, failed: 0 } });
  }
  await expectNoStrayRows();
  for (const customer of customers)
    expect(await expectNothingLost(service, customer, customer.created)).toBeGreaterThanOrEqual(40);
}, 300_000);

it("a backup contains all shards, and a restore brings them back", async () => {
  const [file, stateDir] = [join(folder, "backup.tar"), join(folder, "restored")];

  await run("backup", ["write", file], { STATE_DIR: service.stateDir });
  await run("backup", ["restore", file], { STATE_DIR: stateDir });
  const restored = await start(stateDir);

  for (const customer of customers) await expectNothingLost(restored, customer, customer.created);
  await restored.stop();
}, 240_000);

it("a damaged shard gives 503 with Retry-After to its own accounts only, and has lost nothing when it works again", async () => {
  const [zero, damaged, two] = customers as [Customer, Customer, Customer];
  const [, file = ""] = databaseFiles();
  const parts = ["", "-wal", "-shm"];
  await service.stop();
  for (const part of parts) await rename(file + part, join(folder, `aside${part}`)).catch(() => {});
  await writeFile(file, "no database".repeat(1000));
  service = await start(service.stateDir);

  const refused = await createDocument(service, damaged, damaged.body);

  expect([refused.status, Number(refused.headers.get("Retry-After"))]).toEqual([503, expect.any(Number)]);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThanOrEqual(5);
  expect([await create(zero), await create(two)]).toEqual([201, 201]);
  await service.stop();
  for (const part of parts) await rm(file + part, { force: true });
  for (const part of parts) await rename(join(folder, `aside${part}`), file + part).catch(() => {});
  service = await start(service.stateDir);
  for (const customer of customers) await expectNothingLost(service, customer, customer.created);
  expect(await create(damaged)).toBe(201);
}, 300_000);

it("no row remains of an account that is exported, removed and imported into a different shard", async () => {
  const moved = customers[1] as Customer;
  const [directory, file] = [join(folder, "export"), databaseFiles()[1] ?? ""];
  await service.cli("account", "export", directory, "--account", moved.id);

  await service.cli("account", "delete", "--account", moved.id, "--confirm", moved.id);
  expect(has(file, moved.id)).toBe(false);
  await service.cli("account", "import", directory, "--shard", "2");

  const { key } = await service.cli<{ key: string }>("key", "create", "--account", moved.id);
  await expectNothingLost(service, { ...moved, key }, moved.created);
  expect(has(databaseFiles()[2] ?? "", moved.id)).toBe(true);
  expect(has(file, moved.id)).toBe(false);
}, 300_000);
