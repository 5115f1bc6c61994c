import { describe, expect, it } from "vitest";
import { regions, type Region } from "../../../src/core/region.ts";
import type { PoolJob } from "colophon-render/job-content";
import { noMeasurements, type RenderOutcome, type Spread } from "colophon-render/render-job";
import {
  firstPool,
  poolClient,
  poolNumber,
  type PoolObject,
  type PoolPlan,
} from "../../../src/platform/rendering/pool-client.ts";
import type { ObjectNamespace } from "../../../src/platform/object-client.ts";
import { renderJob } from "../../../packages/render/test/render-job.ts";

const job = renderJob();
const outcomes: Record<string, RenderOutcome> = {
  "no capacity": { status: "no_capacity", retryAfterSeconds: 7 },
  "a crash": { status: "crashed", reason: "the page's process ended" },
};
const inEurope: PoolPlan = { regions: ["weur", "eeur"], perRegion: 4, batchPools: 0 };
const everywhere: PoolPlan = { regions, perRegion: 1, batchPools: 0 };

type Setup = { plan?: PoolPlan; from?: Region; result?: () => RenderOutcome; spread?: Spread };

const timedOut = (): RenderOutcome => ({ status: "timed_out" });

/** Renders one job. Returns the outcome, and the names of the pools that were called with their location hints. */
async function rendered({ plan = inEurope, from = "weur", result = timedOut, spread }: Setup = {}) {
  const jobs: PoolJob[] = [];
  const called: [name: string, hint: string | undefined][] = [];
  const namespace = {
    idFromName: (name: string) => name,
    get: (name: string, options?: { locationHint?: string }): PoolObject => ({
      async render(sent: PoolJob) {
        jobs.push(sent);
        called.push([name, options?.locationHint]);
        return { ...result(), measurements: noMeasurements(name) };
      },
      browserVersion: async () => name,
      workerVersion: async () => "",
    }),
  } as unknown as ObjectNamespace<PoolObject>;
  const version = await firstPool(namespace, plan, from).browserVersion();
  const outcome = await poolClient(namespace, plan, from).render({ ...job, ...(spread && { spread }) });
  return { outcome, called, version, isBackground: jobs[0]?.isBackground ?? false };
}

describe("a render", () => {
  it("goes to the pool of its account in the region of the request", async () => {
    expect((await rendered()).called).toEqual([[`weur-${poolNumber(job.accountId, 4)}`, "weur"]]);
  });

  it.each(Object.keys(outcomes))(
    "is not retried after %s, because the caller decides whether to retry",
    async (name) => {
      const outcome = outcomes[name] ?? timedOut();

      const { called, ...result } = await rendered({ result: () => outcome });

      expect(result.outcome).toEqual(outcome);
      expect(called).toHaveLength(1);
    },
  );

  it.for<[Region, string]>([
    ["wnam", "wnam-0"],
    ["oc", "oc-0"],
  ])("of a request from %s goes to the pool %s if all regions have pools", async ([from, pool]) => {
    expect((await rendered({ plan: everywhere, from })).called).toEqual([[pool, from]]);
  });

  it.for<[Region, string]>([
    ["wnam", "enam"],
    ["oc", "apac"],
    ["eeur", "enam"],
  ])("of a request from %s goes to %s if only enam and apac have pools", async ([from, region]) => {
    const plan: PoolPlan = { regions: ["enam", "apac"], perRegion: 1, batchPools: 0 };

    expect((await rendered({ plan, from })).called).toEqual([[`${region}-0`, region]]);
  });

  it.for<[Spread, string]>([
    [{ index: 7, waiting: 1 }, "weur-batch-0"],
    [{ index: 7, waiting: 251 }, "weur-batch-1"],
    [{ index: 7, waiting: 10_000 }, "weur-batch-1"],
    [{ index: 5, waiting: 10_000 }, "weur-batch-2"],
  ])("of a batch goes to a pool for batches, as many as the waiting items need: %j", async ([spread, pool]) => {
    const { called, isBackground } = await rendered({ plan: { ...inEurope, batchPools: 3 }, spread });

    expect([called, isBackground]).toEqual([[[pool, "weur"]], false]);
  });

  it("of a batch waits behind other renders in the pool of its account if there are no pools for batches", async () => {
    const { called, isBackground } = await rendered({ spread: { index: 7, waiting: 10_000 } });

    expect([called, isBackground]).toEqual([[[`weur-${poolNumber(job.accountId, 4)}`, "weur"]], true]);
  });

  it("is refused when the platform does not deliver the call to an overloaded pool", async () => {
    const overloaded = () => {
      throw Object.assign(new Error("too many requests"), { overloaded: true });
    };

    expect((await rendered({ result: overloaded })).outcome).toEqual({ status: "no_capacity", retryAfterSeconds: 1 });
  });
});

it("the version of the browser comes from the first pool of the request's region", async () => {
  expect((await rendered({ plan: inEurope, from: "oc" })).version).toBe("weur-0");
  expect((await rendered({ plan: everywhere, from: "oc" })).version).toBe("oc-0");
});

it("accounts are spread evenly over the pools", () => {
  const numbers = Array.from({ length: 2_000 }, () => poolNumber(crypto.randomUUID(), 4));

  for (const pool of [0, 1, 2, 3]) {
    expect(numbers.filter((number) => number === pool).length, `pool ${pool}`).toBeGreaterThan(400);
  }
});
