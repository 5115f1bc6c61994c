import { afterEach, expect, it, vi } from "vitest";
import { agedCache, agedSet, type AgedCache } from "colophon-base/aged-cache";

const bounds = { maxEntries: 100, maxAgeMs: 60_000, weight: { max: 10, of: (value: string) => value.length } };

afterEach(() => void vi.useRealTimers());

/** Reads a key through the cache. Returns whether the cache had to load the value. */
async function loads(cache: AgedCache<string | null>, key: string, value: string | null): Promise<boolean> {
  let isLoaded = false;
  await cache.get(key, async () => {
    isLoaded = true;
    return value;
  });
  return isLoaded;
}

it("an aged cache drops the oldest value when the total weight is above the limit", async () => {
  const cache = agedCache(bounds);
  for (const key of ["a", "b", "c"]) await loads(cache, key, "1234");

  expect(await loads(cache, "c", "1234")).toBe(false);
  expect(await loads(cache, "b", "1234")).toBe(false);
  expect(await loads(cache, "a", "1234")).toBe(true);
});

it("an aged cache returns a value that alone exceeds the weight limit without keeping it, and keeps the others", async () => {
  const cache = agedCache(bounds);

  await loads(cache, "kept", "1234");

  const value = await cache.get("a", async () => "12345678901");

  expect(value).toBe("12345678901");
  expect([cache.peek("a"), cache.peek("kept")]).toEqual([undefined, "1234"]);
});

it("an aged cache drops the least recently used values when it is trimmed", async () => {
  const cache = agedCache(bounds);
  for (const key of ["a", "b", "a"]) await loads(cache, key, "1234");

  cache.trim(4);

  expect([cache.peek("a"), cache.peek("b")]).toEqual(["1234", undefined]);
});

it("an aged cache drops the least recently used entry beyond `maxEntries`", async () => {
  const cache = agedCache<string | null>({ maxEntries: 2, maxAgeMs: 60_000 });
  for (const key of ["a", "b", "a", "c"]) await loads(cache, key, key);

  expect(await loads(cache, "a", "a")).toBe(false);
  expect(await loads(cache, "b", "b")).toBe(true);
});

// No timer fires during this test, so a cache that reads the clock only when a timer fires would fail it.
it("an aged cache loads a value again once it is too old, even if it was recently read and no timer has fired", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
  const cache = agedCache<string | null>({ maxEntries: 2, maxAgeMs: 5_000 });
  await loads(cache, "a", "a");

  vi.setSystemTime(1_004_999);
  expect(await loads(cache, "a", "a")).toBe(false);
  vi.setSystemTime(1_005_001);
  expect(await loads(cache, "a", "a")).toBe(true);
});

const newCache = () => agedCache<string | null>({ maxEntries: 2, maxAgeMs: 60_000 });

it("a caller waits for another caller's load of a value, and loads the value itself if none was found", async () => {
  const cache = newCache();

  const loaded = await Promise.all([loads(cache, "a", "a"), loads(cache, "a", "a"), loads(cache, "b", "b")]);
  const withoutValue = await Promise.all([loads(cache, "c", null), loads(cache, "c", "c")]);

  expect([loaded, withoutValue]).toEqual([
    [true, false, true],
    [true, true],
  ]);
});

it("a caller loads a value itself when another caller's load of the value has failed", async () => {
  const cache = newCache();
  const failing = cache.get("a", async () => {
    throw new Error("D1 is down");
  });

  const second = loads(cache, "a", "a");

  await expect(failing).rejects.toThrow("D1 is down");
  expect(await second).toBe(true);
  expect(await loads(cache, "a", "a")).toBe(false);
});

it("a caller loads a value itself after waiting four seconds for another caller, which may have been stopped", async () => {
  vi.useFakeTimers({ now: 1_000_000 });
  const cache = newCache();
  void cache.get("a", () => new Promise(() => {}));
  const loaded = vi.fn();

  void loads(cache, "a", "a").then(loaded);
  await vi.advanceTimersByTimeAsync(3_900);
  expect(loaded).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);

  expect(loaded).toHaveBeenCalledExactlyOnceWith(true);
  expect(await loads(cache, "a", "a")).toBe(false);
});

it("an aged set drops the least recently added key beyond `maxEntries`", () => {
  const set = agedSet({ maxEntries: 2, maxAgeMs: 60_000 });
  for (const key of ["a", "b", "c"]) set.add(key);

  expect(["a", "b", "c"].map((key) => set.has(key))).toEqual([false, true, true]);
});

it("an aged set drops a key once it is too old, even if the key was looked up recently", () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
  const set = agedSet({ maxEntries: 2, maxAgeMs: 5_000 });
  set.add("a");

  vi.setSystemTime(1_004_999);
  const soon = set.has("a");
  vi.setSystemTime(1_005_001);

  expect([soon, set.has("a")]).toEqual([true, false]);
});
