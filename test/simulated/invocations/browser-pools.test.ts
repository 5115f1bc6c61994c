// The alarm of a browser pool under the limits of the platform. The largest pool remembers as many browsers as the platform runs for one
// account, and one more.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { BrowserPool } from "../../../src/objects/browser-pool.ts";
import { memoryBucket, memoryD1 } from "../../fakes/bindings.ts";
import { objectStorage, storageOf } from "../../fakes/object-storage.ts";
import { withoutThreads } from "../../objects/batches/without-threads.ts";
import { namespaceOf } from "./batch-world.ts";
import {
  abortOf,
  driveLimited,
  limitedBindings,
  newConnections,
  newInvocation,
  platformLimits,
  stubTimeouts,
} from "./invocation.ts";

vi.mock("cloudflare:workers", () => import("../../fakes/cloudflare-workers.ts"));

withoutThreads();
beforeAll(() => {
  stubTimeouts();
  for (const level of ["info", "warn"] as const) vi.spyOn(console, level).mockReturnValue();
});
afterAll(() => vi.restoreAllMocks());

const most = 201;
const hourMs = 3_600_000;
/** The platform repeats an alarm that was interrupted. */
const repeatMs = 2_000;

type Options = {
  count: number;
  /** Ends a browser from outside. Until it resolves, the browser is running. */
  end?: () => Promise<number>;
  killAt?: { call: number; hasEffect: boolean };
};

/** A pool that remembers browsers from before a restart. The platform cannot end them by its newer method. */
function poolWorld({ count, end = async () => 200, killAt }: Options) {
  const storage = objectStorage();
  const running = new Set(Array.from({ length: count }, (_, index) => `s${index}`));
  storage.kv.put(
    "sessions",
    [...running].map((id) => ({ id, acquiredAtMs: Date.now() })),
  );
  const objects = namespaceOf(() => ({}));
  const browser = {
    closeSession: () => Promise.reject(new Error("not supported")),
    fetch: async (url: string, { signal }: { signal: AbortSignal }) => {
      const status = await Promise.race([end(), abortOf(signal)]);
      if (status < 400) running.delete(url.split("/").at(-1) ?? "");
      return new Response(null, { status });
    },
  };
  const bindings = {
    ...{ DB: memoryD1(), FILES: memoryBucket().bucket, TEMPLATES: memoryBucket().bucket, WEBHOOKS: {}, ASSETS: {} },
    PRIVATE_FILES: memoryBucket().bucket,
    ...{ ACCOUNT_QUOTA: objects, BATCH_RUNNER: objects, BROWSER_POOL: objects, WEBHOOK_SENDER: objects },
    BROWSER: browser,
  } as unknown as Env;
  const events: ReturnType<typeof newInvocation>[] = [];
  let instance: { pool: BrowserPool; isDead: boolean; connections: ReturnType<typeof newConnections> } | null = null;

  function live() {
    if (instance && !instance.isDead) return instance;
    const its = { isDead: false, connections: newConnections() };
    const limited = limitedBindings(bindings, (name, work) => {
      const invocation = events.at(-1);
      return its.isDead || !invocation ? new Promise(() => {}) : invocation.call(name, work);
    });
    const context = { storage: storageOf(its, storage), id: { name: "pool-0" }, waitUntil: () => {} };
    const pool = new BrowserPool(context as unknown as DurableObjectState, limited);
    return (instance = Object.assign(its, { pool }));
  }

  /** Lets the alarm fire, and the platform repeat it if it was killed. */
  async function fireAlarm(): Promise<void> {
    await storage.deleteAlarm();
    const its = live();
    const invocation = newInvocation({
      connections: its.connections,
      killAt: events.length === 0 ? killAt : undefined,
    });
    events.push(invocation);
    if ((await driveLimited(invocation, its.pool.alarm())) !== "killed") return;
    its.isDead = true;
    await storage.setAlarm(Date.now() + repeatMs);
  }

  async function pass(ms: number): Promise<void> {
    const untilMs = Date.now() + ms;
    for (let at = await storage.getAlarm(); at !== null && at <= untilMs; at = await storage.getAlarm()) {
      if (at > Date.now()) vi.advanceTimersByTime(at - Date.now());
      await fireAlarm();
    }
    if (Date.now() < untilMs) vi.advanceTimersByTime(untilMs - Date.now());
  }

  void storage.setAlarm(Date.now());
  const isFarFromLimits = () =>
    events.every(({ counts, isOver }) => !isOver && counts.subrequests <= platformLimits.subrequests / 2);
  return { events, fireAlarm, isFarFromLimits, pass, running, storage };
}

it("an alarm ends 201 browsers without coming close to the platform's limits, and none fires in the idle hour after it", async () => {
  const world = poolWorld({ count: most });
  await world.pass(0);
  const alarms = world.events.length;

  await world.pass(hourMs);

  expect([alarms, world.events.length, world.running.size, await world.storage.getAlarm()]).toEqual([1, 1, 0, null]);
  expect(world.isFarFromLimits()).toBe(true);
});

it.each<[string, () => Promise<number>]>([
  ["refuses to end", async () => 500],
  ["never responds about", () => new Promise(() => {})],
])("the end of 201 browsers that the platform %s is tried once a minute until it succeeds", async (_, broken) => {
  let isBroken = true;
  const world = poolWorld({ count: most, end: () => (isBroken ? broken() : Promise.resolve(200)) });
  await world.pass(600_000);
  const during = [world.events.length <= 11, world.running.size];
  isBroken = false;

  await world.pass(120_000);

  expect([during, world.running.size, world.isFarFromLimits()]).toEqual([[true, most], 0, true]);
});

it("browsers that the platform can never end are forgotten two hours after their start, after which no alarm fires", async () => {
  const world = poolWorld({ count: 2, end: async () => 500 });

  await world.pass(3 * hourMs);

  expect([world.storage.kv.get("sessions"), await world.storage.getAlarm()]).toEqual([[], null]);
  expect(world.events.length).toBeLessThan(125);
});

const kills = [1, 2, 3, 4, 5, 6].flatMap((call) => [true, false].map((hasEffect) => ({ call, hasEffect })));

it.each(kills)("an alarm that is killed at a call is repeated (call $call, effect: $hasEffect)", async (killAt) => {
  const world = poolWorld({ count: 3, killAt });

  await world.pass(60_000);
  await world.fireAlarm();

  expect([world.events[0]?.isOver, world.running.size, world.storage.kv.get("sessions")]).toEqual([true, 0, []]);
  expect(await world.storage.getAlarm()).toBeNull();
});
