import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { BatchPosition } from "colophon-render/render-job";
import { renderJob } from "colophon-test-kit/render-job";
import { knownMs, poolLoads, poolsOf, type PoolPair } from "../../../src/platform/rendering/pool-choice.ts";

const pages = 8;

type Choice = {
  accountId?: string;
  inFlight?: number;
  perRegion?: number;
  batchPosition?: BatchPosition;
  batchPools?: number;
};

/** Returns the pools of one render. */
function chosen({
  accountId = "a",
  inFlight = 1,
  perRegion = 4,
  batchPools = 0,
  batchPosition,
}: Choice = {}): PoolPair {
  const job = renderJob({ accountId, fileKey: `${crypto.randomUUID()}.pdf`, ...(batchPosition && { batchPosition }) });
  return poolsOf(job, { regions: ["weur"], perRegion, batchPools, pages }, inFlight);
}

const counted = (names: (string | undefined)[]) => {
  const counts = new Map<string | undefined, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};

it("a create has two different pools, and the accounts are spread evenly over all pairs of pools", () => {
  const pairs = Array.from({ length: 4_800 }, () => chosen({ accountId: crypto.randomUUID() }));

  const counts = counted(pairs.map((pools) => pools.join(" ")));
  expect(pairs.filter(([first, second]) => first === second)).toEqual([]);
  expect(counts.size).toBe(12);
  expect(Math.min(...counts.values())).toBeGreaterThan(300);
  expect(Math.max(...counts.values())).toBeLessThan(500);
});

it("all creates of an account that has few creates in flight have the same two pools", () => {
  const pairs = Array.from({ length: 100 }, () => chosen({ inFlight: pages }).join(" "));

  expect(new Set(pairs).size).toBe(1);
});

it.for([
  [0, 1],
  [8, 1],
  [9, 2],
  [16, 2],
  [17, 3],
  [32, 4],
  [200, 5],
  [3, 1],
])("an account with %i creates in flight uses %i first pools", ([inFlight = 0, count = 0]) => {
  const firsts = Array.from({ length: 1_000 }, () => chosen({ inFlight, perRegion: 5 })[0]);

  const counts = counted(firsts);
  expect(counts.size).toBe(count);
  expect(Math.min(...counts.values())).toBeGreaterThan(700 / count);
});

it("a create has one pool if its region has only one", () => {
  expect(chosen({ perRegion: 1, inFlight: 100 })).toEqual(["0", undefined]);
});

it.for<[batchPosition: BatchPosition, batchPools: number, pools: PoolPair]>([
  [{ index: 7, waiting: 1 }, 3, ["batch-0", "batch-1"]],
  [{ index: 7, waiting: 251 }, 3, ["batch-1", "batch-0"]],
  [{ index: 7, waiting: 10_000 }, 3, ["batch-1", "batch-2"]],
  [{ index: 5, waiting: 10_000 }, 3, ["batch-2", "batch-0"]],
  [{ index: 5, waiting: 10_000 }, 1, ["batch-0", undefined]],
])("a render of a batch has as many pools as the waiting items need: %j", ([batchPosition, batchPools, pools]) => {
  expect(chosen({ batchPosition, batchPools })).toEqual(pools);
});

describe("the choice between two pools", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const pair: PoolPair = ["0", "1"];
  /** Returns the loads as if each pool had just reported this many renders. */
  const known = (renders: Record<string, number>) => {
    const loads = poolLoads(pages);
    for (const [pool, load] of Object.entries(renders)) {
      loads.began(pool);
      loads.ended(pool, load);
    }
    return loads;
  };
  const first = (loads: ReturnType<typeof poolLoads>) => loads.inOrder(pair)[0];

  it("the first pool of a pair gets the render if nothing is known of either", () => {
    expect(poolLoads(pages).inOrder(pair)).toEqual(["0", "1"]);
  });

  it.for<[renders: Record<string, number>, chosen: string]>([
    [{ 0: 7, 1: 0 }, "0"],
    [{ 0: 8, 1: 0 }, "1"],
    [{ 0: 8, 1: 7 }, "1"],
    [{ 0: 8, 1: 8 }, "0"],
    [{ 0: 9, 1: 30 }, "0"],
    [{ 0: 24 }, "0"],
    [{ 0: 25 }, "1"],
  ])(
    "the first pool gets the render while it has room, and then the pool with fewer renders: %j",
    ([renders, expected]) => void expect(first(known(renders))).toBe(expected),
  );

  it("the second pool of a pair gets the render when this isolate's renders in flight fill the first pool", () => {
    const loads = known({ 0: 0, 1: 0 });
    const sent = Array.from({ length: 24 }, () => {
      const pool = first(loads);
      loads.began(pool);
      return pool;
    });

    expect(counted(sent)).toEqual(counted([...Array<string>(12).fill("0"), ...Array<string>(12).fill("1")]));
    expect(sent.slice(0, 8)).toEqual(Array(8).fill("0"));
  });

  it("the first pool of a pair gets renders again when some have ended, and no render of this isolate counts twice", () => {
    const loads = known({ 0: 0, 1: 0 });
    for (let count = 0; count < 10; count++) loads.began("0");
    expect(first(loads)).toBe("1");

    // The pool counts the nine that are still in flight.
    loads.ended("0", 9);
    expect(first(loads)).toBe("1");
    for (let left = 8; left > 6; left--) loads.ended("0", left);

    expect(first(loads)).toBe("0");
  });

  it("a pool that could not begin a render is avoided for five seconds", () => {
    const loads = known({ 0: Infinity });
    expect(loads.inOrder(pair)).toEqual(["1", "0"]);

    vi.advanceTimersByTime(knownMs + 1);

    expect(loads.inOrder(pair)).toEqual(["0", "1"]);
  });

  it("the first pool of a pair gets the render if neither pool could begin one", () => {
    const loads = known({ 0: Infinity, 1: Infinity });

    expect([first(loads), loads.areAvoided(pair)]).toEqual(["0", true]);
    expect(known({ 0: Infinity }).areAvoided(pair)).toBe(false);
    expect(known({ 0: Infinity }).areAvoided(["0", undefined])).toBe(false);
  });

  it("the first pool of a pair gets renders again five seconds after its last reply, even if a stopped request never ended its render", () => {
    const loads = known({ 1: 0 });
    for (let count = 0; count < 40; count++) loads.began("0");
    expect(first(loads)).toBe("1");

    vi.advanceTimersByTime(knownMs + 1);

    expect(first(loads)).toBe("0");
    loads.began("0");
    expect(first(loads)).toBe("0");
  });
});
