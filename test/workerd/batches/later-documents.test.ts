// Documents that are rendered after the response to their create, because the request has `Prefer: respond-async`.
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { shardOf } from "../../fixtures/databases.ts";
import { get, newTenant, type Tenant } from "../../fixtures/tenant.ts";
import {
  create,
  dataOf,
  refusalOf,
  renderFile,
  renderNothing,
  send,
  tenantWithLimit,
  testService,
  totalOf,
  usageOf,
} from "../app.ts";
import { laterRenders } from "../worker.ts";
import { heldBack } from "./batches.ts";

const service = testService();
const later = { Prefer: "respond-async" };

function ended(tenant: Tenant, id: string) {
  return vi.waitUntil(
    async () => {
      const document = await dataOf(await get(service, tenant, `/documents/${id}`));
      return document.status !== "processing" && document;
    },
    { timeout: 10_000, interval: 10 },
  );
}

async function eventsOf({ accountId }: Tenant): Promise<string[]> {
  const shard = await shardOf(env, accountId);
  const events = shard.prepare("SELECT payload FROM webhook_events WHERE account_id = ?").bind(accountId);
  const { results } = await events.all<{ payload: string }>();
  return results.map(({ payload }) => (JSON.parse(payload) as { type: string }).type);
}

it("a create that prefers an asynchronous response gets 202 before the render, and the document is completed afterwards", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const { release } = heldBack(tenant);

  const response = await create(service, tenant, later);

  const document = await dataOf(response);
  const path = `/documents/${document.id}`;
  expect(response.status).toBe(202);
  expect(response.headers.get("Preference-Applied")).toBe("respond-async");
  expect(response.headers.get("Location")).toBe(`https://colophon.test/api/v1${path}`);
  expect(document).toMatchObject({ status: "processing", pdfUrl: null, completedAt: null });
  expect(await usageOf(tenant)).toEqual({ used: 0, reserved: 1 });
  expect((await get(service, tenant, path)).headers.get("Retry-After")).toBe("1");
  release();
  const completed = await ended(tenant, document.id);
  expect(completed).toMatchObject({ status: "completed", createdAt: document.createdAt });
  await vi.waitUntil(async () => (await usageOf(tenant)).used === 1, { timeout: 10_000 });
  expect(await usageOf(tenant)).toEqual({ used: 1, reserved: 0 });
  expect((await get(service, tenant, path)).headers.get("Retry-After")).toBeNull();
});

it.each(["respond-async", "RESPOND-ASYNC, wait=10", "handling=lenient , respond-async;x=1"])(
  "a create that prefers an asynchronous response accepts the preference %j",
  async (preference) => {
    const tenant = await newTenant(env, { plan: "pro" });

    expect((await create(service, tenant, { Prefer: preference })).status).toBe(202);
  },
);

it.each(["respond-asynchronously", "return=minimal", "wait=5"])("a create ignores Prefer: %j", async (preference) => {
  const tenant = await newTenant(env, { plan: "pro" });

  expect((await create(service, tenant, { Prefer: preference })).status).toBe(201);
});

it("a create that prefers an asynchronous response is refused immediately for every reason for which other creates are refused", async () => {
  const tenant = await tenantWithLimit(1);
  const authorized = { Authorization: `Bearer ${tenant.key}`, ...later };
  const body = { templateId: tenant.templateId, data: {} };
  await create(service, tenant);

  const statuses = await Promise.all(
    [
      { ...body, format: "gif" },
      { ...body, data: { name: 5 } },
      { ...body, templateId: crypto.randomUUID() },
      body,
    ].map(async (body) => (await send(service, { method: "POST", path: "/documents", body }, authorized)).status),
  );

  expect(statuses).toEqual([400, 400, 404, 429]);
  expect(await totalOf(tenant)).toBe(1);
});

it("a create that prefers an asynchronous response may have 5 MB of data, all of which reaches the render", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const pages: string[] = [];
  laterRenders.set(tenant.accountId, async (job) => (pages.push(job.html), renderFile(job)));
  const body = { templateId: tenant.templateId, data: { rows: "€".repeat(1_600_000), name: "Ada" } };

  const request = { method: "POST", path: "/documents", body };
  const response = await send(service, request, { Authorization: `Bearer ${tenant.key}`, ...later });

  expect(response.status).toBe(202);
  const { id } = await dataOf(response);
  expect(await ended(tenant, id)).toMatchObject({ status: "completed" });
  expect(pages).toEqual([expect.stringContaining("Hello Ada")]);
});

it("a queued document whose render fails is recorded, its hold is released, and the event is sent", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  laterRenders.set(tenant.accountId, renderNothing);
  const body = { templateId: tenant.templateId, data: {}, webhookUrl: "https://hooks.receiver.dev/x" };

  const request = { method: "POST", path: "/documents", body };
  const response = await send(service, request, { Authorization: `Bearer ${tenant.key}`, ...later });

  const { id } = await dataOf(response);
  expect(await ended(tenant, id)).toMatchObject({ status: "failed", error: { code: "RENDER_FAILED" } });
  await vi.waitUntil(async () => (await usageOf(tenant)).reserved === 0, { timeout: 10_000 });
  expect(await usageOf(tenant)).toEqual({ used: 0, reserved: 0 });
  expect(await eventsOf(tenant)).toEqual(["document.failed"]);
});

