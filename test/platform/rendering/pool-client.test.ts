import { expect, it } from "vitest";
import type { PoolJob } from "colophon-render/job-content";
import { noMeasurements, type RenderJob, type RenderOutcome } from "colophon-render/render-job";
import { renderJob } from "colophon-test-kit/render-job";
import { regions, type Region } from "../../../src/core/region.ts";
import type { ObjectNamespace } from "../../../src/platform/object-client.ts";
import { poolsOf, type PoolPlan } from "../../../src/platform/rendering/pool-choice.ts";
import { firstPool, poolClient, type PoolObject } from "../../../src/platform/rendering/pool-client.ts";

const job = renderJob({ timeoutMs: 20_000, mayRetry: true });
const inEurope: PoolPlan = { regions: ["weur", "eeur"], perRegion: 4, batchPools: 0, pages: 8 };
const everywhere: PoolPlan = { regions, perRegion: 1, batchPools: 0, pages: 8 };
const batchPosition = { index: 7, waiting: 10_000 };

/** The outcome of a pool. `withoutBrowser` is true if it could not begin the render. */
type Reply = RenderOutcome & { load?: number; withoutBrowser?: true };

const crashed: Reply = { status: "crashed", reason: "the page's process ended" };
const noBrowser: Reply = { status: "crashed", reason: "timeout: starting a browser", withoutBrowser: true };
const noCapacity: Reply = { status: "no_capacity", retryAfterSeconds: 7, withoutBrowser: true };
const unavailable = { status: "no_capacity", retryAfterSeconds: 5 };
const impossible: Reply = { status: "impossible", message: "done" };
const unreachable = () => {
  throw new Error("Network connection lost.");
};
const overloaded = () => {
  throw Object.assign(new Error("too many requests"), { overloaded: true });
};

type Setup = { plan?: PoolPlan; from?: Region; inFlight?: number };
type Call = { pool: string; hint: string | undefined; sent: PoolJob };

/** A region whose pools reply in turn as `replies` say. Afterwards, they reply that the render is done. */
function region(replies: (Reply | (() => never))[] = [], { plan = inEurope, from = "weur", inFlight = 1 }: Setup = {}) {
  const calls: Call[] = [];
  const logged: unknown[] = [];
  const namespace = {
    idFromName: (name: string) => name,
    get: (name: string, options?: { locationHint?: string }): PoolObject => ({
      async render(sent: PoolJob) {
        calls.push({ pool: name, hint: options?.locationHint, sent });
        const planned = replies.shift() ?? impossible;
        const { withoutBrowser, ...reply } = typeof planned === "function" ? planned() : planned;
        const browserVersion = withoutBrowser ? null : "HeadlessChrome/128.0.6613.84";
        return { ...reply, measurements: { ...noMeasurements(name), browserVersion } };
      },
      browserVersion: async () => name,
      workerVersion: async () => "",
    }),
  } as unknown as ObjectNamespace<PoolObject>;
  const client = poolClient(namespace, plan, from, {
    log: (_level, entry) => void logged.push(entry),
    inFlightOf: () => inFlight,
  });
  return {
    calls,
    logged,
    pools: () => calls.map(({ pool }) => pool),
    version: () => firstPool(namespace, plan, from).browserVersion(),
    render: (rest: Partial<RenderJob> = {}) => client.render({ ...job, ...rest }),
  };
}

/** The two pools of the job's account in Western Europe. */
const [first, second] = poolsOf(job, inEurope, 1).map((pool) => `weur-${pool}`);

it("a render goes to the first pool of its account in the region of the request", async () => {
  const { calls, render } = region();

  await render();

  expect(calls.map(({ pool, hint }) => [pool, hint])).toEqual([[first, "weur"]]);
});

it.for<[Region, string]>([
  ["wnam", "wnam-0"],
  ["oc", "oc-0"],
])("a render of a request from %s goes to the pool %s if all regions have pools", async ([from, pool]) => {
  const { calls, render } = region([], { plan: everywhere, from });

  await render();

  expect(calls.map((call) => [call.pool, call.hint])).toEqual([[pool, from]]);
});

it.for<[Region, string]>([
  ["wnam", "enam"],
  ["oc", "apac"],
  ["eeur", "enam"],
])("a render of a request from %s goes to %s if only enam and apac have pools", async ([from, nearest]) => {
  const { calls, render } = region([], { plan: { ...everywhere, regions: ["enam", "apac"] }, from });

  await render();

  expect(calls.map(({ pool, hint }) => [pool, hint])).toEqual([[`${nearest}-0`, nearest]]);
});

it("a render of a batch goes to a pool for batches", async () => {
  const { calls, render } = region([], { plan: { ...inEurope, batchPools: 3 } });

  await render({ batchPosition });

  expect(calls).toMatchObject([{ pool: "weur-batch-1", hint: "weur" }]);
  expect(calls[0]?.sent.isBackground).toBeUndefined();
});

