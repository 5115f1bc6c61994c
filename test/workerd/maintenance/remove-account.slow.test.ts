// The deletion of a whole account, on real D1, R2 and objects.
import { createExecutionContext, runInDurableObject, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { testAccountId } from "../../../src/core/accounts/account.ts";
import type { Batch } from "../../../src/core/batches/batch.ts";
import { mergedFileKey } from "../../../src/core/batches/item-ids.ts";
import { createKey, updateAccount } from "../../../src/operations/accounts/manage-accounts.ts";
import { removeAccount } from "../../../src/operations/maintenance/remove-account.ts";
import { runMaintenance } from "../../../src/operations/maintenance/run-maintenance.ts";
import { importRows } from "../../../src/operations/manage/import-account.ts";
import type { MaintenanceServices } from "../../../src/ports/services.ts";
import { maintenanceServices } from "../../../src/services/maintenance-services.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { requestServices } from "../../../src/services/request-services.ts";
import { filesOf } from "../../../src/services/shared-services.ts";
import { readShards } from "../../../src/settings.ts";
import { shardOf } from "../../fixtures/databases.ts";
import { describedApp } from "../../fixtures/described-app.ts";
import { get, newTenant, post, type Tenant } from "../../fixtures/tenant.ts";
import { controlledRenders, create, dataOf, tenantWithNewKey, testService, unknownId, silenceObjects } from "../app.ts";
import { ended, items, postBatch, renderPdf } from "../batches/batches.ts";
import { callerOf, manageUrl, operatorKey, zipOf } from "../manage/manage.ts";
import { laterRenders } from "../worker.ts";
import { laterServices, loseAlarm } from "./passes.ts";

const service = testService();
const localWebhooks = testService(({ settings }) => ({
  settings: {
    ...settings,
    webhookUrls: { allowedOrigins: new Set(["http://127.0.0.1:1"]), ownHosts: new Set<string>() },
  },
}));

beforeEach(silenceObjects);

/** Returns a tenant with two documents, one of them with a recorded download, and the other one with a webhook event. */
async function tenantWithData(): Promise<Tenant> {
  const tenant = await newTenant(env);
  await updateAccount(operatorServices(env), tenant.accountId, { recordDownloads: true });
  const { id } = await dataOf(await create(service, tenant, { "Idempotency-Key": "k" }));
  await get(service, tenant, `/documents/${id}/download`);
  await createWithWebhook(tenant);
  return tenant;
}

async function createWithWebhook(tenant: Tenant): Promise<void> {
  const body = { templateId: tenant.templateId, data: {}, webhookUrl: "http://127.0.0.1:1/webhook" };
  await post(localWebhooks, tenant, body);
  await vi.waitUntil(async () => (await deliveries(tenant)) > 0, { timeout: 10_000, interval: 20 });
}

function senderOf({ accountId }: Pick<Tenant, "accountId">) {
  return env.WEBHOOK_SENDER.get(env.WEBHOOK_SENDER.idFromName(accountId));
}

function deliveries(tenant: Tenant): Promise<number> {
  return runInDurableObject(senderOf(tenant), (_, { storage }) => {
    const exists = storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'deliveries'").toArray().length > 0;
    return exists ? storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM deliveries").one().n : 0;
  });
}

function markDeleted({ accountId }: Tenant): Promise<number | null> {
  return operatorServices(env).archive.markDeleted(accountId, Date.now());
}

async function removeAll(services: MaintenanceServices, { accountId }: Tenant): Promise<void> {
  for (let step = 0; step < 20; step++) {
    if ((await removeAccount(services, accountId)).status === "removed") return;
  }
  throw new Error("the account was not removed in twenty steps");
}

/** Returns the keys of all objects in all buckets. */
async function allObjects(): Promise<string[]> {
  const keys: string[] = [];
  for (const bucket of [env.FILES, env.PRIVATE_FILES, env.TEMPLATES]) {
    for (let cursor: string | undefined, more = true; more;) {
      const listed = await bucket.list(cursor ? { cursor } : {});
      keys.push(...listed.objects.map(({ key }) => key));
      [more, cursor] = [listed.truncated, listed.truncated ? listed.cursor : undefined];
    }
  }
  return keys;
}

/** Returns every table of each database with a row in which the id occurs, and everything else that stores something of the account. */
async function left({ accountId }: Tenant): Promise<string[]> {
  const tables =
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf*' AND name NOT GLOB 'sqlite_*'";
  const found: string[] = [];
  for (const shard of readShards(env).values()) {
    for (const { name } of (await shard.prepare(tables).all<{ name: string }>()).results) {
      const { results } = await shard.prepare(`SELECT * FROM ${name}`).all();
      if (results.some((row) => JSON.stringify(row).includes(accountId))) found.push(name);
    }
  }
  for (const namespace of ["ACCOUNT_QUOTA", "WEBHOOK_SENDER", "BATCH_RUNNER"] as const) {
    for (const name of [accountId, testAccountId(accountId)]) {
      const stub = env[namespace].get(env[namespace].idFromName(name));
      const isEmpty = await runInDurableObject<DurableObject, boolean>(stub, async (_, { storage }) => {
        const stored = storage.sql.exec(tables).toArray().length + [...storage.kv.list()].length;
        return stored === 0 && (await storage.getAlarm()) === null;
      });
      if (!isEmpty) found.push(`${namespace} of ${name}`);
    }
  }
  const contents = await env.TEMPLATES.list({ prefix: `${accountId}/` });
  return contents.objects.length > 0 ? [...found, "template contents"] : found;
}

/** Performs all actions that store data, with a live and a test key. Returns the ids of the batches that have ended. */
async function useEverything(tenant: Tenant): Promise<void> {
  const services = operatorServices(env);
  const test = await createKey(services, tenant.accountId, { name: "test", isTest: true });
  const callers = [tenant, { ...tenant, key: test?.key ?? "" }];
  for (const [at, caller] of callers.entries()) {
    const owner = at === 0 ? tenant.accountId : testAccountId(tenant.accountId);
    laterRenders.set(owner, (job) => renderPdf(job));
    await create(service, caller, { "Idempotency-Key": "k" });
    const merged = { items: items(3), output: ["documents", "merged"] };
    const closed = await dataOf(await postBatch(service, caller, { ...merged, access: "private" }));
    expect((await ended(service, caller, closed.id)).files).toHaveLength(1);
    const { id } = await dataOf(await postBatch(service, caller, merged, { "Idempotency-Key": "b" }));
    expect((await ended(service, caller, id)).files).toHaveLength(1);
    // The state of a merge that was interrupted after its second file.
    const runner = env.BATCH_RUNNER.get(env.BATCH_RUNNER.idFromName(owner));
    const batch = await runInDurableObject<DurableObject, Batch>(runner, (_, { storage }) => {
      const { batch } = storage.sql.exec<{ batch: string }>("SELECT batch FROM batch_inputs").toArray()[0] ?? {
        batch: "{}",
      };
      return JSON.parse(batch) as Batch;
    });
    await filesOf(env).put(mergedFileKey(batch, 1), new TextEncoder().encode("%PDF-1.7"), {});
    laterRenders.set(owner, async (job) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return renderPdf(job);
    });
    await postBatch(service, caller, { items: items(40), output: ["merged"] });
    await postBatch(service, caller, { items: items(40), output: ["merged"], access: "private" });
    const attachments = [{ name: "a", mimeType: "text/plain", relationship: "data", content: "YQ==" }];
    await postBatch(service, caller, { items: items(40).map((item) => ({ ...item, attachments })) });
    const later = { templateId: tenant.templateId, data: {}, attachments };
    await post(service, caller, later, { Prefer: "respond-async" });
  }
  await callerOf(tenant).ok("PUT", "/templates/own", zipOf("<p>Hello</p>"), 201);
  await callerOf(tenant).ok("POST", "/webhook-secrets/rotate");
  await env.TEMPLATES.put(`${tenant.accountId}/${unknownId}/${"0".repeat(64)}.json`, "{}");
}

