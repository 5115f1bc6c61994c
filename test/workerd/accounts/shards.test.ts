// Tests where accounts are placed, and what happens to the accounts of a shard that is down or missing.
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { createAccount } from "../../../src/operations/accounts/manage-accounts.ts";
import { isStorageAvailable } from "../../../src/operations/batches/check-storage.ts";
import { removeAccount } from "../../../src/operations/maintenance/remove-account.ts";
import { runMaintenance } from "../../../src/operations/maintenance/run-maintenance.ts";
import { importRows } from "../../../src/operations/manage/import-account.ts";
import type { TransferredRow } from "../../../src/ports/maintenance.ts";
import { maintenanceServices } from "../../../src/services/maintenance-services.ts";
import { batchServices } from "../../../src/services/object-services.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { audit, everything } from "../../fixtures/audit.ts";
import { databasesOf, inAllShards, shardOf } from "../../fixtures/databases.ts";
import { newTenant, type Tenant } from "../../fixtures/tenant.ts";
import {
  create,
  dataOf,
  operations,
  quotaOf,
  refusalOf,
  send,
  silenceObjects,
  tenantWithNewKey,
  testService,
  totalOf,
  unknownId,
  usageOf,
} from "../app.ts";
import { expireAndSettle } from "../documents/holds.ts";
import { laterServices } from "../maintenance/passes.ts";
import { callerWith, operatorKey } from "../manage/manage.ts";

beforeEach(silenceObjects);

const operator = callerWith(operatorKey);
const account = { name: "Placed", plan: "pro" };

it("a new account is placed in the shard that the operator names, and the operator's API shows it", async () => {
  const { id } = await operator.ok<{ id: string }>("POST", "/admin/accounts", { ...account, shard: 2 }, 201);

  expect(await operator.ok("GET", `/admin/accounts/${id}`)).toMatchObject({ shard: 2 });
});

it("a new account cannot be placed in a shard that does not exist", async () => {
  const refused = await operator.refused("POST", "/admin/accounts", { ...account, shard: 3 });

  expect(refused).toMatchObject({ status: 400, code: "VALIDATION_ERROR" });
  expect(JSON.stringify(refused)).toContain("`shard` must be one of 0, 1, 2.");
});

it("a new account is placed in the shard whose location is its home region", async () => {
  const located = { ...env, DB_LOCATION: "weur", DB_1_LOCATION: "oc", DB_2_LOCATION: "weur" };

  const { shard } = await createAccount(operatorServices(located), { name: "Test", plan: "pro", region: "oc" });

  expect(shard).toBe(1);
});

it("a new account is placed in the shard without a location that has the fewest accounts", async () => {
  const placed = await Promise.all([1, 2, 2, 2].map((shard) => newTenant(env, { shard })));
  const services = operatorServices(env);
  const counts = new Map((await services.accounts.shards()).map(({ number, accounts }) => [number, accounts]));

  const { shard } = await createAccount(services, { name: "Test", plan: "pro" });

  expect(placed).toHaveLength(4);
  expect(counts.get(shard)).toBe(Math.min(...counts.values()));
});

it("a location that is not a region is refused, and the error names the variable", () => {
  expect(() => operatorServices({ ...env, DB_1_LOCATION: "europe" } as Env)).toThrow("DB_1_LOCATION must be one of");
});

/** Returns bindings in which all queries of a shard fail. */
function without(shard: number, fail: () => Promise<never>): Env {
  const failing = { all: fail, run: fail, raw: fail, first: fail };
  const database = { prepare: () => ({ ...failing, bind: () => failing }), batch: fail } as unknown as D1Database;
  return { ...env, ...databasesOf(env, (real, number) => (number === shard ? database : real)) };
}

const outages: [string, () => Promise<never>][] = [
  ["cannot be reached", () => Promise.reject(new Error("D1_ERROR: Network connection lost."))],
  ["fails in a way that nobody has seen", () => Promise.reject(new Error("the shard has stopped"))],
  ["cannot be read", () => Promise.reject(new Error("D1_ERROR: disk I/O error: SQLITE_IOERR"))],
  ["does not respond", () => new Promise<never>(() => {})],
];

