// The Worker of the service with extra routes for benchmarks. The routes reserve and commit holds, return the durations
// of binding calls, measure timers, and record documents as completed without a render. Binding calls can also be
// delayed.
import { createApp } from "../src/http/app.ts";
import { BrowserPool as PlainBrowserPool } from "../src/objects/browser-pool.ts";
import { jsonLog } from "../src/platform/json-log.ts";
import type { CompletedDocument } from "../src/core/documents/document.ts";
import worker from "../src/index.ts";
import { createAccount } from "../src/operations/accounts/manage-accounts.ts";
import { recordDocument } from "../src/operations/documents/record-document.ts";
import type { Services } from "../src/ports/services.ts";
import { maintenanceServices } from "../src/services/maintenance-services.ts";
import { operatorServices } from "../src/services/operator-services.ts";
import { requestServices } from "../src/services/request-services.ts";
import { repeated } from "./harness/measure.ts";

export { AccountQuota } from "../src/objects/account-quota.ts";
export { WebhookSender } from "../src/objects/webhook-sender.ts";

/** The delay of each binding call in ms. Every API request sets it from its `X-Delay-Ms` header. */
let delayMs = 0;
/**
 * The durations in ms of all measured calls since `/timings` was last read, by the name of the call. The Durable
 * Objects of a local run share this variable with the Worker, because they run in the same isolate.
 */
let timings: Record<string, number[]> = {};

/** Delays a binding call by `delayMs`, and measures its duration including that delay. */
function watched<T>(name: string, call: () => Promise<T>): Promise<T> {
  return timed(name, async () => {
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    return call();
  });
}

async function timed<T>(name: string, call: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  try {
    return await call();
  } finally {
    (timings[name] ??= []).push(performance.now() - startedMs);
  }
}

/** Measures a request under the status of its response. */
async function timedByStatus(respond: () => Promise<Response>): Promise<Response> {
  const startedMs = performance.now();
  const response = await respond();
  (timings[`response ${response.status}`] ??= []).push(performance.now() - startedMs);
  return response;
}

type Method = (...args: unknown[]) => unknown;

/**
 * Returns a proxy of `target` that delays and measures the given methods. It calls them as members of `target`, because
 * the methods of a Durable Object's stub do not support `apply`.
 */
function watching<T extends object>(name: string, target: T, methods: string[]): T {
  const call = (property: string | symbol, args: unknown[]) =>
    (target as Record<string | symbol, Method>)[property]?.(...args);
  return new Proxy(target, {
    get(_, property) {
      if (typeof Reflect.get(target, property) !== "function") return Reflect.get(target, property);
      if (!methods.includes(String(property))) return (...args: unknown[]) => call(property, args);
      return (...args: unknown[]) => watched(`${name}.${String(property)}`, async () => call(property, args));
    },
  });
}

/** Returns a database that delays and measures every statement and every batch. */
function watchingD1(database: D1Database): D1Database {
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const watch = (statement: D1PreparedStatement): D1PreparedStatement => {
    const proxy = new Proxy(watching("DB", statement, ["run", "all", "raw", "first"]), {
      get: (watcher, property) =>
        property === "bind"
          ? (...values: unknown[]) => watch(statement.bind(...values))
          : Reflect.get(watcher, property),
    });
    originals.set(proxy, statement);
    return proxy;
  };
  const methods = {
    prepare: (sql: string) => watch(database.prepare(sql)),
    batch: (statements: D1PreparedStatement[]) =>
      watched("DB.batch", () => database.batch(statements.map((proxy) => originals.get(proxy) ?? proxy))),
  };
  return methods as unknown as D1Database;
}

function watchingEnv(env: Env): Env {
  const objects = (name: string, namespace: DurableObjectNamespace, methods: string[]) =>
    new Proxy(namespace, {
      get: (_, property) =>
        property === "get"
          ? (id: DurableObjectId, options?: DurableObjectNamespaceGetDurableObjectOptions) =>
              watching(name, namespace.get(id, options), methods)
          : (Reflect.get(namespace, property) as Method).bind(namespace),
    });
  return {
    ...env,
    DB: watchingD1(env.DB),
    TEMPLATES: watching("TEMPLATES", env.TEMPLATES, ["get"]),
    ACCOUNT_QUOTA: objects("ACCOUNT_QUOTA", env.ACCOUNT_QUOTA, ["reserve", "commit", "release"]),
    BROWSER_POOL: objects("BROWSER_POOL", env.BROWSER_POOL, ["render"]),
  } as Env;
}

