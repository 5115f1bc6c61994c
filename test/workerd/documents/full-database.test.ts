// What callers see, and what is left, when D1 has reached its maximum size. A trigger rejects inserts with D1's message.
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { shardOf } from "../../fixtures/databases.ts";
import { type Tenant } from "../../fixtures/tenant.ts";
import { create, refusalOf, totalOf, usageOf, silenceObjects, newWorld } from "../app.ts";
import { expireAndSettle, tenantWithHold } from "./holds.ts";

beforeEach(silenceObjects);

/** Makes D1 reject inserts of this account's documents like a full database. Returns a function that makes room. */
async function fillDatabase({ accountId }: Tenant): Promise<() => Promise<void>> {
  const shard = await shardOf(env, accountId);
  const name = `full_${accountId.replaceAll("-", "")}`;
  await shard
    .prepare(
      `CREATE TRIGGER ${name} BEFORE INSERT ON documents WHEN NEW.account_id = '${accountId}' BEGIN SELECT RAISE(ABORT, 'Exceeded maximum DB size'); END`,
    )
    .run();
  return async () => void (await shard.prepare(`DROP TRIGGER ${name}`).run());
}

it("a create gets 503 with Retry-After and stores nothing while the database is full, and succeeds when there is room", async () => {
  const { tenant, service } = await newWorld();
  const makeRoom = await fillDatabase(tenant);

  const response = await create(service, tenant);

  expect(response.headers.get("Retry-After")).toBe("300");
  const refusal = await refusalOf(response);
  expect(refusal).toMatchObject({ status: 503, code: "RENDER_FAILED" });
  expect(refusal.message).toMatch(/database is full.*does not count/);
  expect(await usageOf(tenant)).toEqual({ used: 0, reserved: 0 });
  expect(await totalOf(tenant)).toBe(0);
  expect(await env.FILES.head(service.jobs[0]?.fileKey ?? "")).toBeNull();
  expect(service.logged).toContainEqual(expect.objectContaining({ event: "database.full" }));
  await makeRoom();
  expect((await create(service, tenant)).status).toBe(201);
});

it("an expired hold remains while the database is full", async () => {
  const { tenant } = await tenantWithHold();
  const makeRoom = await fillDatabase(tenant);
  await expireAndSettle(tenant);
  const during = await usageOf(tenant);

  await makeRoom();
  await expireAndSettle(tenant);

  expect(during).toEqual({ used: 0, reserved: 1 });
  expect(await usageOf(tenant)).toEqual({ used: 0, reserved: 0 });
  expect(await totalOf(tenant)).toBe(1);
});
