// What a warm isolate remembers: bounded in entries and in age, never the absence of something.
// Module state is allowed here and nowhere else; each cache says its bounds where it is made.

export type AgedCache<V> = {
  /** The remembered value, or what `load` brings; null is not remembered, so that new things exist at once. */
  get(key: string, load: () => Promise<V>): Promise<V>;
};

export function agedCache<V>(bounds: { maxEntries: number; maxAgeMs: number }): AgedCache<V> {
  const entries = new Map<string, { value: V; storedAtMs: number }>();
  return {
    async get(key, load) {
      const known = entries.get(key);
      if (known && Date.now() - known.storedAtMs < bounds.maxAgeMs) return known.value;
      const value = await load();
      entries.delete(key);
      if (value === null) return value;
      entries.set(key, { value, storedAtMs: Date.now() });
      const oldest = entries.keys().next();
      if (entries.size > bounds.maxEntries && !oldest.done) entries.delete(oldest.value);
      return value;
    },
  };
}