async function fileKeysOf({ accountId }: Tenant): Promise<string[]> {
  const shard = await shardOf(env, accountId);
  const rows = await shard.prepare("SELECT file_key FROM documents WHERE account_id = ?").bind(accountId).all();
  return rows.results.map((row) => String(row["file_key"]));
}

it("a link to a private document ends when its account is removed", async () => {
  const tenant = await newTenant(env);
  const body = { templateId: tenant.templateId, data: {}, access: "private" };
  const { pdfUrl } = await dataOf(await post(service, tenant, body));
  const open = async () => (await service.fetch(pdfUrl ?? "")).status;
  const before = await open();

  await loseAlarm(tenant);
  await markDeleted(tenant);
  await removeAll(laterServices(), tenant);

  expect([before, await open()]).toEqual([200, 404]);
});

it("the removal of an account leaves no data in the buckets, the database and the objects, whatever the account is doing", async () => {
  const before = new Set(await allObjects());
  const tenant = await newTenant(env, { plan: "pro" });
  await useEverything(tenant);
  const used = await left(tenant);
  await markDeleted(tenant);

  await removeAll(laterServices(), tenant);

  expect(used).toEqual(expect.arrayContaining(["documents", `BATCH_RUNNER of ${testAccountId(tenant.accountId)}`]));
  expect(await left(tenant)).toEqual([]);
  expect((await allObjects()).filter((key) => !before.has(key))).toEqual([]);
});

