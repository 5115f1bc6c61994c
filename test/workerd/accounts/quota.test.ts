import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { documentStore } from "../../../src/platform/documents/document-store.ts";
import { shardOf } from "../../fixtures/databases.ts";
import { get, newTenant, type Tenant } from "../../fixtures/tenant.ts";
import {
  databases,
  create,
  unboundedService,
  dataOf,
  quotaOf,
  refusalOf,
  renderFile,
  renderNothing,
  testService,
  tally,
  totalOf,
  usageOf,
  tenantWithLimit,
  type DocumentJson,
  silenceObjects,
  newWorld,
} from "../app.ts";
import { expireAndSettle, holdOf, month, reserve } from "../documents/holds.ts";

const documents = documentStore(databases);

beforeEach(silenceObjects);

it("the monthly allowance accepts exactly fifty of two hundred parallel creates on the Free plan", async () => {
  const tenant = await newTenant(env, { plan: "free" });
  const service = unboundedService();

  const responses = await Promise.all(Array.from({ length: 200 }, () => create(service, tenant)));

  expect(tally(responses.map(({ status }) => status))).toEqual({ 201: 50, 429: 150 });
  const refused = responses.filter(({ status }) => status === 429);
  expect(tally(await Promise.all(refused.map(async (response) => (await refusalOf(response)).message)))).toEqual({
    "Monthly render limit exceeded. Current: 50/50": 150,
  });
  expect({ ...(await usageOf(tenant)), jobs: service.jobs.length }).toEqual({ used: 50, reserved: 0, jobs: 50 });
});

it("the monthly allowance is restored at the start of a UTC month", async () => {
  let nowMs = Date.UTC(2026, 10, 30, 23, 59, 59, 999);
  const service = testService(() => ({ now: () => nowMs }));
  const tenant = await tenantAtLimit(service, 1);

  nowMs += 1;

  expect((await create(service, tenant)).status).toBe(201);
});

it("the monthly allowance counts a render in the month in which its request arrived, however late the render ends", async () => {
  let nowMs = Date.UTC(2026, 10, 30, 23, 59, 59, 999);
  const tenant = await newTenant(env);
  const service = testService(() => ({ now: () => nowMs }));
  service.render = async (job) => {
    nowMs += 5_000;
    return renderFile(job);
  };

  await create(service, tenant);

  const [november, december] = await Promise.all([quotaOf(tenant).usage(month), quotaOf(tenant).usage("2026-12")]);
  expect([november, december]).toEqual([
    { used: 1, reserved: 0 },
    { used: 0, reserved: 0 },
  ]);
});

it.each([
  { limit: 1, at80: 1 },
  { limit: 7, at80: 6 },
])("the use of an allowance of $limit renders is logged once at 80 % and once at 100 %", async ({ limit, at80 }) => {
  const service = testService();
  const tenant = await tenantAtLimit(service, limit);
  await create(service, tenant);

  const { accountId } = tenant;
  const lines = service.logged.filter(({ event }) => event === "quota.threshold_reached");
  expect(lines).toMatchObject([
    { accountId, percent: 80, used: at80, limit },
    { accountId, percent: 100, used: limit, limit },
  ]);
});

it("an expired hold leaves no document if its failed document was deleted", async () => {
  const tenant = await newTenant(env);
  const withLostReleases = testService(({ quota }) => ({
    quota: { ...quota, release: () => Promise.reject(new Error("the object is unreachable")) },
  }));
  withLostReleases.render = renderNothing;
  await create(withLostReleases, tenant);
  const listed = await dataOf<{ documents: DocumentJson[] }>(await get(withLostReleases, tenant, "/documents"));
  await get(testService(), tenant, `/documents/${listed.documents[0]?.id}`, { method: "DELETE" });

  await expireAndSettle(tenant);

  expect([await totalOf(tenant), await usageOf(tenant)]).toEqual([0, { used: 0, reserved: 0 }]);
});

it("an expired hold leaves no file and counts nothing if its failed document is deleted while the render is running", async () => {
  const { tenant, response, fileKey } = await settledAndDeletedDuringRender();

  expect(await refusalOf(response)).toMatchObject({ code: "RENDER_FAILED" });
  expect(await env.FILES.head(fileKey)).toBeNull();
  expect([await totalOf(tenant), await usageOf(tenant)]).toEqual([0, { used: 0, reserved: 0 }]);
});

it("an expired hold is settled by the alarm without any request", async () => {
  const tenant = await newTenant(env);
  const hold = holdOf(tenant, {}, -1);
  await reserve(quotaOf(tenant), hold, 5);

  await expect.poll(() => quotaOf(tenant).usage(month), { timeout: 10_000 }).toEqual({ used: 0, reserved: 0 });

  expect(await documents.find(tenant.accountId, hold.draft.id)).toMatchObject({ status: "failed" });
});

it("the quota agrees with D1 after many simultaneous creates, failures and deletes", async () => {
  const tenant = await tenantWithLimit(12);
  const service = unboundedService();
  service.render = async (job) => (service.jobs.length % 3 === 0 ? renderNothing() : renderFile(job));
  const responses = await Promise.all(Array.from({ length: 40 }, () => create(service, tenant)));
  const made = responses.filter(({ status }) => status === 201);
  const ids = await Promise.all(made.map(async (response) => (await dataOf(response)).id));

  await Promise.all(ids.slice(0, 5).map((id) => get(service, tenant, `/documents/${id}`, { method: "DELETE" })));

  const shard = await shardOf(env, tenant.accountId);
  const counted = await shard
    .prepare(
      "SELECT sum(stored) AS stored, sum(ever) FILTER (WHERE status = 'completed') AS completed FROM document_counts WHERE account_id = ?1",
    )
    .bind(tenant.accountId)
    .first();
  expect([counted, await usageOf(tenant)]).toEqual([
    { completed: ids.length, stored: await totalOf(tenant) },
    { used: ids.length, reserved: 0 },
  ]);
});

async function tenantAtLimit(service: ReturnType<typeof testService>, limit: number): Promise<Tenant> {
  const tenant = await tenantWithLimit(limit);
  for (let i = 0; i < limit; i++) await create(service, tenant);
  return tenant;
}

/** Sends a create. During its render, the alarm records the document as failed, and a DELETE removes the document. */
async function settledAndDeletedDuringRender() {
  const { tenant, service } = await newWorld();
  service.render = async (job) => {
    await expireAndSettle(tenant);
    const { documents: listed } = await dataOf<{ documents: DocumentJson[] }>(
      await get(testService(), tenant, "/documents"),
    );
    await get(testService(), tenant, `/documents/${listed[0]?.id}`, { method: "DELETE" });
    return renderFile(job);
  };
  const response = await create(service, tenant);
  return { tenant, response, fileKey: service.jobs[0]?.fileKey ?? "" };
}
