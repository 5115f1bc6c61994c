// Creates caches for a warm isolate. They have a maximum number of entries, a maximum age and, optionally, a maximum
// weight. `agedCache` never caches the absence of a value. A cache is module state, so its bounds must be given where it
// is created.
import { LRUCache } from "lru-cache";
import { withDeadline } from "./deadline.ts";

type SetBounds = { maxEntries: number; maxAgeMs: number };

type CacheBounds<V> = SetBounds & {
  /**
   * For values of very different sizes: `of` returns the weight of a value, and `max` limits the total weight. A value
   * heavier than `max` is returned but not cached.
   */
  weight?: { max: number; of: (value: V) => number };
};

/** A burst of requests slows down the first load, so this is nearly the time limit of a call to D1. */
const maxWaitMs = 4_000;

export type AgedCache<V> = ReturnType<typeof agedCache<V>>;

export function agedCache<V>({ maxEntries, maxAgeMs, weight }: CacheBounds<V>) {
  const entries = new LRUCache<string, V & {}>({
    ...optionsOf({ maxEntries, maxAgeMs }),
    ...(weight ? { maxSize: weight.max, sizeCalculation: (value: V & {}) => Math.max(1, weight.of(value)) } : {}),
  });
  /** The loads of all requests. If the platform stops a request, its load stays here until it is too old. */
  const loading = new LRUCache<string, Promise<unknown>>(optionsOf({ maxEntries, maxAgeMs: maxWaitMs }));
  // The library's `fetch` is not used, because its promise never settles if the loading request is stopped.
  const loadedBy = async (load: Promise<unknown>, key: string): Promise<(V & {}) | undefined> => {
    await withDeadline("the load of another request", maxWaitMs, load).catch(() => {});
    return entries.get(key);
  };
  return {
    /**
     * Returns the cached value. If there is none, calls `load`, caches its result and returns it. Null is not cached, so that a value
     * created later is found immediately. If a different request is loading the value, waits for that load for up to `maxWaitMs` before
     * calling `load`, so that a burst of requests loads the value only once.
     */
    async get(key: string, load: () => Promise<V>): Promise<V> {
      const other = loading.get(key);
      const cached = entries.get(key) ?? (other && (await loadedBy(other, key)));
      if (cached !== undefined) return cached;
      const loaded = load().finally(() => loading.delete(key));
      loading.set(key, loaded);
      const value = await loaded;
      if (value === null || value === undefined) entries.delete(key);
      else entries.set(key, value);
      return value;
    },
    /** Returns the cached value, or undefined if there is none. */
    peek: (key: string): V | undefined => entries.get(key),
    set: (key: string, value: V & {}) => void entries.set(key, value),
    delete: (key: string) => void entries.delete(key),
    /** Drops the least recently used values until the rest weigh at most `maxWeight`. Only for a cache with a weight. */
    trim(maxWeight: number) {
      while (entries.calculatedSize > maxWeight) entries.pop();
    },
  };
}

/** Remembers keys without values until they are too old. */
export function agedSet(bounds: SetBounds) {
  const entries = new LRUCache<string, true>(optionsOf(bounds));
  return {
    has: (key: string) => entries.has(key),
    add: (key: string) => void entries.set(key, true),
    delete: (key: string) => void entries.delete(key),
  };
}

function optionsOf({ maxEntries, maxAgeMs }: SetBounds) {
  return {
    max: maxEntries,
    ttl: maxAgeMs,
    // With a value above 0, the cache reuses a clock reading until a timer fires. A Worker cancels the timer when the
    // request that set it ends, so the reading could be reused forever and nothing would expire.
    ttlResolution: 0,
    perf: { now: () => Date.now() },
  };
}