it("a queued document is returned to repeats with its key, before and after its end", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const { release } = heldBack(tenant);
  const headers = { ...later, "Idempotency-Key": "order-17" };
  const { id } = await dataOf(await create(service, tenant, headers));

  const during = await create(service, tenant, headers);
  release();
  await ended(tenant, id);
  const after = await create(service, tenant, headers);
  const sync = await create(service, tenant, { "Idempotency-Key": "order-17" });

  const responses = [during, after, sync];
  expect(responses.map(({ status }) => status)).toEqual([202, 201, 201]);
  expect(await Promise.all(responses.map(async (response) => (await dataOf(response)).id))).toEqual([id, id, id]);
});

it("a repeat of an asynchronous create gets the error that it is in progress until the document is known to be queued", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const lost = testService(({ batches }) => ({
    batches: { ...batches, enqueue: () => Promise.reject(new Error("the process ended")) },
  }));
  const headers = { ...later, "Idempotency-Key": "order-18" };
  expect((await create(lost, tenant, headers)).status).toBe(503);

  const repeat = await create(service, tenant, headers);

  expect([repeat.status, Number(repeat.headers.get("Retry-After"))]).toEqual([409, expect.closeTo(30, -1)]);
  expect(await repeat.json()).toMatchObject({ error: { code: "IDEMPOTENCY_CONFLICT" } });
});

it("a queued document does not count as a render in flight", async () => {
  const tenant = await newTenant(env, { plan: "free" });
  const { release } = heldBack(tenant);
  for (let i = 0; i < 5; i++) expect((await create(service, tenant, later)).status).toBe(202);

  expect((await create(service, tenant)).status).toBe(201);

  release();
  await vi.waitUntil(async () => (await usageOf(tenant)).used === 6, { timeout: 10_000 });
});

it("a queued document cannot be downloaded before it has ended", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const { release } = heldBack(tenant);
  const { id } = await dataOf(await create(service, tenant, later));

  const refusal = await refusalOf(await get(service, tenant, `/documents/${id}/download`));

  expect(refusal).toMatchObject({
    status: 404,
    code: "DOCUMENT_NOT_FOUND",
    message: expect.stringContaining("has not ended"),
  });
  release();
  await ended(tenant, id);
});

it("queued documents are listed with the status `processing`", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const { release } = heldBack(tenant);
  const { id } = await dataOf(await create(service, tenant, later));
  const listed = async (status: string) =>
    await dataOf<{ documents: { id: string }[]; pagination: { total: number } }>(
      await get(service, tenant, `/documents?status=${status}`),
    );

  expect(await listed("processing")).toMatchObject({ documents: [{ id }], pagination: { total: 1 } });

  release();
  await ended(tenant, id);
  expect(await listed("processing")).toMatchObject({ documents: [], pagination: { total: 0 } });
  expect(await listed("completed")).toMatchObject({ documents: [{ id }], pagination: { total: 1 } });
});

it("deleting a document that is processing releases its hold, and leaves neither an event nor a file", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const { release } = heldBack(tenant);
  const body = { templateId: tenant.templateId, data: {}, webhookUrl: "https://hooks.receiver.dev/x" };
  const authorized = { Authorization: `Bearer ${tenant.key}` };
  const { id } = await dataOf(
    await send(service, { method: "POST", path: "/documents", body }, { ...authorized, ...later }),
  );

  const response = await send(service, { method: "DELETE", path: `/documents/${id}` }, authorized);

  expect(await dataOf(response)).toEqual({ id, deleted: true });
  expect(await usageOf(tenant)).toEqual({ used: 0, reserved: 0 });
  release();
  // The next document is rendered after this one.
  const next = await dataOf(await create(service, tenant, later));
  await ended(tenant, next.id);
  expect((await get(service, tenant, `/documents/${id}`)).status).toBe(404);
  expect(await eventsOf(tenant)).toEqual([]);
  await vi.waitUntil(async () => (await usageOf(tenant)).used === 1, { timeout: 10_000 });
  expect(await usageOf(tenant)).toEqual({ used: 1, reserved: 0 });
});

it("deleting a queued document prevents its render if that has not begun", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const { release, jobs } = heldBack(tenant);
  const ids: string[] = [];
  for (let i = 0; i < 12; i++) ids.push((await dataOf(await create(service, tenant, later))).id);
  await vi.waitUntil(() => jobs.length >= 8, { timeout: 10_000 });

  for (const id of ids)
    await send(service, { method: "DELETE", path: `/documents/${id}` }, { Authorization: `Bearer ${tenant.key}` });
  release();

  const next = await dataOf(await create(service, tenant, later));
  await ended(tenant, next.id);
  expect(jobs).toHaveLength(9);
});
