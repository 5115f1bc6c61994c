// What a warm isolate remembers: bounded in entries, age and, where it matters, weight, never the absence of something.
// Module state is allowed here and nowhere else; each cache says its bounds where it is made.

export type AgedCache<V> = {
  /** The remembered value, or what `load` brings; null is not remembered, so that new things exist at once. */
  get(key: string, load: () => Promise<V>): Promise<V>;
};

export type CacheBounds<V> = {
  maxEntries: number;
  maxAgeMs: number;
  /** For values that differ much in size. One that is larger than all may be together is not remembered. */
  weight?: { max: number; of: (value: V) => number };
};

export function agedCache<V>({ maxEntries, maxAgeMs, weight }: CacheBounds<V>): AgedCache<V> {
  const entries = new Map<string, { value: V; storedAtMs: number }>();
  const isOverfull = () => {
    if (entries.size > maxEntries) return true;
    if (!weight) return false;
    return [...entries.values()].reduce((sum, { value }) => sum + weight.of(value), 0) > weight.max;
  };
  return {
    async get(key, load) {
      const known = entries.get(key);
      if (known && Date.now() - known.storedAtMs < maxAgeMs) return known.value;
      const value = await load();
      entries.delete(key);
      if (value === null) return value;
      entries.set(key, { value, storedAtMs: Date.now() });
      for (const oldest of entries.keys()) {
        if (!isOverfull()) break;
        entries.delete(oldest);
      }
      return value;
    },
  };
}
