// Runs random operations on one account while faults are injected. The operations and the faults are derived from one
// seed. Then stops the faults, waits until all leases have expired, and checks the invariants.
import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createApp } from "../../src/http/app.ts";
import type { ApiKeyParts } from "../../src/core/accounts/api-key.ts";
import { monthOf } from "../../src/core/accounts/month.ts";
import { d1Client } from "../../src/platform/d1/d1-client.ts";
import { documentStore } from "../../src/platform/documents/document-store.ts";
import { fileStore, putFileOnce } from "../../src/platform/documents/file-store.ts";
import { sha256Hex } from "../../src/core/encoding.ts";
import type { Renderer } from "../../src/ports/rendering.ts";
import type { RenderOutcome } from "../../src/core/rendering/render-job.ts";
import type { StoredDocument } from "../../src/core/documents/document.ts";
import { dispatchOverdueWebhooks } from "../../src/operations/webhooks/dispatch-webhooks.ts";
import { dispatchServices, requestServices } from "../../src/services.ts";
import { baseUrl, newTenant, type Tenant } from "../fixtures/tenant.ts";
import { faultSource, faulty, faultyD1, newInvocation, type FaultSource, type Invocation } from "./fault-injection.ts";
import { inObjects } from "./worker.ts";

export type Report = { problems: string[]; completed: number; responses: Map<number, number> };

/**
 * The lease of each hold, in ms. This is shorter than the real lease, but still longer than a create can take, because
 * the render budget is shorter as well.
 */
const leaseMs = 700;
const limit = 40;

/**
 * The API accepts this URL, but the webhook sender refuses the URL. The first attempt therefore ends the delivery without
 * sending a request.
 */
const webhookUrl = "http://127.0.0.1:1/webhook";

type SeedRun = {
  faults: FaultSource;
  tenant: Tenant;
  fileKeys: Set<string>;
  documentsByKey: Map<string, Set<string>>;
  known: string[];
  problems: string[];
  responses: Map<number, number>;
};

/** What the invariants are checked on. `limit` is the number of renders that the account may have in a month. */
export type CheckedRun = Pick<SeedRun, "tenant" | "fileKeys" | "documentsByKey" | "problems"> & { limit: number };

export async function runSeed(seed: number, operations: number): Promise<Report> {
  inObjects.faults = faultSource(seed + 1, 0);
  const tenant = await newTenant(env, { page: "<p>x</p>", fields: [] });
  const faults = faultSource(seed, 0.06);
  inObjects.faults = faultSource(seed + 1, 0.06);
  const run: SeedRun = {
    faults,
    tenant,
    fileKeys: new Set(),
    documentsByKey: new Map(),
    known: [],
    problems: [],
    responses: new Map(),
  };
  for (let done = 0; done < operations;) {
    const together = Math.min(operations - done, 1 + Math.floor(faults.random() * 12));
    await Promise.all(Array.from({ length: together }, () => operate(run)));
    done += together;
  }
  await settle(run);
  await checkInvariants({ ...run, limit });
  return { problems: run.problems, completed: run.known.length, responses: run.responses };
}

async function operate(run: SeedRun): Promise<void> {
  const draw = run.faults.random();
  if (draw < 0.68) return create(run);
  if (draw < 0.8) return remove(run);
  if (draw < 0.85) return void (await request(run, "GET", "/usage"));
  if (draw < 0.95) return void (await runDurableObjectAlarm(quotaObject(run)));
  if (draw < 0.98) return evictDurableObject(quotaObject(run)).catch(() => {}); // Rejects if the object was not running.
  return abortAllDurableObjects();
}

async function create(run: SeedRun): Promise<void> {
  const { faults } = run;
  const key = faults.random() < 0.4 ? `key-${Math.floor(faults.random() * 20)}` : null;
  const headers: Record<string, string> = key ? { "Idempotency-Key": key } : {};
  const requestedUrl = faults.random() < 0.6 ? webhookUrl : undefined;
  const body = JSON.stringify({ templateId: run.tenant.templateId, data: {}, webhookUrl: requestedUrl });
  const response = await request(run, "POST", "/documents", { headers, body });
  if (response?.status !== 201) return;
  const { data } = await response.json<{ data: { id: string } }>();
  run.known.push(data.id);
  if (!key) return;
  const ids = run.documentsByKey.get(key) ?? new Set<string>();
  run.documentsByKey.set(key, ids.add(data.id));
}

async function remove(run: SeedRun): Promise<void> {
  if (run.known.length > 0) await request(run, "DELETE", `/documents/${run.faults.pick(run.known)}`);
}

