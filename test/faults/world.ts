// One seed: an account, two hundred operations under faults, then quiet, then the books are checked against what is there.
import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createApp } from "../../src/http/app.ts";
import { monthOf } from "../../src/core/accounts/month.ts";
import { d1Client } from "../../src/platform/d1/d1-client.ts";
import { documentStore } from "../../src/platform/documents/document-store.ts";
import { fileStore, putFileOnce } from "../../src/platform/documents/file-store.ts";
import { sha256Hex } from "../../src/core/encoding.ts";
import type { Renderer } from "../../src/ports.ts";
import type { RenderOutcome } from "../../src/core/rendering/render-job.ts";
import type { StoredDocument } from "../../src/core/documents/document.ts";
import { dispatchOverdueWebhooks } from "../../src/operations/webhooks/dispatch-webhooks.ts";
import { dispatchServices, requestServices } from "../../src/services.ts";
import { baseUrl, newTenant, type Tenant } from "../fixtures/tenant.ts";
import { chaosOf, faulty, faultyD1, newLife, type Chaos, type Life } from "./chaos.ts";
import { inObjects } from "./worker.ts";

export type Report = { problems: string[]; completed: number; answers: Map<number, number> };

/** Longer than any create can take under the shortened deadlines, as the real lease is. */
const leaseMs = 700;
const limit = 40;

/** Allowed at a create, and refused at the delivery: its one attempt ends it, and nothing is sent anywhere. */
const callbackUrl = "http://127.0.0.1:1/webhook";

type World = {
  chaos: Chaos;
  tenant: Tenant;
  fileKeys: Set<string>;
  documentsByKey: Map<string, Set<string>>;
  known: string[];
  problems: string[];
  answers: Map<number, number>;
};

export async function runSeed(seed: number, operations: number): Promise<Report> {
  inObjects.chaos = chaosOf(seed + 1, 0);
  const tenant = await newTenant(env, { page: "<p>x</p>", fields: [] });
  const chaos = chaosOf(seed, 0.06);
  inObjects.chaos = chaosOf(seed + 1, 0.06);
  const world: World = {
    ...{ chaos, tenant, fileKeys: new Set<string>(), documentsByKey: new Map<string, Set<string>>() },
    ...{ known: [], problems: [], answers: new Map<number, number>() },
  };
  for (let done = 0; done < operations;) {
    const together = Math.min(operations - done, 1 + Math.floor(chaos.random() * 12));
    await Promise.all(Array.from({ length: together }, () => operate(world)));
    done += together;
  }
  await settle(world);
  await checkInvariants(world);
  return { problems: world.problems, completed: world.known.length, answers: world.answers };
}

async function operate(world: World): Promise<void> {
  const draw = world.chaos.random();
  if (draw < 0.68) return create(world);
  if (draw < 0.8) return remove(world);
  if (draw < 0.85) return void (await request(world, "GET", "/usage"));
  if (draw < 0.95) return void (await runDurableObjectAlarm(quotaObject(world)));
  if (draw < 0.98) return evictDurableObject(quotaObject(world)).catch(() => {}); // It was not running.
  return abortAllDurableObjects();
}

async function create(world: World): Promise<void> {
  const { chaos } = world;
  const key = chaos.random() < 0.4 ? `key-${Math.floor(chaos.random() * 20)}` : null;
  const headers: Record<string, string> = key ? { "Idempotency-Key": key } : {};
  const webhookUrl = chaos.random() < 0.6 ? callbackUrl : undefined;
  const body = JSON.stringify({ templateId: world.tenant.templateId, data: {}, webhookUrl });
  const answer = await request(world, "POST", "/documents", { headers, body });
  if (answer?.status !== 201) return;
  const { data } = await answer.json<{ data: { id: string } }>();
  world.known.push(data.id);
  if (!key) return;
  const ids = world.documentsByKey.get(key) ?? new Set<string>();
  world.documentsByKey.set(key, ids.add(data.id));
}

async function remove(world: World): Promise<void> {
  if (world.known.length > 0) await request(world, "DELETE", `/documents/${world.chaos.pick(world.known)}`);
}

