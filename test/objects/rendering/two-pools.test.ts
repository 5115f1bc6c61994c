// Two pools of a region with fake browsers. The service's client chooses between them.
import { expect, it } from "vitest";
import type { PoolJob } from "colophon-render/job-content";
import { noMeasurements } from "colophon-render/render-job";
import { renderJob } from "colophon-test-kit/render-job";
import { RenderPool } from "../../../src/objects/rendering/pool.ts";
import type { ObjectNamespace } from "../../../src/platform/object-client.ts";
import { poolClient, type PoolObject } from "../../../src/platform/rendering/pool-client.ts";
import { FakeBrowsers, poolParts, type Step } from "./fake-browsers.ts";

const settings = { concurrentPages: 4, maxPages: 5, queueLength: 64 };

function twoPools() {
  const pools = new Map<string, { browsers: FakeBrowsers; pool: RenderPool }>();
  const poolOf = (name: string) => {
    const browsers = new FakeBrowsers();
    const made = pools.get(name) ?? { browsers, pool: new RenderPool(poolParts(browsers, settings)) };
    pools.set(name, made);
    return made;
  };
  const get = (name: string) => ({
    async render(job: PoolJob) {
      const measurements = noMeasurements(name);
      const { pool } = poolOf(name);
      return { ...(await pool.render(job, { measured: measurements })), measurements, load: pool.load };
    },
  });
  const namespace = { idFromName: (name: string) => name, get } as unknown as ObjectNamespace<PoolObject>;
  const plan = { regions: ["weur"], perRegion: 2, batchPools: 0, pages: settings.concurrentPages } as const;
  return { pools, poolOf, client: poolClient(namespace, plan, "weur") };
}

it.each<Step | null>([null, "openSession", "render", "ping", "closePage"])(
  "a page serves one account, and no browser has too many, when two pools share the renders of many accounts (failures: %s)",
  async (step) => {
    const { pools, poolOf, client } = twoPools();
    const accounts = Array.from({ length: 12 }, (_, index) => `account ${index}`);
    const statuses: string[] = [];
    for (let round = 0; round < 6; round++) {
      if (step) for (const name of ["weur-0", "weur-1"]) poolOf(name).browsers.fail(step);
      const renders = accounts.flatMap((accountId) => [accountId, accountId]);
      const outcomes = await Promise.all(
        renders.map((accountId) => client.render(renderJob({ accountId, timeoutMs: 20_000 }))),
      );
      statuses.push(...outcomes.map(({ status }) => status));
    }

    expect(statuses.filter((status) => status === "rendered").length).toBeGreaterThan(statuses.length / 2);
    expect([...pools.keys()].toSorted()).toEqual(["weur-0", "weur-1"]);
    for (const { browsers } of pools.values()) {
      expect(browsers.pages.filter(({ accounts: served }) => new Set(served).size > 1)).toEqual([]);
      expect(Math.max(...browsers.sessions.map(({ maxContexts }) => maxContexts))).toBeLessThanOrEqual(
        settings.maxPages,
      );
    }
    const served = [...pools.values()].map(({ browsers }) => new Set(browsers.pages.flatMap((page) => page.accounts)));
    expect(accounts.filter((accountId) => served.every((names) => names.has(accountId))).length).toBeGreaterThan(0);
  },
);
