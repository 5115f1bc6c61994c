// The real services of a request, whose bindings fail as a source of faults decides, and a renderer that stores a small file.
import { env } from "cloudflare:workers";
import type { RenderOutcome } from "colophon-render/render-job";
import type { Renderer } from "colophon-render/render-services";
import type { Services } from "../../src/ports/services.ts";
import { requestServices } from "../../src/services/request-services.ts";
import { filesOf } from "../../src/services/shared-services.ts";
import { databasesOf } from "../fixtures/databases.ts";
import { faulty, faultyD1, type FaultSource, type Invocation } from "./fault-injection.ts";
import { storeInTime } from "./requests.ts";

/** `fileKeys` collects the keys of all files that a render has tried to store. */
export type FaultyRun = { faults: FaultSource; fileKeys: Set<string> };

/**
 * The API accepts this URL, but the webhook sender refuses the URL. The first attempt therefore ends the delivery without
 * sending a request.
 */
export const webhookUrl = "http://127.0.0.1:1/webhook";

/**
 * The lease of each hold, in ms. This is shorter than the real lease, but still longer than a create can take, because
 * the render budget is shorter as well.
 */
export const leaseMs = 700;
/** The monthly limit of every account. */
export const limit = 40;

export function faultyServices(run: FaultyRun, invocation: Invocation): Services {
  const { faults } = run;
  const bindings = {
    ...env,
    ...databasesOf(env, (database) => faultyD1(faults, invocation, database)),
    FILES: faulty(faults, invocation, env.FILES, "FILES", ["put", "head", "get", "delete"]),
    PRIVATE_FILES: faulty(faults, invocation, env.PRIVATE_FILES, "PRIVATE_FILES", ["put", "head", "get", "delete"]),
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
  const reliable = requestServices(env, () => {}).keys;
  const keys: Services["keys"] = {
    async findCaller(parts, nowMs) {
      const found = await reliable.findCaller(parts, nowMs);
      if (found.status !== "valid") return found;
      const { account, key } = found.caller;
      const caller = { account: { ...account, plan: { ...account.plan, monthlyRenders: limit } }, key };
      return { status: "valid", caller };
    },
    recordUse: (id, nowMs) => reliable.recordUse(id, nowMs),
  };
  return {
    ...services,
    keys,
    settings,
    log: () => {},
    renderer: fakeRenderer(run, invocation, bindings),
    // Faults are injected into background work as well.
    background: (_what, work) => void work.catch(() => {}),
  };
}

function fakeRenderer({ faults, fileKeys }: FaultyRun, invocation: Invocation, bindings: Env): Renderer {
  const others: RenderOutcome[] = [
    { status: "impossible", message: "no" },
    { status: "no_capacity", retryAfterSeconds: 1 },
    { status: "timed_out" },
    { status: "crashed", reason: "gone" },
  ];
  return {
    async render(job, { mayStore } = {}) {
      if (invocation.isOver) return new Promise<never>(() => {});
      if (faults.random() < 0.12) return faults.pick(others);
      if (mayStore && !(await mayStore())) return { status: "not_permitted" };
      fileKeys.add(job.fileKey);
      return storeInTime(filesOf(bindings), job, 60);
    },
  };
}