export class BrowserPool extends PlainBrowserPool {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, { ...env, FILES: watching("FILES", env.FILES, ["put", "head"]) });
  }
}

const app = createApp({
  servicesOf: (env, waitUntil, request) => requestServices(watchingEnv(env), waitUntil, request),
  manageServicesOf: operatorServices,
  maintenanceServicesOf: maintenanceServices,
  log: jsonLog,
});

/** Reserves and commits `count` holds of one account, `parallel` at a time. Responds with the duration in ms. */
async function cycles(env: Env, count: number, parallel: number): Promise<Response> {
  const accountId = crypto.randomUUID();
  const object = env.ACCOUNT_QUOTA.get(env.ACCOUNT_QUOTA.idFromName(accountId));
  const cycle = async () => {
    const id = crypto.randomUUID();
    const draft = { id, accountId, month: "2026-11", fileKey: `${id}.pdf` };
    const hold = { draft, leaseMs: 90_000 };
    await object.reserve(JSON.stringify({ hold, limit: 1e6, inFlightLimit: 1e6, idempotency: null }));
    await object.commit(id);
  };
  const startedMs = Date.now();
  await repeated(parallel, count, cycle);
  return Response.json({ ms: Date.now() - startedMs });
}

/**
 * Responds with the average time in ms that a timer set to `ms` really takes. Timers fire late, so `benchHops`
 * calculates the slope from these times.
 */
async function observedDelay(ms: number): Promise<Response> {
  const times = 10;
  const startedMs = Date.now();
  for (let i = 0; i < times; i++) await new Promise((resolve) => setTimeout(resolve, ms));
  return Response.json({ ms: (Date.now() - startedMs) / times });
}

/** Records a completed document of the account, with an event for `webhookUrl`. */
async function endDocument(services: Services, accountId: string, webhookUrl: string): Promise<Response> {
  const document: CompletedDocument = {
    id: crypto.randomUUID(),
    accountId,
    templateId: crypto.randomUUID(),
    templateVersion: 1,
    format: "pdf",
    width: 794,
    height: 1123,
    deviceScaleFactor: 2,
    imageQuality: null,
    fileKey: "x.pdf",
    month: "2026-11",
    createdAt: Date.now(),
    expiresAt: null,
    filename: null,
    metadata: {},
    batchId: null,
    status: "completed",
    completedAt: Date.now(),
    pageCount: 1,
    fileSize: 1,
    sha256: "0",
    imageSize: null,
    warnings: [],
  };
  return Response.json(await recordDocument(services, document, { webhookUrl, cdnUrl: services.settings.cdnUrl }));
}

function takeTimings(): Response {
  const taken = timings;
  timings = {};
  return Response.json(taken);
}

export default {
  ...worker,
  async fetch(request, env, ctx) {
    const url = new URL(request.url);
    const text = (name: string) => url.searchParams.get(name) ?? "";
    const number = (name: string) => Number(text(name));
    if (url.pathname === "/timings") return takeTimings();
    if (url.pathname === "/delay") return observedDelay(number("ms"));
    if (url.pathname === "/cycles") return cycles(env, number("count"), number("parallel"));
    if (url.pathname === "/account") return Response.json(await createAccount(operatorServices(env), "Bench", "pro"));
    if (url.pathname === "/end") {
      const services = requestServices(env, (work) => ctx.waitUntil(work));
      return endDocument(services, text("account"), text("url"));
    }
    delayMs = Number(request.headers.get("X-Delay-Ms") ?? 0);
    return timed("request", () => timedByStatus(async () => app.fetch(request, env, ctx)));
  },
} satisfies ExportedHandler<Env>;
