import { describe, expect, it } from "vitest";
import { poolClient, poolsInOrder, type PoolObject } from "../../../src/platform/rendering/pool-client.ts";
import type { ObjectNamespace } from "../../../src/platform/object-client.ts";
import type { RenderOutcome } from "../../../src/core/rendering/render-job.ts";
import { renderJob } from "../../fixtures/render-job.ts";

const job = renderJob();
const rendered: RenderOutcome = {
  status: "rendered",
  fileSize: 1,
  sha256: "",
  width: 794,
  height: 1123,
  pageCount: 1,
  warnings: [],
};
const noCapacity: RenderOutcome = { status: "no_capacity", retryAfterSeconds: 7 };
const [ownPool, nextPool] = poolsInOrder(job.accountId, 4).map((pool) => `pool-${pool}`);

/**
 * Renders one job with several pools. The pools in `occupied` have no free page. Returns the outcome, and the names of the
 * pools in the order in which they were called. A name ends with `+` if the render was allowed to wait at that pool.
 */
async function renderOn(occupied: (string | undefined)[], pools = 4, outcomeOfWait = rendered, outcome = rendered) {
  const called: string[] = [];
  const namespace = {
    idFromName: (name: string) => name,
    get: (name: string): PoolObject => ({
      async render(_, mayWait) {
        called.push(mayWait ? `${name}+` : name);
        if (mayWait) return outcomeOfWait;
        return occupied.includes(name) ? noCapacity : outcome;
      },
      browserVersion: async () => "",
    }),
  } as unknown as ObjectNamespace<PoolObject>;
  return { outcome: await poolClient(namespace, pools).render(job), called };
}

describe("a render", () => {
  it("goes to the account's own pool if that pool has a free page", async () => {
    expect((await renderOn([])).called).toEqual([ownPool]);
  });

  it("goes to the next pool in the account's order when the account's own pool has no capacity", async () => {
    expect((await renderOn([ownPool])).called).toEqual([ownPool, nextPool]);
  });

  it("waits at the account's own pool when neither that pool nor the next pool has capacity", async () => {
    expect((await renderOn([ownPool, nextPool])).called).toEqual([ownPool, nextPool, `${ownPool}+`]);
  });

  it("returns the retry time of the account's own pool when that pool's queue is at its limit", async () => {
    expect((await renderOn([ownPool, nextPool], 4, noCapacity)).outcome).toEqual(noCapacity);
  });

  it("waits at the next pool when it would start earlier there", async () => {
    const called: string[] = [];
    const startsInMs = (name: string) => (name === ownPool ? 9_000 : 2_000);
    const namespace = {
      idFromName: (name: string) => name,
      get: (name: string): PoolObject => ({
        async render(_, mayWait) {
          called.push(mayWait ? `${name}+` : name);
          return mayWait ? rendered : { ...noCapacity, queue: { startsInMs: startsInMs(name), turnMs: 1 } };
        },
        browserVersion: async () => "",
      }),
    } as unknown as ObjectNamespace<PoolObject>;

    await poolClient(namespace, 4).render(job);

    expect(called).toEqual([ownPool, nextPool, `${nextPool}+`]);
  });

  it("is not retried after a crash, because the caller decides whether to retry", async () => {
    const crashed: RenderOutcome = { status: "crashed", reason: "the page's process ended" };

    expect(await renderOn([], 4, crashed, crashed)).toEqual({ outcome: crashed, called: [ownPool] });
    expect(await renderOn([], 1, crashed, crashed)).toEqual({ outcome: crashed, called: ["pool-0+"] });
  });

  it("may wait at the first pool that it calls if there is only one pool", async () => {
    expect((await renderOn([], 1)).called).toEqual(["pool-0+"]);
  });
});

describe("the order of pools", () => {
  const accounts = Array.from({ length: 2_000 }, (_, index) => `account-${index}`);

  it("spreads accounts evenly", () => {
    const firstPools = accounts.map((account) => poolsInOrder(account, 4)[0]);

    for (const pool of [0, 1, 2, 3]) {
      const share = firstPools.filter((first) => first === pool).length / accounts.length;
      expect(share, `pool ${pool}`).toBeGreaterThan(0.2);
      expect(share, `pool ${pool}`).toBeLessThan(0.3);
    }
  });

  it("moves few accounts when a pool is added, and moves them only to the new pool", () => {
    const moved = accounts.filter((account) => poolsInOrder(account, 4)[0] !== poolsInOrder(account, 5)[0]);

    expect(moved.every((account) => poolsInOrder(account, 5)[0] === 4)).toBe(true);
    expect(moved.length / accounts.length).toBeLessThan(0.3);
  });
});
