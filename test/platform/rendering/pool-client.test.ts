import { describe, expect, it } from "vitest";
import { regions, type Region } from "../../../src/core/region.ts";
import {
  firstPool,
  poolClient,
  poolNumbers,
  type PoolObject,
  type PoolPlan,
} from "../../../src/platform/rendering/pool-client.ts";
import type { ObjectNamespace } from "../../../src/platform/object-client.ts";
import type { RenderOutcome } from "../../../src/core/rendering/render-job.ts";
import { renderJob } from "../../fixtures/render-job.ts";

const job = renderJob();
const ok: RenderOutcome = {
  status: "rendered",
  fileSize: 1,
  sha256: "",
  width: 794,
  height: 1123,
  pageCount: 1,
  imageSize: null,
  warnings: [],
};
const noCapacity: RenderOutcome = { status: "no_capacity", retryAfterSeconds: 7 };
const [ownNumber, nextNumber] = poolNumbers(job.accountId, 4);
const [own, next] = [`weur-${ownNumber}`, `weur-${nextNumber}`];

type Setup = {
  /** Pools without a free page. */
  occupied?: (string | undefined)[];
  /** Pools whose queue is at its limit, so that even a render that may wait is refused. */
  full?: string[];
  /** Pools to which the platform delivers no calls. */
  overloaded?: string[];
  plan?: PoolPlan;
  from?: Region;
  outcome?: RenderOutcome;
};

const inEurope: PoolPlan = { regions: ["weur", "eeur"], perRegion: 4 };
const onePool: PoolPlan = { regions: ["weur"], perRegion: 1 };
const everywhere: PoolPlan = { regions, perRegion: 1 };

/**
 * Renders one job. Returns the outcome, the names of the pools in the order in which they were called, and the location hints
 * with which they were called. A name ends with `+` if the render was allowed to wait at that pool.
 */
async function rendered(setup: Setup = {}) {
  const { occupied = [], full = [], overloaded = [], plan = inEurope, from = "weur", outcome = ok } = setup;
  const called: string[] = [];
  const hints: (string | undefined)[] = [];
  const namespace = {
    idFromName: (name: string) => name,
    get: (name: string, options?: { locationHint?: string }): PoolObject => ({
      async render(_, mayWait) {
        called.push(mayWait ? `${name}+` : name);
        hints.push(options?.locationHint);
        if (overloaded.includes(name)) throw Object.assign(new Error("too many requests"), { overloaded: true });
        const isRefused = full.includes(name) || (!mayWait && occupied.includes(name));
        return isRefused ? noCapacity : outcome;
      },
      browserVersion: async () => name,
      workerVersion: async () => "",
    }),
  } as unknown as ObjectNamespace<PoolObject>;
  const version = await firstPool(namespace, plan, from).browserVersion();
  return { outcome: await poolClient(namespace, plan, from).render(job), called, hints, version };
}

describe("a render", () => {
  it("goes to the account's own pool if that pool has a free page", async () => {
    expect((await rendered()).called).toEqual([own]);
  });

  it("goes to the next pool in the account's order when the account's own pool has no capacity", async () => {
    expect((await rendered({ occupied: [own] })).called).toEqual([own, next]);
  });

  it("waits at the account's own pool when neither that pool nor the next pool has capacity", async () => {
    expect((await rendered({ occupied: [own, next] })).called).toEqual([own, next, `${own}+`]);
  });

  it("is refused with the retry time of the account's own pool when no pool has capacity", async () => {
    expect(await rendered({ full: [own, next] })).toMatchObject({
      called: [own, next, `${own}+`],
      outcome: noCapacity,
    });
  });

  it("is not retried after a crash, because the caller decides whether to retry", async () => {
    const crashed: RenderOutcome = { status: "crashed", reason: "the page's process ended" };

    expect(await rendered({ outcome: crashed })).toMatchObject({ outcome: crashed, called: [own] });
    expect(await rendered({ plan: onePool, outcome: crashed })).toMatchObject({
      outcome: crashed,
      called: ["weur-0+"],
    });
  });

  it("may wait at the first pool that it calls if its region has only one pool", async () => {
    expect((await rendered({ plan: onePool })).called).toEqual(["weur-0+"]);
    expect((await rendered({ plan: everywhere })).called).toEqual(["weur-0+"]);
  });

  it.for<[Region, string]>([
    ["wnam", "wnam-0+"],
    ["oc", "oc-0+"],
  ])("of a request from %s goes to the pool %s if all regions have pools", async ([from, pool]) => {
    expect((await rendered({ plan: everywhere, from })).called).toEqual([pool]);
  });

  it.for<[Region, string]>([
    ["wnam", "enam-0+"],
    ["oc", "apac-0+"],
    ["eeur", "enam-0+"],
  ])("of a request from %s goes to %s if only enam and apac have pools", async ([from, pool]) => {
    const plan: PoolPlan = { regions: ["enam", "apac"], perRegion: 1 };

    expect((await rendered({ plan, from })).called).toEqual([pool]);
  });

  it("goes to another pool when the platform does not deliver the call to an overloaded one", async () => {
    expect((await rendered({ overloaded: [own] })).called).toEqual([own, next]);
  });

  it("is refused when the platform does not deliver the call to the only pool", async () => {
    const { outcome } = await rendered({ overloaded: ["weur-0"], plan: onePool });

    expect(outcome).toEqual({ status: "no_capacity", retryAfterSeconds: 1 });
  });

  it("creates its pool in the region of the pool", async () => {
    expect((await rendered({ plan: everywhere, from: "enam" })).hints).toEqual(["enam"]);
  });
});

it("the version of the browser comes from the first pool of the request's region", async () => {
  expect((await rendered({ plan: inEurope, from: "oc" })).version).toBe("weur-0");
  expect((await rendered({ plan: everywhere, from: "oc" })).version).toBe("oc-0");
});

it("accounts are spread evenly over the pools", () => {
  const firstPools = Array.from({ length: 2_000 }, () => poolNumbers(crypto.randomUUID(), 4)[0]);

  for (const pool of [0, 1, 2, 3]) {
    expect(firstPools.filter((first) => first === pool).length, `pool ${pool}`).toBeGreaterThan(400);
  }
});