describe.each(outages)("while a shard %s", (_, fail) => {
  const down = (shard: number) => ({ ...without(shard, fail), CALL_TIMEOUT_MS: "100" }) as Env;

  it.for(operations(unknownId, unknownId).filter(({ path }) => path.startsWith("/documents")))(
    "$method $path gets 503 with Retry-After for accounts of the shard, and works for others",
    async (operation) => {
      const [inShard, other] = [await newTenant(env, { shard: 1 }), await newTenant(env, { shard: 2 })];
      const service = testService(undefined, down(1));
      const sendAs = ({ key, templateId }: Tenant) => {
        const isCreate = operation.method === "POST" && operation.path === "/documents";
        const body = isCreate ? { ...operation.body, templateId } : operation.body;
        return send(service, { ...operation, body }, { Authorization: `Bearer ${key}` });
      };

      const [refused, accepted] = await Promise.all([sendAs(inShard), sendAs(other)]);

      expect(refused.status).toBe(503);
      expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThanOrEqual(5);
      expect(accepted.status).toBeLessThan(500);
    },
  );

  it("a redelivery for an account whose shard is down is refused, and is not in the audit log", async () => {
    const { accountId } = await newTenant(env, { shard: 1 });
    const { webhooks, audit: log } = operatorServices(down(1));

    const redelivery = audit(accountId);

    await expect(webhooks.redeliverDead(0, redelivery)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });

    const { items } = await log.list(accountId, everything, Date.now());
    expect(items.map(({ id }) => id)).not.toContain(redelivery.id);
  });

  it("a create whose shard is down holds its render until the shard works again, and is then settled without a charge", async () => {
    const tenant = await newTenant(env, { shard: 1 });
    const service = testService(undefined, down(1));

    const response = await create(service, tenant);

    expect(response.status).toBe(503);
    expect(await usageOf(tenant)).toEqual({ used: 0, reserved: 1 });
    await expireAndSettle(tenant);
    expect([await usageOf(tenant), await totalOf(tenant)]).toEqual([{ used: 0, reserved: 0 }, 1]);
    expect(await env.FILES.head(service.jobs[0]?.fileKey ?? "")).toBeNull();
    expect((await create(testService(), tenant)).status).toBe(201);
  });
});

it.each(outages)("while the directory %s, a request gets 503 with Retry-After", async (_, fail) => {
  const tenant = await newTenant(env, { shard: 1 });
  const service = testService(undefined, { ...without(0, fail), CALL_TIMEOUT_MS: "100" } as Env);

  const response = await create(service, tenant);

  expect(await refusalOf(response)).toMatchObject({ status: 503, code: "SERVICE_UNAVAILABLE" });
  expect(Number(response.headers.get("Retry-After"))).toBeGreaterThanOrEqual(5);
});

it("a batch reports an outage if the shard of its account is down, but not if a different shard is down", async () => {
  const services = batchServices(
    without(1, () => Promise.reject(new Error("down"))),
    () => {},
  );
  const [inShard, other] = [await newTenant(env, { shard: 1 }), await newTenant(env, { shard: 2 })];

  expect(await isStorageAvailable(services, inShard.accountId)).toBe(false);
  expect(await isStorageAvailable(services, other.accountId)).toBe(true);
});

it("a statement that a shard refuses counts as a fault of the service, and callers are not asked to retry", async () => {
  const tenant = await newTenant(env, { shard: 1 });
  const refuse = () => Promise.reject(new Error("D1_ERROR: no such column: x: SQLITE_ERROR"));

  const response = await create(testService(undefined, without(1, refuse)), tenant);

  expect([response.status, response.headers.get("Retry-After")]).toEqual([502, null]);
});

it("while a shard is down, the scheduled run removes expired data in the other shards, and names the shard that failed", async () => {
  const tenants = await Promise.all([0, 1, 2].map((shard) => newTenant(env, { shard })));
  const created = await Promise.all(tenants.map((tenant) => create(testService(), tenant)));
  const ids = await Promise.all(created.map(async (response) => (await dataOf(response)).id));
  await Promise.all(
    tenants.map(async ({ accountId }) =>
      (await shardOf(env, accountId))
        .prepare("UPDATE documents SET expires_at = 1 WHERE account_id = ?")
        .bind(accountId)
        .run(),
    ),
  );
  const failures: unknown[] = [];
  const log = (_level: string, { event, shard }: { event: string; shard?: unknown }) =>
    void (event === "maintenance.failed" && failures.push(shard));
  const { documents, events } =
    maintenanceServices(without(1, () => Promise.reject(new Error("the shard has stopped")))).shards[1] ?? {};
  const services = maintenanceServices(env);
  const shards = services.shards.map((shard) => (shard.number === 1 ? { ...shard, ...{ documents, events } } : shard));

  // The daily pass compares the files with the documents of all shards.
  const read: typeof services.passes.read = async (name) =>
    name === "scheduled" ? { position: null, finishedAt: Date.now() } : services.passes.read(name);
  const passes = { ...services.passes, read };

  await runMaintenance({ ...services, passes, shards: shards as typeof services.shards, log });

  const left = await inAllShards<{ id: string }>(env, "SELECT id FROM documents");
  expect(ids.filter((id) => left.some((row) => row.id === id))).toEqual([ids[1]]);
  expect(new Set(failures)).toEqual(new Set([1]));
});

