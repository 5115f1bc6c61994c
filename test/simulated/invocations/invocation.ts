// One invocation of background work under the documented limits of the platform, which the local runtime does not enforce
// (https://developers.cloudflare.com/workers/platform/limits/). It counts the bindings' calls and refuses calls beyond a limit.
// A call takes some time, and a test may end the invocation at any call.
import { vi } from "vitest";
import { databasesOf } from "../../fixtures/databases.ts";
import { intercepted, interceptedD1, interceptedObjects, type Around } from "../../fixtures/intercepted-bindings.ts";

export const platformLimits = {
  ...{ subrequests: 10_000, queries: 1_000, connections: 6 },
  ...{ cpuMs: 30_000, wallMs: 15 * 60_000 },
};

/** How long a call takes until its response begins, in ms. */
const latenciesMs: Record<string, number> = {
  D1: 8,
  FILES: 25,
  PRIVATE_FILES: 25,
  TEMPLATES: 25,
  WEBHOOKS: 10,
  BROWSER: 25,
  fetch: 10,
};
const objectLatencyMs = 4;
/** The platform makes these calls wait if too many others have no response yet. */
const connecting = new Set(["FILES", "PRIVATE_FILES", "TEMPLATES", "WEBHOOKS", "BROWSER", "fetch"]);

/**
 * The connections of an object, shared by all its events: the number of pending responses, and the calls that wait for a
 * connection.
 */
export type Connections = { open: number; queued: (() => void)[] };
export const newConnections = (): Connections => ({ open: 0, queued: [] });

export type Invocation = {
  readonly counts: { subrequests: number; queries: number; mostWaiting: number };
  readonly isOver: boolean;
  /** Rejects when the invocation is ended. */
  readonly ended: Promise<never>;
  /** Ends the invocation. Calls in flight still take effect, but never respond. */
  end(reason: string): void;
  call: Around;
  /** The processor time used so far. Exceeding the limit ends the invocation. */
  cpuMs(): number;
};

type Options = {
  /** Ends the invocation at this call, with or without the effect of the call. */
  killAt?: { call: number; hasEffect: boolean } | undefined;
  subrequests?: number;
  /** Returns the processor time since the beginning. By default, it is measured on this thread, with the bindings in memory. */
  meter?: () => number;
  connections?: Connections;
};

const never = () => new Promise<never>(() => {});
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function newInvocation({
  killAt,
  subrequests = platformLimits.subrequests,
  meter = cpuMeter(),
  connections = newConnections(),
}: Options = {}): Invocation {
  const counts = { subrequests: 0, queries: 0, mostWaiting: 0 };
  const { promise: ended, reject } = Promise.withResolvers<never>();
  ended.catch(() => {});
  let isOver = false;
  const end = (reason: string) => {
    isOver = true;
    reject(new Error(reason));
  };
  const connected = async (): Promise<void> => {
    counts.mostWaiting = Math.max(counts.mostWaiting, connections.open + 1);
    if (connections.open < platformLimits.connections) connections.open++;
    else await new Promise<void>((resolve) => connections.queued.push(resolve));
  };
  const released = () => (connections.queued.length > 0 ? connections.queued.shift()?.() : connections.open--);
  const cpuMs = () => {
    const usedMs = meter();
    if (usedMs > platformLimits.cpuMs && !isOver) end("the processor time is used up");
    return usedMs;
  };
  const call: Around = async (name, work, statements = 0) => {
    cpuMs();
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
    if (connecting.has(binding)) await connected();
    try {
      await pause(latenciesMs[binding] ?? objectLatencyMs);
      const result = await work();
      return isOver ? never() : result;
    } finally {
      if (connecting.has(binding)) released();
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
    cpuMs,
  };
}

/** Measures the processor time of this thread from this call on. The Workers runtime does not tell it; there, it is 0. */
function cpuMeter(): () => number {
  if (!navigator.userAgent.startsWith("Node.js")) return () => 0;
  const before = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  };
}

/** Waits until everything has run that does not wait for time to pass. */
export async function settled(): Promise<void> {
  for (let round = 0; round < 2; round++) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits for the work while simulated time passes. If `isTimed`, processor time also advances the clock. */
export async function drive<T>(work: Promise<T>, isTimed = false): Promise<T> {
  let isDone = false;
  void work.catch(() => {}).then(() => void (isDone = true));
  for (;;) {
    const meter = cpuMeter();
    await settled();
    if (isDone) return work;
    const ms = isTimed ? Math.floor(meter()) : 0;
    if (ms > 0) vi.advanceTimersByTime(ms);
    else vi.advanceTimersToNextTimer();
  }
}

/** Waits for the work of an invocation, which the platform ends when its time is used up. */
export async function driveLimited(
  invocation: Invocation,
  work: Promise<unknown>,
  isTimed = false,
): Promise<"done" | "failed" | "killed"> {
  const wall = setTimeout(() => invocation.end("the alarm took longer than 15 minutes"), platformLimits.wallMs);
  const outcome = await drive(Promise.race([work, invocation.ended]), isTimed).then(
    () => "done" as const,
    () => "failed" as const,
  );
  clearTimeout(wall);
  invocation.cpuMs();
  return invocation.isOver ? "killed" : outcome;
}

/** Simulates `fetch`: waits for the server's response and for the invocation's connection. */
export function stubFetch(call: Around, respond: (url: string) => Promise<Response>): void {
  vi.stubGlobal("fetch", (url: string, { signal }: { signal: AbortSignal }) => {
    const aborted = abortOf(signal);
    return Promise.race([call("fetch", () => Promise.race([respond(url), aborted])), aborted]);
  });
  stubTimeouts();
}

/** Rejects when the signal is aborted. */
export function abortOf(signal: AbortSignal): Promise<never> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  if (signal.aborted) reject(signal.reason as Error);
  signal.addEventListener("abort", () => reject(signal.reason as Error));
  aborted.catch(() => {});
  return aborted;
}

/** Aborts requests in simulated time. */
export function stubTimeouts(): void {
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException("too late", "TimeoutError")), ms);
    return controller.signal;
  });
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
    ...databasesOf(env, (database) => interceptedD1(database, call)),
    FILES: bucket(env.FILES, "FILES"),
    PRIVATE_FILES: bucket(env.PRIVATE_FILES, "PRIVATE_FILES"),
    TEMPLATES: bucket(env.TEMPLATES, "TEMPLATES"),
    WEBHOOKS: intercepted(env.WEBHOOKS, "WEBHOOKS", call, ["send", "sendBatch"]),
    ...(env.BROWSER && { BROWSER: intercepted(env.BROWSER, "BROWSER", call, ["fetch", "closeSession"]) }),
    ACCOUNT_QUOTA: interceptedObjects(env.ACCOUNT_QUOTA, "ACCOUNT_QUOTA", call),
    BATCH_RUNNER: interceptedObjects(env.BATCH_RUNNER, "BATCH_RUNNER", call),
    BROWSER_POOL: interceptedObjects(env.BROWSER_POOL, "BROWSER_POOL", call),
    WEBHOOK_SENDER: interceptedObjects(env.WEBHOOK_SENDER, "WEBHOOK_SENDER", call),
  };
}
