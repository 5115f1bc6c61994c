// One invocation of background work under the documented limits of the platform, which the local runtime does not enforce
// (https://developers.cloudflare.com/workers/platform/limits/). It counts the calls of the bindings and refuses those beyond a
// limit. A call takes some time, and a test may end the invocation at any of them.
import { intercepted, interceptedD1, interceptedObjects, type Around } from "../../fixtures/intercepted-bindings.ts";

export const platformLimits = { subrequests: 10_000, queries: 1_000, connections: 6, wallMs: 15 * 60_000 };

/** How long a call takes until its response begins, in ms. */
const latenciesMs: Record<string, number> = { D1: 8, FILES: 25, TEMPLATES: 25, WEBHOOKS: 10, fetch: 100 };
const objectLatencyMs = 4;
/** The platform lets these wait while so many others have no response yet. */
const connections = new Set(["FILES", "TEMPLATES", "WEBHOOKS", "fetch"]);

export type Invocation = {
  readonly counts: { subrequests: number; queries: number; mostWaiting: number };
  readonly isOver: boolean;
  /** Rejects when the invocation is ended. */
  readonly ended: Promise<never>;
  /** Ends it: calls that have begun take effect, but nothing responds any more. */
  end(reason: string): void;
  call: Around;
};

type Options = {
  /** Ends the invocation at this call, of which nobody knows whether it takes effect. */
  killAt?: { call: number; hasEffect: boolean } | undefined;
  subrequests?: number;
};

const never = () => new Promise<never>(() => {});
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function newInvocation({ killAt, subrequests = platformLimits.subrequests }: Options = {}): Invocation {
  const counts = { subrequests: 0, queries: 0, mostWaiting: 0 };
  const { promise: ended, reject } = Promise.withResolvers<never>();
  ended.catch(() => {});
  let isOver = false;
  let open = 0;
  const queued: (() => void)[] = [];
  const end = (reason: string) => {
    isOver = true;
    reject(new Error(reason));
  };
  const connected = async (): Promise<void> => {
    counts.mostWaiting = Math.max(counts.mostWaiting, open + 1);
    if (open < platformLimits.connections) open++;
    else await new Promise<void>((resolve) => queued.push(resolve));
  };
  const released = () => (queued.length > 0 ? queued.shift()?.() : open--);
  const call: Around = async (name, work, statements = 0) => {
    if (isOver) return never();
    const binding = name.split(".")[0] ?? "";
    if (++counts.subrequests > subrequests) throw new Error("Too many subrequests by single Worker invocation.");
    counts.queries += statements;
    if (counts.queries > platformLimits.queries) throw new Error("Too many D1 queries by single Worker invocation.");
    if (counts.subrequests === killAt?.call) {
      end("killed");
      if (killAt.hasEffect) void work().catch(() => {});
      return never();
    }
    if (connections.has(binding)) await connected();
    try {
      await pause(latenciesMs[binding] ?? objectLatencyMs);
      const result = await work();
      return isOver ? never() : result;
    } finally {
      if (connections.has(binding)) released();
    }
  };
  return {
    counts,
    get isOver() {
      return isOver;
    },
    ended,
    end,
    call,
  };
}

const bucketMethods = ["get", "put", "head", "delete", "list"];

/** Returns the bindings with the calls of the invocation that is in progress. */
export function limitedBindings(env: Env, call: Around): Env {
  const bucket = (bound: R2Bucket, name: string) => {
    const limited = intercepted(bound, name, call, bucketMethods);
    const createMultipartUpload: R2Bucket["createMultipartUpload"] = async (...args) => {
      const upload = await call(`${name}.createMultipartUpload`, () => bound.createMultipartUpload(...args));
      return intercepted(upload, name, call);
    };
    return new Proxy(limited, {
      get: (target, property) =>
        property === "createMultipartUpload" ? createMultipartUpload : (Reflect.get(target, property) as unknown),
    });
  };
  return {
    ...env,
    DB: interceptedD1(env.DB, call),
    FILES: bucket(env.FILES, "FILES"),
    TEMPLATES: bucket(env.TEMPLATES, "TEMPLATES"),
    WEBHOOKS: intercepted(env.WEBHOOKS, "WEBHOOKS", call, ["send", "sendBatch"]),
    ACCOUNT_QUOTA: interceptedObjects(env.ACCOUNT_QUOTA, "ACCOUNT_QUOTA", call),
    BATCH_RUNNER: interceptedObjects(env.BATCH_RUNNER, "BATCH_RUNNER", call),
    BROWSER_POOL: interceptedObjects(env.BROWSER_POOL, "BROWSER_POOL", call),
    WEBHOOK_SENDER: interceptedObjects(env.WEBHOOK_SENDER, "WEBHOOK_SENDER", call),
  };
}
