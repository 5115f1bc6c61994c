import { expect, it } from "vitest";
import { agedCache } from "../../../src/platform/aged-cache.ts";

const bounds = { maxEntries: 100, maxAgeMs: 60_000, weight: { max: 10, of: (value: string) => value.length } };

/** Asks for the key; says whether it had to be loaded. */
async function loads(cache: ReturnType<typeof agedCache<string>>, key: string, value: string): Promise<boolean> {
  let isLoaded = false;
  await cache.get(key, async () => {
    isLoaded = true;
    return value;
  });
  return isLoaded;
}

it("forgets the oldest when all together weigh too much", async () => {
  const cache = agedCache(bounds);
  for (const key of ["a", "b", "c"]) await loads(cache, key, "1234");

  expect(await loads(cache, "c", "1234")).toBe(false);
  expect(await loads(cache, "b", "1234")).toBe(false);
  expect(await loads(cache, "a", "1234")).toBe(true);
});

it("hands out, but does not keep, what is too heavy by itself", async () => {
  const cache = agedCache(bounds);

  const value = await cache.get("a", async () => "12345678901");

  expect(value).toBe("12345678901");
  expect(await loads(cache, "a", "1")).toBe(true);
});