/** Sends a request. Returns null if the request is killed. Records a problem if the response lacks the envelope. */
async function request(run: SeedRun, method: string, path: string, init: RequestInit = {}): Promise<Response | null> {
  const invocation = newInvocation();
  const app = createApp({ servicesOf: () => faultyServices(run, invocation), log: () => {} });
  const headers = {
    Authorization: `Bearer ${run.tenant.key}`,
    "Content-Type": "application/json",
    ...(init.headers as Record<string, string> | undefined),
  };
  const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} } as unknown as ExecutionContext;
  const responding = app.fetch(new Request(`${baseUrl}${path}`, { ...init, method, headers }), env, context);
  const response = await Promise.race([responding, invocation.over.then(() => null)]);
  if (!response) return null;
  run.responses.set(response.status, (run.responses.get(response.status) ?? 0) + 1);
  const parsed = await response.clone().json<{ success?: boolean; meta?: { requestId?: string } }>();
  if (parsed.success !== response.ok || !parsed.meta?.requestId)
    run.problems.push(`I7: ${response.status} without the envelope`);
  return response;
}

function faultyServices(run: SeedRun, invocation: Invocation) {
  const { faults } = run;
  const bindings = {
    ...env,
    DB: faultyD1(faults, invocation, env.DB),
    FILES: faulty(faults, invocation, env.FILES, "FILES", ["put", "head", "get", "delete"]),
    WEBHOOKS: faulty(faults, invocation, env.WEBHOOKS, "WEBHOOKS", ["send"]),
    ACCOUNT_QUOTA: new Proxy(env.ACCOUNT_QUOTA, {
      get: (namespace, property) =>
        property === "get"
          ? (id: DurableObjectId) =>
              faulty(faults, invocation, namespace.get(id), "ACCOUNT_QUOTA", [
                "reserve",
                "lookUpKey",
                "commit",
                "release",
                "usage",
                "beginDelete",
              ])
          : (namespace as unknown as Record<string | symbol, (...args: unknown[]) => unknown>)[property]?.bind(
              namespace,
            ),
    }),
  } as unknown as Env;
  const services = requestServices(bindings, () => {});
  const settings = {
    ...services.settings,
    leaseMs,
    renderBudgetMs: 300,
    rendersInFlight: { free: 6, starter: 6, pro: 6, enterprise: 6 },
    webhookUrls: { allowedOrigins: new Set(["http://127.0.0.1:1"]), ownHosts: new Set<string>() },
  };
  const keys = {
    findAccount: async (key: ApiKeyParts) => {
      const account = await requestServices(env, () => {}).keys.findAccount(key);
      return account && { ...account, plan: { ...account.plan, monthlyRenders: limit } };
    },
  };
  return {
    ...services,
    keys,
    settings,
    log: () => {},
    renderer: fakeRenderer(run, invocation, bindings),
    background: ignoreFailure,
  };
}

/** Ignores failures of background work, because faults are injected into background work as well. */
function ignoreFailure(_what: string, work: Promise<unknown>): void {
  work.catch(() => {});
}

function fakeRenderer({ faults, fileKeys }: SeedRun, invocation: Invocation, bindings: Env): Renderer {
  const others: RenderOutcome[] = [
    { status: "impossible", message: "no" },
    { status: "no_capacity", retryAfterSeconds: 1 },
    { status: "timed_out" },
    { status: "crashed", reason: "gone" },
  ];
  return {
    async render(job) {
      if (invocation.isOver) return new Promise<never>(() => {});
      if (faults.random() < 0.12) return faults.pick(others);
      fileKeys.add(job.fileKey);
      const bytes = new TextEncoder().encode(job.fileKey) as Uint8Array<ArrayBuffer>;
      const metadata = {
        fileSize: bytes.length,
        sha256: await sha256Hex(bytes),
        width: 794,
        height: 1123,
        pageCount: 1,
        warnings: [],
      };
      try {
        const put = putFileOnce(bindings.FILES, job.fileKey, job.format, bytes, metadata);
        const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error("late")), 60));
        return { status: "rendered", ...(await Promise.race([put, late])) };
      } catch {
        return { status: "crashed", reason: "the file could not be stored" };
      }
    },
  };
}

