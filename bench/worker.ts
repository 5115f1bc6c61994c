// The Worker with doors for measuring: the allowance's own speed, creates whose every binding call takes a while, and
// documents that end without being rendered.
import { createApp } from "../src/http/app.ts";
import { BrowserPool as FastBrowserPool } from "../src/objects/browser-pool.ts";
import { jsonLog } from "../src/platform/json-log.ts";
import type { CompletedDocument } from "../src/core/document.ts";
import worker from "../src/index.ts";
import { createAccount } from "../src/operations/accounts.ts";
import { recordDocument } from "../src/operations/record-document.ts";
import type { Services } from "../src/ports.ts";
import { operatorServices, requestServices } from "../src/services.ts";

export { AccountQuota } from "../src/objects/account-quota.ts";
export { CallbackSender } from "../src/objects/callback-sender.ts";

/** Milliseconds that each call to a binding takes longer; the driver sets it with every request. */
let delayMs = 0;

function delayed<T extends object>(target: T, methods: string[]): T {
  return new Proxy(target, {
    get(_, property) {
      const value = Reflect.get(target, property) as unknown;
      if (typeof value !== "function") return value;
      // Called on the target itself: a method of a stub is no function that could be applied.
      const call = (...args: unknown[]) =>
        (target as Record<string | symbol, (...a: unknown[]) => unknown>)[property]?.(...args);
      if (!methods.includes(String(property))) return call;
      return async (...args: unknown[]) => {
        await new Promise((resolve) => setTimeout(resolve, delayMs));
        return call(...args);
      };
    },
  });
}

/** D1's statements are delayed where they run, alone or in a batch. */
function delayedD1(database: D1Database): D1Database {
  const wait = () => new Promise((resolve) => setTimeout(resolve, delayMs));
  const slow = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get(_, property) {
        if (property === "bind") return (...values: unknown[]) => slow(statement.bind(...values));
        if (property === "original") return statement;
        const value = Reflect.get(statement, property) as (...args: unknown[]) => unknown;
        return async (...args: unknown[]) => {
          await wait();
          return value.apply(statement, args);
        };
      },
    });
  const original = (statement: D1PreparedStatement) => Reflect.get(statement, "original") as D1PreparedStatement;
  return {
    prepare: (sql: string) => slow(database.prepare(sql)),
    batch: async (statements: D1PreparedStatement[]) => {
      await wait();
      return database.batch(statements.map(original));
    },
  } as unknown as D1Database;
}

function delayedEnv(env: Env): Env {
  const objects = (namespace: DurableObjectNamespace, methods: string[]) =>
    new Proxy(namespace, {
      get: (_, property) =>
        property === "get"
          ? (id: DurableObjectId) => delayed(namespace.get(id), methods)
          : (Reflect.get(namespace, property) as (...args: unknown[]) => unknown).bind(namespace),
    });
  return {
    ...env,
    DB: delayedD1(env.DB),
    TEMPLATES: delayed(env.TEMPLATES, ["get"]),
    ACCOUNT_QUOTA: objects(env.ACCOUNT_QUOTA, ["reserve", "commit", "release"]),
    BROWSER_POOL: objects(env.BROWSER_POOL, ["render"]),
  } as Env;
}

export class BrowserPool extends FastBrowserPool {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, { ...env, FILES: delayed(env.FILES, ["put", "head"]) });
  }
}

const app = createApp({ servicesOf: (env, waitUntil) => requestServices(delayedEnv(env), waitUntil), log: jsonLog });

/** Reserves and commits `count` places of one account, `parallel` at a time; answers with the milliseconds it took. */
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
  let left = count;
  const startedMs = Date.now();
  const worker = async () => {
    while (left-- > 0) await cycle();
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return Response.json({ ms: Date.now() - startedMs });
}

/** How long a delay of `ms` really is here, by a few in a row: timers fire late, and the slope must not count that. */
async function observedDelay(ms: number): Promise<Response> {
  const times = 10;
  const startedMs = Date.now();
  for (let i = 0; i < times; i++) await new Promise((resolve) => setTimeout(resolve, ms));
  return Response.json({ ms: (Date.now() - startedMs) / times });
}

/** A document of the account ends, and asks for a callback. */
async function endDocument(services: Services, accountId: string, webhookUrl: string): Promise<Response> {
  const document: CompletedDocument = {
    ...{ id: crypto.randomUUID(), accountId, templateId: crypto.randomUUID(), templateVersion: 1, format: "pdf" },
    ...{ width: 794, height: 1123, deviceScaleFactor: 2, fileKey: "x.pdf", month: "2026-11", createdAt: Date.now() },
    ...{ status: "completed", completedAt: Date.now(), pageCount: 1, fileSize: 1, sha256: "0", warnings: [] },
  };
  return Response.json(await recordDocument(services, document, webhookUrl));
}

export default {
  ...worker,
  async fetch(request, env, ctx) {
    const url = new URL(request.url);
    const query = (name: string) => url.searchParams.get(name) ?? "";
    if (url.pathname === "/account") return Response.json(await createAccount(operatorServices(env), "Bench", "pro"));
    if (url.pathname === "/end") {
      const services = requestServices(env, (work) => ctx.waitUntil(work));
      return endDocument(services, query("account"), query("url"));
    }
    if (url.pathname === "/delay") return observedDelay(Number(url.searchParams.get("ms")));
    if (url.pathname === "/cycles")
      return cycles(env, Number(url.searchParams.get("count")), Number(url.searchParams.get("parallel")));
    delayMs = Number(request.headers.get("X-Delay-Ms") ?? 0);
    return app.fetch(request, env, ctx);
  },
} satisfies ExportedHandler<Env>;
