// Repair passes over single kinds of damage, on real D1, R2 and objects.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { newFileKey } from "../../../src/core/documents/document.ts";
import { documentStore } from "../../../src/platform/documents/document-store.ts";
import { inAllShards, shardOf } from "../../fixtures/databases.ts";
import { completedDocument, eventOf } from "../../fixtures/documents.ts";
import { get, newTenant, type Tenant } from "../../fixtures/tenant.ts";
import { databases, create, dataOf, quotaOf, refusalOf, usageOf, silenceObjects, newWorld } from "../app.ts";
import { laterServices, repairEverything, runPass } from "./passes.ts";

const documents = documentStore(databases);

beforeEach(async () => {
  silenceObjects();
  await repairEverything();
});

const owner = "11111111-1111-4111-8111-111111111111";

it("data of removed batches and templates is removed, while data that is in use or new is kept", async () => {
  const tenant = await newTenant(env);
  const used = (await env.TEMPLATES.list({ prefix: `${tenant.accountId}/` })).objects.map(({ key }) => key);
  const merged = [newFileKey("pdf"), newFileKey("pdf")].map((key) => key.replace(".pdf", ".merged.pdf"));
  const [owned = "", unknown = ""] = merged;
  await env.FILES.put(owned, "%PDF-1.7", { customMetadata: { accountId: owner, batchId: owner } });
  await env.FILES.put(unknown, "%PDF-1.7");
  const contents = [
    `${owner}/batches/${owner}/items.ndjson`,
    ...["json", "zip"].map((end) => `${owner}/${owner}/${"0".repeat(64)}.${end}`),
    `${tenant.accountId}/${tenant.templateId}/${"0".repeat(64)}.json`,
  ];
  for (const key of contents) await env.TEMPLATES.put(key, "{}");
  const left = async () => {
    const objects = [...merged.map((key) => env.FILES.head(key)), ...contents.map((key) => env.TEMPLATES.head(key))];
    return (await Promise.all(objects)).filter((object) => object !== null).length;
  };

  await runPass(laterServices());
  const afterMinutes = await left();
  const later = laterServices({ now: () => Date.now() + 25 * 3_600_000 });
  const { repairs } = await runPass(later, { from: { phase: "files", after: "" } });

  expect([afterMinutes, await left()]).toEqual([contents.length, 0]);
  expect(repairs.filter(({ kind }) => kind === "unused_content")).toHaveLength(contents.length);
  expect(await Promise.all(used.map((key) => env.TEMPLATES.head(key)))).not.toContain(null);
});

it("a completed document without a file becomes a failed document with this reason, while its render remains counted", async () => {
  const { tenant, service } = await newWorld();
  const created = await dataOf(await create(service, tenant));
  await env.FILES.delete(created.pdfUrl?.split("/").at(-1) ?? "");

  const { repairs } = await runPass(laterServices());

  expect(repairs).toEqual([{ kind: "document_without_file", accountId: tenant.accountId, documentId: created.id }]);
  const record = await dataOf(await get(service, tenant, `/documents/${created.id}`));
  expect(record).toMatchObject({ status: "failed", pdfUrl: null, completedAt: null, sha256: null });
  expect(record.error?.message).toMatch(/file of this document was lost/);
  expect(await usageOf(tenant)).toEqual({ used: 1, reserved: 0 });
  expect((await runPass(laterServices())).repairs).toEqual([]);
});

it("a repeat of a create whose file was lost fails with the advice to use a new key", async () => {
  const { tenant, service } = await newWorld();
  const created = await dataOf(await create(service, tenant, { "Idempotency-Key": "k" }));
  await env.FILES.delete(created.pdfUrl?.split("/").at(-1) ?? "");
  await runPass(laterServices());

  const refusal = await refusalOf(await create(service, tenant, { "Idempotency-Key": "k" }));

  expect(refusal).toMatchObject({ status: 404, code: "DOCUMENT_NOT_FOUND" });
  expect(refusal.message).toMatch(/file.*lost.*new key/);
});

it("an account's quota takes the number of completed documents from D1 if its own number differs", async () => {
  const { tenant, service } = await newWorld();
  const { id } = await dataOf(await create(service, tenant));
  await create(service, tenant);
  const { month } = (await documents.find(tenant.accountId, id)) ?? { month: "" };
  await runInDurableObject(quotaOf(tenant), (_, { storage }) => {
    storage.sql.exec("UPDATE months SET committed = 7");
  });

  const { repairs } = await runPass(laterServices());

  expect(repairs).toEqual([{ kind: "wrong_count", accountId: tenant.accountId, month, committed: 7, completed: 2 }]);
  expect(await usageOf(tenant)).toEqual({ used: 2, reserved: 0 });
});

it("a pass does not create the quota of an account that has never rendered", async () => {
  const tenant = await newTenant(env);

  await runPass(laterServices());

  const tables = await runInDurableObject(quotaOf(tenant), (_, { storage }) =>
    storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'holds'").toArray(),
  );
  expect(tables).toEqual([]);
});

it("a webhook sender whose alarm was lost starts the due deliveries", async () => {
  const tenant = await newTenant(env);
  const event = await overdueEvent(tenant);
  const sender = env.WEBHOOK_SENDER.get(env.WEBHOOK_SENDER.idFromName(tenant.accountId));
  await sender.accept(tenant.accountId, [event.id]);
  await vi.waitUntil(async () => (await statusOf(event.id)) === "dead", { timeout: 10_000, interval: 20 });
  await runInDurableObject(sender, (_, { storage }) => {
    storage.sql.exec("UPDATE deliveries SET state = 'waiting', due = 1");
    return storage.deleteAlarm();
  });
  await evictDurableObject(sender);

  const { repairs } = await runPass(laterServices());

  expect(repairs).toEqual([{ kind: "missing_alarm", accountId: tenant.accountId, object: "WebhookSender" }]);
  await vi.waitUntil(async () => (await deliveryState(tenant)) === "done", { timeout: 10_000, interval: 20 });
});

/** Inserts an event whose queue message was lost. Its sender refuses the URL, so the first attempt ends the delivery. */
async function overdueEvent({ accountId }: Pick<Tenant, "accountId">) {
  const document = completedDocument({ accountId, fileKey: newFileKey("pdf") });
  const event = eventOf(document, { url: "http://127.0.0.1:1/webhook", createdAt: Date.now() });
  await documents.insert(document, event);
  const shard = await shardOf(env, accountId);
  await shard.prepare("DELETE FROM documents WHERE id = ?").bind(document.id).run();
  await shard.prepare("DELETE FROM document_counts WHERE account_id = ?").bind(accountId).run();
  return event;
}

async function statusOf(eventId: string): Promise<string | undefined> {
  const select = "SELECT status FROM webhook_events WHERE id = ?";
  return (await inAllShards<{ status: string }>(env, select, eventId))[0]?.status;
}

async function deliveryState({ accountId }: Pick<Tenant, "accountId">): Promise<string | undefined> {
  const sender = env.WEBHOOK_SENDER.get(env.WEBHOOK_SENDER.idFromName(accountId));
  return runInDurableObject(sender, (_, { storage }) => {
    return storage.sql.exec<{ state: string }>("SELECT state FROM deliveries").one().state;
  });
}