/** Null when the maker was killed. Every answer has to wear the envelope. */
async function request(world: World, method: string, path: string, init: RequestInit = {}): Promise<Response | null> {
  const life = newLife();
  const app = createApp({ servicesOf: () => faultyServices(world, life), log: () => {} });
  const headers = {
    Authorization: `Bearer ${world.tenant.key}`,
    "Content-Type": "application/json",
    ...(init.headers as Record<string, string> | undefined),
  };
  const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} } as unknown as ExecutionContext;
  const answering = app.fetch(new Request(`${baseUrl}${path}`, { ...init, method, headers }), env, context);
  const answer = await Promise.race([answering, life.over.then(() => null)]);
  if (!answer) return null;
  world.answers.set(answer.status, (world.answers.get(answer.status) ?? 0) + 1);
  const parsed = await answer.clone().json<{ success?: boolean; meta?: { requestId?: string } }>();
  if (parsed.success !== answer.ok || !parsed.meta?.requestId)
    world.problems.push(`I7: ${answer.status} without the envelope`);
  return answer;
}

function faultyServices(world: World, life: Life) {
  const { chaos } = world;
  const bindings = {
    ...env,
    DB: faultyD1(chaos, life, env.DB),
    FILES: faulty(chaos, life, env.FILES, "FILES", ["put", "head", "get", "delete"]),
    WEBHOOKS: faulty(chaos, life, env.WEBHOOKS, "WEBHOOKS", ["send"]),
    ACCOUNT_QUOTA: new Proxy(env.ACCOUNT_QUOTA, {
      get: (namespace, property) =>
        property === "get"
          ? (id: DurableObjectId) =>
              faulty(chaos, life, namespace.get(id), "ACCOUNT_QUOTA", [
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
    find: async (keyId: string) => {
      const known = await requestServices(env, () => {}).keys.find(keyId);
      return (
        known && { ...known, account: { ...known.account, plan: { ...known.account.plan, monthlyRenders: limit } } }
      );
    },
  };
  return {
    ...services,
    keys,
    settings,
    log: () => {},
    renderer: fakeRenderer(world, life, bindings),
    background: quietly,
  };
}

/** What goes on behind the answer may fail or never end, like the rest. */
function quietly(_what: string, work: Promise<unknown>): void {
  work.catch(() => {});
}

function fakeRenderer({ chaos, fileKeys }: World, life: Life, bindings: Env): Renderer {
  const others: RenderOutcome[] = [
    { status: "impossible", message: "no" },
    { status: "no_capacity", retryAfterSeconds: 1 },
    { status: "timed_out" },
    { status: "crashed", reason: "gone" },
  ];
  return {
    async render(job) {
      if (life.isOver) return new Promise<never>(() => {});
      if (chaos.random() < 0.12) return chaos.pick(others);
      fileKeys.add(job.fileKey);
      const bytes = new TextEncoder().encode(job.fileKey) as Uint8Array<ArrayBuffer>;
      const metadata = { fileSize: bytes.length, sha256: await sha256Hex(bytes), pageCount: 1, warnings: [] };
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

/** Faults end, leases pass, alarms run until nothing is held. */
async function settle(world: World): Promise<void> {
  world.chaos.rate = 0;
  inObjects.chaos.rate = 0;
  await new Promise((resolve) => setTimeout(resolve, leaseMs + 300));
  for (let round = 0; round < 5; round++) await runDurableObjectAlarm(quotaObject(world));
  // As the clock does later, when a lost message counts as lost.
  await dispatchOverdueWebhooks({ ...dispatchServices(env), now: () => Date.now() + 60_000 });
}

async function checkInvariants({ tenant, fileKeys, documentsByKey, problems }: World): Promise<void> {
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
    if (ids.size > 1) problems.push(`idempotency: ${key} answered with ${ids.size} documents`);
  }
}

/** I6: what was held and asked for a webhook, and came to something, has exactly one event, and that one says to what. */
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
    if (stored && type !== `document.${stored.status}`) problems.push(`I6: ${id} is ${stored.status}, told as ${type}`);
  }
  for (const { document_id: id, status, next_attempt_at: next, dispatch_at: accept } of events) {
    if (!asked.includes(id)) problems.push(`I6: ${id} has an event that nobody asked for`);
    if (status === "pending" && (next === null || accept !== null)) problems.push(`I6: the event of ${id} is lost`);
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

function quotaObject({ tenant }: Pick<World, "tenant">) {
  return env.ACCOUNT_QUOTA.get(env.ACCOUNT_QUOTA.idFromName(tenant.accountId));
}