/** Stops the faults, waits until all leases have expired, runs the alarms and dispatches overdue webhooks. */
async function settle(run: SeedRun): Promise<void> {
  run.faults.rate = 0;
  inObjects.faults.rate = 0;
  await new Promise((resolve) => setTimeout(resolve, leaseMs + 300));
  for (let round = 0; round < 5; round++) await runDurableObjectAlarm(quotaObject(run));
  // Dispatches overdue events, as the cron trigger does. The clock is one minute ahead, so that every event whose queue
  // message was lost is overdue.
  await dispatchOverdueWebhooks({ ...dispatchServices(env), now: () => Date.now() + 60_000 });
}

/** Adds the violations of invariants to `problems`. All leases must have ended. */
export async function checkInvariants(run: CheckedRun): Promise<void> {
  const { tenant, fileKeys, documentsByKey, problems, limit } = run;
  const month = monthOf(Date.now());
  const documents = documentStore(d1Client(env.DB, 5_000));
  const files = fileStore(env.FILES, 5_000);
  const { used, reserved } = await env.ACCOUNT_QUOTA.get(env.ACCOUNT_QUOTA.idFromName(tenant.accountId)).usage(month);
  const counted = await env.DB.prepare("SELECT sum(completed) AS n FROM document_counts WHERE account_id = ?")
    .bind(tenant.accountId)
    .first<{ n: number | null }>();
  const rows = (await documents.list(tenant.accountId, {}, { limit: 1_000, offset: 0 })).documents;
  if (used > limit) problems.push(`I1: ${used} of ${limit} used`);
  if (used !== (counted?.n ?? 0)) problems.push(`I2: ${used} committed, ${counted?.n} completed`);
  if (reserved > 0) problems.push(`I5: ${reserved} holds left`);
  const live = new Map(rows.filter(({ status }) => status === "completed").map((row) => [row.fileKey, row]));
  for (const [fileKey, row] of live) {
    const metadata = await files.metadata(fileKey);
    if (row.status === "completed" && metadata?.sha256 !== row.sha256) problems.push(`I3: ${row.id} has no file`);
  }
  for (const fileKey of fileKeys) {
    if (!live.has(fileKey) && (await files.metadata(fileKey))) problems.push(`I4: orphan file ${fileKey}`);
  }
  problems.push(...(await eventProblems(tenant, rows)));
  for (const [key, ids] of documentsByKey) {
    if (ids.size > 1) problems.push(`idempotency: ${key} made ${ids.size} documents`);
  }
}

/**
 * Returns the violations of invariant I6: each document with a webhook URL and an outcome has exactly one event, and the
 * event states that outcome.
 */
async function eventProblems(tenant: Tenant, rows: StoredDocument[]): Promise<string[]> {
  const asked = await runInDurableObject(quotaObject({ tenant }), (_, { storage }) =>
    storage.sql
      .exec<{ document_id: string }>("SELECT document_id FROM holds WHERE hold ->> '$.webhookUrl' IS NOT NULL")
      .toArray()
      .map((row) => row.document_id),
  );
  const deleted = await env.DB.prepare("SELECT id FROM deleted_documents").all<{ id: string }>();
  const wasDeleted = new Set(deleted.results.map(({ id }) => id));
  const { results: events } = await env.DB.prepare(
    "SELECT document_id, status, next_attempt_at, dispatch_at, payload FROM webhook_events WHERE account_id = ?",
  )
    .bind(tenant.accountId)
    .all<EventRow>();
  const problems: string[] = [];
  for (const id of asked) {
    const stored = rows.find((row) => row.id === id);
    const mine = events.filter((event) => event.document_id === id);
    const expected = stored || wasDeleted.has(id) ? 1 : 0;
    if (mine.length !== expected) problems.push(`I6: ${id} has ${mine.length} events instead of ${expected}`);
    const type = mine[0] && (JSON.parse(mine[0].payload) as { type: string }).type;
    if (stored && type !== `document.${stored.status}`)
      problems.push(`I6: ${id} is ${stored.status}, but its event says ${type}`);
  }
  for (const { document_id: id, status, next_attempt_at: next, dispatch_at: dispatch } of events) {
    if (!asked.includes(id)) problems.push(`I6: ${id} has an event but asked for no webhook`);
    if (status === "pending" && (next === null || dispatch !== null)) problems.push(`I6: the event of ${id} is lost`);
  }
  return problems;
}

type EventRow = {
  document_id: string;
  status: string;
  next_attempt_at: number | null;
  dispatch_at: number | null;
  payload: string;
};

function quotaObject({ tenant }: Pick<SeedRun, "tenant">) {
  return env.ACCOUNT_QUOTA.get(env.ACCOUNT_QUOTA.idFromName(tenant.accountId));
}
