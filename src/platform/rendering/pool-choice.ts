// Chooses the pool of a render: the less busy of two pools, which are determined by the account and, if it has many renders in flight, by
// the render. The first pool has the account's warm pages, so it is preferred while it has room. Pools report their load in their replies
// to this isolate, so no extra call is needed.
import { agedCache } from "colophon-base/aged-cache";
import type { RenderJob } from "colophon-render/render-job";
import type { Region } from "../../core/region.ts";

/**
 * Where the pools are. There are `perRegion` pools in each of `regions`, of which there is at least one, and up to `batchPools` for
 * batches. If that is 0, batches use the other pools. One account may use `pages` pages of a pool at once.
 */
export type PoolPlan = { regions: readonly Region[]; perRegion: number; batchPools: number; pages: number };

/** The names of the pools that a render may use, the preferred one first. If there is only one pool, the second is undefined. */
export type PoolPair = readonly [first: string, second: string | undefined];

/** Returns the pools of the job. `inFlight` is how many creates of its account are in flight. */
export function poolsOf({ accountId, fileKey, batchPosition }: RenderJob, plan: PoolPlan, inFlight: number): PoolPair {
  const { perRegion, batchPools, pages } = plan;
  if (batchPosition && batchPools > 0) {
    const count = poolsFor(batchPosition.waiting, batchPools);
    return pair(batchPosition.index % count, 1, Math.max(count, Math.min(2, batchPools)), batchPrefix);
  }
  const hash = hashOf(accountId);
  const first = (hash + (hashOf(fileKey) % poolsFor(inFlight, perRegion, pages))) % perRegion;
  // The second pools of accounts with the same first pool differ, so they do not fill one together.
  const step = 1 + (Math.floor(hash / perRegion) % Math.max(1, perRegion - 1));
  return pair(first, step, perRegion, "");
}

function pair(first: number, step: number, pools: number, prefix: string): PoolPair {
  const second = (first + step) % pools;
  return [`${prefix}${first}`, second === first ? undefined : `${prefix}${second}`];
}

const batchPrefix = "batch-";

/** Returns the name of the pool's object. */
export function objectName(region: Region, pool: string): string {
  return `${region}-${pool}`;
}

/** Whether the object of this name is for batches only. */
export function isBatchPool(name: string | undefined): boolean {
  return name?.includes(`-${batchPrefix}`) ?? false;
}

/** A browser has to be started, and is billed until it has been idle for a while, so each must have enough to do. */
const itemsPerPool = 250;

/**
 * Returns the number of pools over which an account with this many renders is spread. By default, `renders` are waiting items of a batch.
 */
export function poolsFor(renders: number, most: number, perPool = itemsPerPool): number {
  return Math.max(1, Math.min(most, Math.ceil(renders / perPool)));
}

/** Every isolate finds the same number. */
function hashOf(text: string): number {
  let hash = 0;
  for (const character of text) hash = (31 * hash + character.charCodeAt(0)) >>> 0;
  return hash;
}

/** How long the load of a pool is remembered, and how long a pool that could not begin a render is avoided. */
export const knownMs = 5_000;

/** Remembers how many renders each pool has. One account may use `pages` of its pages at once. */
export function poolLoads(pages: number) {
  /** The renders of a pool, without those that this isolate has in flight there. */
  const others = agedCache<number>({ maxEntries: 1_000, maxAgeMs: knownMs });
  const inFlight = new Map<string, number>();
  const ownOf = (pool: string) => inFlight.get(pool) ?? 0;
  const loadOf = (pool: string) => {
    const known = others.peek(pool);
    return known === undefined ? null : known + ownOf(pool);
  };
  return {
    /** Returns the two pools, beginning with the one that should get the render. */
    inOrder(pools: PoolPair): PoolPair {
      const [first, second] = pools;
      const load = loadOf(first) ?? 0;
      // If nothing is known of the second, its browser may have to be started, which takes longer than a short queue.
      if (second === undefined || load < pages || load <= (loadOf(second) ?? 3 * pages)) return pools;
      return [second, first];
    },
    /** Whether there are two pools and neither of them could begin a render. */
    areAvoided: (pools: PoolPair) => pools.every((pool) => pool !== undefined && loadOf(pool) === Infinity),
    /** Notes that this isolate sends a render to the pool, which `ended` must follow. */
    began(pool: string): void {
      if (loadOf(pool) === null) others.set(pool, -ownOf(pool));
      inFlight.set(pool, ownOf(pool) + 1);
    },
    /**
     * `load` is the number of renders that the pool has now, null if its reply did not contain it, or infinite if the pool must be avoided.
     */
    ended(pool: string, load: number | null): void {
      inFlight.set(pool, ownOf(pool) - 1);
      if (load !== null) others.set(pool, load - ownOf(pool));
    },
  };
}
