import { expect, it } from "vitest";
import { readCdpUrl, readPoolPlan } from "../../../src/settings.ts";

const planOf = (variables: Record<string, string | undefined>) =>
  readPoolPlan({ BROWSER_POOL_REGIONS: "weur", BROWSER_POOLS: "1", ...variables } as Env);

it("the plan of the pools contains each of the listed regions once", () => {
  const plan = planOf({ BROWSER_POOL_REGIONS: " weur, enam,weur ", BROWSER_POOLS: "2" });

  expect(plan).toEqual({ regions: ["weur", "enam"], perRegion: 2, batchPools: 4, pages: 6 });
  expect(planOf({ BATCH_POOLS: "0" }).batchPools).toBe(0);
});

it.each(["", "eu", "weur,", "weur enam", "sam", "WEUR"])("BROWSER_POOL_REGIONS may not be %j", (value) => {
  expect(() => planOf({ BROWSER_POOL_REGIONS: value })).toThrow(
    "the variable BROWSER_POOL_REGIONS must be a comma-separated list of regions; the regions are wnam, enam, weur, eeur, apac, oc",
  );
});

it.each(["-1", "1.5", "many"])("BATCH_POOLS may not be %j", (value) => {
  expect(() => planOf({ BATCH_POOLS: value })).toThrow("the variable BATCH_POOLS must be a whole number, 0 or more");
});

it.each(["0", "-1", "1.5", "many", ""])("BROWSER_POOLS may not be %j", (value) => {
  expect(() => planOf({ BROWSER_POOLS: value })).toThrow("the variable BROWSER_POOLS must be a");
});

it.each(["", "http://127.0.0.1:9222", "wss://browsers.dev/?token=a"])("BROWSER_CDP_URL may be %j", (value) => {
  expect(readCdpUrl({ BROWSER_CDP_URL: value } as Env)?.href ?? "").toContain(value);
});

it.each(["127.0.0.1:9222", "ftp://browsers.dev", "wss://", "a secret"])("BROWSER_CDP_URL may not be %j", (value) => {
  expect(() => planOf({ BROWSER_CDP_URL: value })).toThrow(
    /^the variable BROWSER_CDP_URL must be an absolute http, https, ws or wss URL$/,
  );
});