it("a removed account can be imported again immediately, with batches and webhooks", async () => {
  const tenant = await tenantWithData();
  const { id } = await dataOf(await postBatch(service, tenant, { items: items(1) }));
  await ended(service, tenant, id);
  const { transfer } = operatorServices(env);
  const parts = [null, "templates", "templateVersions"].map((cursor) => transfer.read(tenant.accountId, cursor));
  const rows = (await Promise.all(parts)).flatMap((part) => part.rows);
  const contents = (await env.TEMPLATES.list({ prefix: `${tenant.accountId}/${tenant.templateId}/` })).objects;
  const kept = await Promise.all(contents.map(async ({ key }) => [key, await (await env.TEMPLATES.get(key))?.text()]));
  await loseAlarm(tenant);
  await markDeleted(tenant);
  await removeAll(laterServices(), tenant);

  for (const [key = "", text = ""] of kept) await env.TEMPLATES.put(key, text);
  await importRows(operatorServices(env), laterServices(), tenant.accountId, rows);
  const again = await tenantWithNewKey(tenant);

  const batch = await dataOf(await postBatch(service, again, { items: items(3) }));
  expect((await ended(service, again, batch.id)).counts).toMatchObject({ completed: 3 });
  await createWithWebhook(again);
});

it("the removal of an account leaves no data if a late queue message names one of the account's events", async () => {
  const tenant = await tenantWithData();
  await loseAlarm(tenant);
  await markDeleted(tenant);
  await removeAll(laterServices(), tenant);

  await senderOf(tenant).accept(tenant.accountId, ["evt_late"]);

  expect(await left(tenant)).toEqual([]);
});

it("the removal of a deleted account does not affect other accounts", async () => {
  const other = await tenantWithData();
  const tenant = await newTenant(env);
  await markDeleted(tenant);

  await removeAll(laterServices(), tenant);

  expect((await get(service, other, "/documents")).status).toBe(200);
  expect(await fileKeysOf(other)).toHaveLength(2);
  expect(await left(other)).toEqual(
    expect.arrayContaining([
      "documents",
      "document_downloads",
      "webhook_events",
      `ACCOUNT_QUOTA of ${other.accountId}`,
    ]),
  );
});

