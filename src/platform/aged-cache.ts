// Caches for a warm isolate: bounded in entries, age and, where it matters, weight. The absence of a value is never cached.
// Module state is allowed only for these caches; each states its bounds where it is created.
import { LRUCache } from "lru-cache";

export type AgedCache<V> = {
  /**
   * The cached value, or the one that `load` returns. Null is not cached, so that a value created later is found at once.
   */
  get(key: string, load: () => Promise<V>): Promise<V>;
};

export type CacheBounds<V> = {
  maxEntries: number;
  maxAgeMs: number;
  /** For values that differ much in size. A value heavier than `max` is returned but not cached. */
  weight?: { max: number; of: (value: V) => number };
};

export function agedCache<V>({ maxEntries, maxAgeMs, weight }: CacheBounds<V>): AgedCache<V> {
  const entries = new LRUCache<string, V & {}>({
    max: maxEntries,
    ttl: maxAgeMs,
    // Otherwise the cache keeps a reading of the clock until a timer fires. In a Worker a timer ends with the request that
    // set it, so that reading could stay for ever and nothing would expire.
    ttlResolution: 0,
    perf: { now: () => Date.now() },
    ...(weight ? { maxSize: weight.max, sizeCalculation: (value: V & {}) => Math.max(1, weight.of(value)) } : {}),
  });
  return {
    // This does not use the cache's own `fetch`, which shares one load among callers: a request must not wait for another
    // request's I/O.
    async get(key, load) {
      const known = entries.get(key);
      if (known !== undefined) return known;
      const value = await load();
      if (value === null || value === undefined) entries.delete(key);
      else entries.set(key, value);
      return value;
    },
  };
}