it("a render of a batch waits behind other renders in the pool of its account if there are no pools for batches", async () => {
  const { calls, render } = region();

  await render({ batchPosition });

  expect(calls).toMatchObject([{ pool: first, sent: { isBackground: true } }]);
});

it("a render goes to the second pool when the first reports that it has no free page, and to the first when it has one again", async () => {
  const { pools, render } = region([
    { ...impossible, load: 8 },
    { ...impossible, load: 0 },
  ]);
  for (let count = 0; count < 2; count++) await render();
  expect(pools()).toEqual([first, first]);

  const busy = region([{ ...impossible, load: 40 }, impossible, { ...impossible, load: 3 }]);
  for (let count = 0; count < 3; count++) await busy.render();

  expect(busy.pools()).toEqual([first, second, second]);
});

it("a render of an account with many creates in flight goes to one of several pools", async () => {
  const { pools, render } = region([], { inFlight: 32 });
  for (let count = 0; count < 60; count++) await render({ fileKey: `${crypto.randomUUID()}.pdf` });

  expect(new Set(pools()).size).toBe(4);
});

it.for<[what: string, reply: Reply | (() => never)]>([
  ["has no browser", noBrowser],
  ["has no free page, or the platform refuses a browser", noCapacity],
  ["has too many calls", overloaded],
])("a render goes to the other pool immediately if the first pool %s", async ([, reply]) => {
  const { calls, logged, pools, render } = region([reply]);

  expect(await render()).toEqual(impossible);
  expect(pools()).toEqual([first, second]);
  expect(calls.map(({ sent }) => sent.hasOther ?? false)).toEqual([true, false]);
  expect(logged).toEqual([{ event: "pool.unavailable", pool: first }]);

  await render();

  expect(pools().slice(2)).toEqual([second]);
});

it("a render that a lost pool may have rendered is left to the caller, whose second attempt goes to the other pool", async () => {
  const { pools, render } = region([unreachable]);

  expect(await render()).toEqual({ status: "crashed", reason: "Error" });
  expect(await render({ mayRetry: false })).toEqual(impossible);

  expect(pools()).toEqual([first, second]);
});

it("a render whose document has crashed the browser is left to the caller, whose second attempt goes to the same pool", async () => {
  const { pools, render } = region([crashed]);

  expect(await render()).toEqual({ status: crashed.status, reason: "the page's process ended" });
  await render({ mayRetry: false });

  expect(pools()).toEqual([first, first]);
});

it.for<[what: string, replies: (Reply | (() => never))[], calls: number]>([
  ["have no browser", [noBrowser, noBrowser], 2],
  ["are overloaded or have no browser", [overloaded, noBrowser], 2],
  ["cannot be reached", [unreachable, unreachable], 2],
  ["have no browser or cannot be reached", [noBrowser, unreachable, noBrowser, unreachable], 4],
])("a render is refused for lack of capacity if both pools %s", async ([, replies, calls]) => {
  const { pools, render } = region(replies);

  const outcomes = [await render()];
  if (outcomes[0]?.status === "crashed") outcomes.push(await render({ mayRetry: false }));

  expect(outcomes.at(-1)).toEqual(unavailable);
  expect([pools().length, new Set(pools()).size]).toEqual([calls, 2]);
});

it("a render gets the refusal of the second pool if both pools have no capacity", async () => {
  const { render } = region([noCapacity, { ...noCapacity, retryAfterSeconds: 3 }]);

  expect(await render()).toEqual({ status: "no_capacity", retryAfterSeconds: 3 });
});

it("an item of a batch that may have ended both pools counts as crashed, so that it is not tried again and again", async () => {
  const { render } = region([unreachable, unreachable]);
  await render({ batchPosition });

  expect(await render({ batchPosition, mayRetry: false })).toMatchObject({ status: "crashed" });
});

it.for<[what: string, reply: Reply | (() => never), outcome: object]>([
  ["has no capacity", noCapacity, { status: "no_capacity", retryAfterSeconds: 7 }],
  ["is overloaded", overloaded, { status: "no_capacity", retryAfterSeconds: 1 }],
  ["has no browser", noBrowser, { status: "crashed", reason: "timeout: starting a browser" }],
  ["cannot be reached", unreachable, { status: "crashed", reason: "Error" }],
])("a render is not sent again if the region's only pool %s", async ([, reply, outcome]) => {
  const { calls, render } = region([reply], { plan: everywhere });

  expect(await render({ mayRetry: false })).toEqual(outcome);
  expect(calls).toHaveLength(1);
  expect(calls[0]?.sent.hasOther).toBeUndefined();
});

it("the version of the browser comes from the first pool of the request's region", async () => {
  expect(await region([], { from: "oc" }).version()).toBe("weur-0");
  expect(await region([], { plan: everywhere, from: "oc" }).version()).toBe("oc-0");
});
