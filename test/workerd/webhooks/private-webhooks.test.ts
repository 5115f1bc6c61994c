// Webhooks about private files: the stored payload has no links, and each attempt sends new ones.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { BatchRecord } from "../../../src/core/batches/batch.ts";
import { attemptDelivery } from "../../../src/operations/webhooks/attempt-delivery.ts";
import { webhookStore } from "../../../src/platform/webhooks/webhook-store.ts";
import { deliveryServices } from "../../../src/services/object-services.ts";
import { baseUrl, newTenant, post, type Tenant } from "../../fixtures/tenant.ts";
import { databases, dataOf, renderNothing, send, silenceObjects, testService, type DocumentJson } from "../app.ts";
import { ended, items, postBatch, renderPdf } from "../batches/batches.ts";
import { laterRenders } from "../worker.ts";

const service = testService(() => ({ webhookQueue: { send: async () => {} } }));
const webhookUrl = "https://hooks.receiver.dev/hook";
const origin = new URL(baseUrl).origin;
const delivery = deliveryServices(env as Parameters<typeof deliveryServices>[0]);

async function eventOf(accountId: string, id: string) {
  const event = await webhookStore(databases).find(accountId, `evt_${id.replaceAll("-", "")}`);
  return event ?? expect.unreachable("there is no event");
}

/** Makes one attempt, and returns the body that the receiver got. */
async function bodyOf<T>(accountId: string, id: string, seconds = 0): Promise<{ type: string; data: T }> {
  const bodies: string[] = [];
  const transport = {
    post: async ({ body }: { body: string }) => {
      bodies.push(body);
      return { status: 200, error: null, response: null, retryAfter: null };
    },
  };
  const now = () => Date.now() + seconds * 1000;
  await attemptDelivery({ ...delivery, transport, now }, await eventOf(accountId, id));
  return JSON.parse(bodies[0] ?? "null") as { type: string; data: T };
}

async function createPrivate(tenant: Tenant, body: object = {}): Promise<DocumentJson> {
  const all = { templateId: tenant.templateId, data: {}, access: "private", webhookUrl, ...body };
  return dataOf(await post(service, tenant, all));
}

const statusOf = async (url: string | null) => (await service.fetch(url ?? "")).status;

it("each attempt of a webhook has a fresh link to a private file, and the stored payload has none", async () => {
  const tenant = await newTenant(env);
  const { id, pdfUrl, linkExpiresAt, ...record } = await createPrivate(tenant);

  const first = await bodyOf<DocumentJson>(tenant.accountId, id);
  const later = await bodyOf<DocumentJson>(tenant.accountId, id, 3_600);

  expect((await eventOf(tenant.accountId, id)).payload).not.toContain("/links/");
  expect(Object.keys(first)).toEqual(["type", "timestamp", "data"]);
  expect(first).toMatchObject({ type: "document.completed", data: { ...record, id, fileUrl: first.data.pdfUrl } });
  expect(await statusOf(first.data.pdfUrl)).toBe(200);
  expect(Date.parse(later.data.linkExpiresAt ?? "") - Date.parse(first.data.linkExpiresAt ?? "")).toBeGreaterThan(
    3_599_000,
  );
  expect([pdfUrl, linkExpiresAt]).not.toContain(later.data.pdfUrl);
});

it("an attempt after the links were ended has a valid link, and one after the document was deleted has none", async () => {
  const tenant = await newTenant(env);
  const authorization = { Authorization: `Bearer ${tenant.key}` };
  const { id } = await createPrivate(tenant);
  const before = await bodyOf<DocumentJson>(tenant.accountId, id);

  await send(service, { method: "DELETE", path: `/documents/${id}/links` }, authorization);
  const ended = await bodyOf<DocumentJson>(tenant.accountId, id);
  const statuses = [await statusOf(before.data.pdfUrl), await statusOf(ended.data.pdfUrl)];
  await send(service, { method: "DELETE", path: `/documents/${id}` }, authorization);
  const { data } = await bodyOf<DocumentJson>(tenant.accountId, id);

  expect(statuses).toEqual([404, 200]);
  expect([data.pdfUrl, data.fileUrl, data.linkExpiresAt, data.id]).toEqual([null, null, null, id]);
});

it("the payload of a public document is sent as it is stored, whatever its metadata says", async () => {
  const tenant = await newTenant(env);
  const metadata = { baseUrl: "https://a.test", access: "private", text: '},"baseUrl":"x"}' };
  const { id } = await createPrivate(tenant, { access: "public", metadata });

  const { payload } = await eventOf(tenant.accountId, id);

  expect(JSON.stringify(await bodyOf(tenant.accountId, id))).toBe(payload);
  expect(Object.keys(JSON.parse(payload) as object)).toEqual(["type", "timestamp", "data"]);
});

it("the webhook of a private document that fails says that it is private, and has no link", async () => {
  const tenant = await newTenant(env);
  service.render = renderNothing;
  await post(service, tenant, { templateId: tenant.templateId, data: {}, access: "private", webhookUrl });
  const { items: events } = await webhookStore(databases).list(tenant.accountId, {}, { limit: 1, offset: 0 });

  const { type, data } = await bodyOf<DocumentJson>(tenant.accountId, events[0]?.documentId ?? "");

  expect([type, data.access, data.pdfUrl, data.linkExpiresAt]).toEqual(["document.failed", "private", null, null]);
});

it("the webhook of a private batch has fresh links to its merged files at each attempt", async () => {
  silenceObjects();
  const tenant = await newTenant(env, { plan: "pro" });
  laterRenders.set(tenant.accountId, (job) => renderPdf(job));
  const body = { items: items(2), output: ["merged"], access: "private", linkExpiresIn: 120, webhookUrl };
  const { id } = await dataOf(await postBatch(service, tenant, body));
  const record = await ended(service, tenant, id);

  const { type, data } = await bodyOf<BatchRecord>(tenant.accountId, id);
  const later = await bodyOf<BatchRecord>(tenant.accountId, id, 3_600);

  expect(JSON.parse((await eventOf(tenant.accountId, id)).payload)).toMatchObject({ data: { files: [] } });
  expect([type, data.access, data.files.length]).toEqual(["batch.completed", "private", 1]);
  expect(data.files[0]?.url.startsWith(`${origin}/links/`)).toBe(true);
  expect(await statusOf(data.files[0]?.url ?? null)).toBe(200);
  expect(later.data.files[0]?.linkExpiresAt?.localeCompare(data.files[0]?.linkExpiresAt ?? "")).toBe(1);
  expect({ ...data, files: [] }).toEqual({ ...record, files: [] });
  await send(service, { method: "DELETE", path: `/batches/${id}` }, { Authorization: `Bearer ${tenant.key}` });
  expect((await bodyOf<BatchRecord>(tenant.accountId, id)).data.files).toEqual([]);
});