it("the removal of an account includes the document of a create that was running when the account was deleted", async () => {
  const own = testService();
  const renders = controlledRenders(own);
  const tenant = await newTenant(env);
  const creating = create(own, tenant);
  await renders.started(1);
  await markDeleted(tenant);
  const during = await removeAccount(laterServices(), tenant.accountId);
  renders.finishAll();
  const response = await creating;
  const files = await fileKeysOf(tenant);

  await removeAll(laterServices(), tenant);

  expect(during.status).toBe("waiting");
  expect(response.status).toBe(201);
  expect(await left(tenant)).toEqual([]);
  expect(await Promise.all(files.map((key) => env.FILES.head(key)))).toEqual([null]);
});

it("the removal of a deleted account is continued by the scheduled run after any interruption", async () => {
  for (let step = 1; ; step++) {
    const tenant = await tenantWithData();
    const files = await fileKeysOf(tenant);
    await loseAlarm(tenant);
    await markDeleted(tenant);
    const interruption = interruptAt(step);
    await removeAll(interruption.wrap(laterServices()), tenant).catch(() => {});

    await runMaintenance(laterServices());

    expect(await left(tenant), `interrupted at call ${step}`).toEqual([]);
    expect(await Promise.all(files.map((key) => env.FILES.head(key)))).toEqual([null, null]);
    if (!interruption.hasHappened()) break;
    expect(step).toBeLessThan(60);
  }
}, 180_000);

it("an account that is deleted again keeps the time of its first deletion", async () => {
  const tenant = await newTenant(env);
  const { archive } = operatorServices(env);
  await archive.markDeleted(tenant.accountId, 1_000);

  expect(await archive.markDeleted(tenant.accountId, 2_000)).toBe(1_000);
  expect(await archive.markDeleted("unknown", 2_000)).toBeNull();
});

const deletion = async (maintenance: MaintenanceServices, accountId: string) => {
  const app = describedApp({ servicesOf: requestServices, maintenanceServicesOf: () => maintenance, log: () => {} });
  const context = createExecutionContext();
  const headers = { Authorization: `Bearer ${operatorKey}` };
  const request = new Request(`${manageUrl}/admin/accounts/${accountId}`, { method: "DELETE", headers });
  const response = await app.fetch(request, env, context);
  await waitOnExecutionContext(context);
  return response;
};

it("each DELETE of an account by the operator removes a part of it, and reports when everything is removed", async () => {
  const tenant = await tenantWithData();
  await loseAlarm(tenant);
  const statuses: string[] = [];

  for (let step = 0; step < 20 && statuses.at(-1) !== "removed"; step++) {
    const response = await deletion(step === 0 ? maintenanceServices(env) : laterServices(), tenant.accountId);
    statuses.push((await dataOf<{ status: string }>(response)).status);
  }

  expect(new Set(statuses)).toEqual(new Set(["waiting", "removing", "removed"]));
  expect(await left(tenant)).toEqual([]);
});

/** Makes call number `step` of any port fail after it has taken effect, and every later call before it takes effect. */
function interruptAt(step: number) {
  let calls = 0;
  const wrapPort = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get: (target, property) => {
        const method = (target as Record<string | symbol, unknown>)[property];
        if (typeof method !== "function") return method;
        return async (...args: unknown[]) => {
          calls++;
          if (calls > step) throw new Error("interrupted");
          const result: unknown = await method.apply(target, args);
          if (calls === step) throw new Error("interrupted");
          return result;
        };
      },
    });
  const ports = ["files", "accounts", "templates", "objects"] as const;
  return {
    wrap: (services: MaintenanceServices): MaintenanceServices => {
      const wrapped = ports.map((name) => [name, wrapPort(services[name])]);
      const shardOf: MaintenanceServices["shardOf"] = async (accountId) => {
        const { documents, events } = await services.shardOf(accountId);
        return { documents: wrapPort(documents), events: wrapPort(events) };
      };
      return { ...services, ...(Object.fromEntries(wrapped) as Partial<MaintenanceServices>), shardOf };
    },
    hasHappened: () => calls >= step,
  };
}