it("the removal of accounts in shards that are down comes last, so that it does not delay other removals", async () => {
  const { archive } = operatorServices(env);
  const { accounts } = maintenanceServices(env);
  const tenants = await Promise.all([1, 2].map((shard) => newTenant(env, { shard })));
  for (const [age, { accountId }] of tenants.entries()) await archive.markDeleted(accountId, age);

  const ids = tenants.map(({ accountId }) => accountId);
  expect((await accounts.deleted(100, [])).filter((id) => ids.includes(id))).toEqual(ids);
  expect((await accounts.deleted(100, [1])).filter((id) => ids.includes(id))).toEqual(ids.toReversed());
});

it("an account whose shard is not configured gets 500 without a render, the log names the binding, and no shard has a row of the account", async () => {
  const tenant = await newTenant(env, { shard: 2 });
  const { DB_2: _, ...bindings } = env as unknown as Record<string, unknown>;
  const service = testService(undefined, bindings as unknown as Env);

  const response = await create(service, tenant);

  expect(await refusalOf(response)).toMatchObject({ status: 500, code: "INTERNAL_ERROR" });
  expect(service.jobs).toEqual([]);
  const [failed] = service.logged.filter(({ event }) => event === "request.failed");
  expect(failed?.["cause"]).toMatchObject({ code: "the binding DB_2 is missing, but an account uses it" });
  expect(await inAllShards(env, "SELECT id FROM documents WHERE account_id = ?", tenant.accountId)).toEqual([]);
});

it("an export and an import move an account to a different shard with its documents and counts", async () => {
  const tenant = await newTenant(env, { shard: 1 });
  const { id } = await dataOf(await create(testService(), tenant));
  const manage = operatorServices(env);
  const rows: TransferredRow[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const part: Awaited<ReturnType<typeof manage.transfer.read>> = await manage.transfer.read(
      tenant.accountId,
      cursor ?? null,
    );
    rows.push(...part.rows);
    cursor = part.nextCursor;
  }
  await manage.archive.markDeleted(tenant.accountId, Date.now());
  for (let status = ""; status !== "removed";) ({ status } = await removeAccount(laterServices(), tenant.accountId));

  await importRows(manage, laterServices(), tenant.accountId, rows, 2);
  const moved = await tenantWithNewKey(tenant);

  const where = await Promise.all(
    [1, 2].map(async (number) => {
      const { documents } = maintenanceServices(env).shards[number] ?? {};
      return (await documents?.ofAccount(tenant.accountId, 10))?.map((document) => document.id);
    }),
  );
  expect(where).toEqual([[], [id]]);
  expect(await usageOf(moved)).toEqual({ used: 1, reserved: 0 });
  expect((await quotaOf(moved).usage("2000-01")).used).toBe(0);
  const refused = importRows(manage, laterServices(), tenant.accountId, rows, 1);
  await expect(refused).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
});

it("the deep health check lists each shard as a part, and names the shard that fails", async () => {
  const service = testService(
    ({ health }) => ({ health: { ...health, parts: { ...health.parts, browser: async () => "1" } } }),
    { ...without(2, () => Promise.reject(new Error("down"))), HEALTH_SECRET: "the-secret-of-the-operator" } as Env,
  );

  const response = await service.fetch("https://colophon.test/healthz?deep=1", {
    headers: { Authorization: "Bearer the-secret-of-the-operator" },
  });

  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    data: { parts: { database: { status: "ok" }, database_1: { status: "ok" }, database_2: { status: "failed" } } },
    error: { message: "These parts of the service are failing: database_2." },
  });
});
