// Tests which reads may come from a replica of D1 that is out of date, and that what they decide is never older than
// docs/operations.md promises.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { d1Client } from "../../../src/platform/d1/d1-client.ts";
import { maxReplicaAgeMs } from "../../../src/platform/d1/d1-replicas.ts";
import { operatorServices } from "../../../src/services.ts";
import { get, newTenant, pushed, type Tenant } from "../../fixtures/tenant.ts";
import { callTimeoutMs, create, dataOf, testService, type Pagination } from "../app.ts";
import { replicatedD1 } from "./replicated-d1.ts";

afterEach(() => void vi.useRealTimers());

/**
 * Returns the service on a database whose replica has everything that is written until now and, unless `replicate` is called,
 * nothing that is written later. The service has just read from the primary database, so it may read from the replica.
 */
async function serviceWithReplica() {
  const d1 = await replicatedD1();
  const service = testService(() => ({}), { ...env, DB: d1.database });
  await get(service, await newTenant(env), "/usage");
  await d1.replicate();
  return { ...d1, service };
}

const status = async (response: Promise<Response>) => (await response).status;

function advanceClock(ms: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
}

describe("beside a replica that lags behind for ever", () => {
  it("a new key works at once", async () => {
    const { service } = await serviceWithReplica();
    const tenant = await newTenant(env);

    expect(await status(get(service, tenant, "/usage"))).toBe(200);
  });

  it("a new template can be used at once", async () => {
    const tenant = await newTenant(env);
    const { service } = await serviceWithReplica();
    const templateId = await pushed(env, tenant.accountId, {}, "second");

    expect(await status(create(service, { ...tenant, templateId }))).toBe(201);
  });

  it("a revoked key is refused ten seconds later", async () => {
    const tenant = await newTenant(env);
    const { service } = await serviceWithReplica();
    const before = await status(get(service, tenant, "/usage"));
    await operatorServices(env).accounts.revokeKey(tenant.keyId, Date.now());

    advanceClock(10_000);

    expect([before, await status(get(service, tenant, "/usage"))]).toEqual([200, 401]);
  });

  it("a revoked key is refused ten seconds later, even if the replica answered in the meantime", async () => {
    const tenant = await newTenant(env);
    const { service, answered } = await serviceWithReplica();
    await operatorServices(env).accounts.revokeKey(tenant.keyId, Date.now());
    const soonMs = maxReplicaAgeMs - 1_000;
    advanceClock(soonMs);
    const stale = await status(get(service, tenant, "/usage"));
    const answers = answered.length;

    advanceClock(10_000 - soonMs);

    expect([stale, answers, await status(get(service, tenant, "/usage"))]).toEqual([200, 1, 401]);
  });

  it("a change of the plan is in force ten seconds later", async () => {
    const tenant = await newTenant(env, { plan: "free" });
    const { service } = await serviceWithReplica();
    const limit = async () => (await dataOf<{ limit: number }>(await get(service, tenant, "/usage"))).limit;
    const before = await limit();
    await operatorServices(env).accounts.setAccountPlan(tenant.accountId, "enterprise");

    advanceClock(10_000);

    expect([before, await limit()]).toEqual([50, 5_000]);
  });

  it("a document can be read, listed, repeated and deleted right after it was created", async () => {
    const tenant = await newTenant(env);
    const { service, answered } = await serviceWithReplica();
    const key = { "Idempotency-Key": "order-1" };

    const { id } = await dataOf(await create(service, tenant, key));

    const path = `/documents/${id}`;
    const listed = await dataOf<{ pagination: Pagination }>(await get(service, tenant, "/documents"));
    expect((await dataOf(await get(service, tenant, path))).id).toBe(id);
    expect(await status(get(service, tenant, `${path}/download`))).toBe(200);
    expect(listed.pagination.total).toBe(1);
    expect((await dataOf(await create(service, tenant, key))).id).toBe(id);
    expect(await status(get(service, tenant, path, { method: "DELETE" }))).toBe(200);
    expect(await status(get(service, tenant, path))).toBe(404);
    expect(answered.filter((sql) => /documents/.test(sql))).toEqual([]);
  });
});

describe("beside a replica that keeps up", () => {
  /** Sends a request of each of several accounts. Returns the tables that the replica was asked for. */
  async function tablesRead(tenants: Tenant[]): Promise<string[]> {
    const { service, answered } = await serviceWithReplica();
    for (const tenant of tenants) await create(service, tenant);
    return answered.map((sql) => /from "(\w+)"/.exec(sql)?.[1] ?? sql);
  }

  it("keys and templates are read from the replica, and nothing else is", async () => {
    const tenants = [await newTenant(env), await newTenant(env)];

    expect(await tablesRead(tenants)).toEqual(["api_keys", "templates", "api_keys", "templates"]);
  });

  it("the primary database is read again as soon as the last read from it is too long ago", async () => {
    const tenant = await newTenant(env);
    const { service, answered } = await serviceWithReplica();
    advanceClock(maxReplicaAgeMs + 1);

    const fresh = await status(get(service, tenant, "/usage"));

    expect([fresh, answered]).toEqual([200, []]);
  });
});

it("a replica that does not respond is left after a second, and the primary database is asked", async () => {
  const tenant = await newTenant(env);
  const { database } = await replicatedD1();
  const d1 = d1Client(database, callTimeoutMs);
  const read = () =>
    d1.findRecent((db) => db.get<{ id: string }>(`SELECT id FROM accounts WHERE id = '${tenant.accountId}'`));
  await read();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });

  const reading = read();
  await vi.advanceTimersByTimeAsync(1_000);

  expect((await reading)?.id).toBe(tenant.accountId);
});
