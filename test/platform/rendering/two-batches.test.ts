// Batches of two accounts on pools whose renders take the time of a real page, not of this machine's processor.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { PoolJob } from "colophon-render/job-content";
import { noMeasurements } from "colophon-render/render-job";
import { renderJob } from "colophon-test-kit/render-job";
import { Semaphore } from "../../../src/core/rendering/semaphore.ts";
import type { ObjectNamespace } from "../../../src/platform/object-client.ts";
import { poolsFor } from "../../../src/platform/rendering/pool-choice.ts";
import { poolClient, type PoolObject } from "../../../src/platform/rendering/pool-client.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pages = 8;
const renderMs = 150;
const items = 2_000;

/** Returns how long two equal batches take together, and the longest wait for a page, with this many pools for batches. */
async function twoBatches(batchPools: number): Promise<{ ms: number; waitMs: number; rendered: number[] }> {
  const pools = new Map<string, { semaphore: Semaphore; rendered: number }>();
  let waitMs = 0;
  const get = (name: string) => {
    const pool = pools.get(name) ?? { semaphore: new Semaphore({ capacity: pages }), rendered: 0 };
    pools.set(name, pool);
    return {
      async render({ accountId }: PoolJob) {
        const arrivedMs = Date.now();
        const page = await pool.semaphore.acquire({ accountId, maxWaitMs: 60_000 });
        waitMs = Math.max(waitMs, Date.now() - arrivedMs);
        await new Promise((resolve) => setTimeout(resolve, renderMs));
        page?.release();
        pool.rendered++;
        const load = pool.semaphore.inUse + pool.semaphore.waiting();
        return { status: "impossible", message: "done", measurements: noMeasurements(name), load };
      },
    };
  };
  const namespace = { idFromName: (name: string) => name, get } as unknown as ObjectNamespace<PoolObject>;
  const plan = { regions: ["weur"], perRegion: 1, batchPools, pages } as const;
  // Each account's object has its own isolate, and as many renders in progress as its pools have pages.
  const batch = async (accountId: string) => {
    const client = poolClient(namespace, plan, "weur");
    let next = 0;
    const worker = async () => {
      for (let index = next++; index < items; index = next++)
        await client.render(renderJob({ accountId, timeoutMs: 60_000, batchPosition: { index, waiting: items } }));
    };
    await Promise.all(Array.from({ length: pages * poolsFor(items, batchPools) }, worker));
  };
  const beganMs = Date.now();
  const ended = Promise.all([batch("a"), batch("b")]).then(() => Date.now() - beganMs);
  await vi.advanceTimersByTimeAsync(120_000);
  return { ms: await ended, waitMs, rendered: [...pools.values()].map(({ rendered }) => rendered) };
}

it("two equal batches of 2,000 items take half as long on two pools as on one, and wait no longer for a page", async () => {
  const [one, two] = [await twoBatches(1), await twoBatches(2)];

  expect([one.ms, one.rendered]).toEqual([(2 * items * renderMs) / pages, [2 * items]]);
  expect(two.ms / one.ms).toBeLessThan(0.6);
  expect(two.waitMs).toBeLessThanOrEqual(one.waitMs);
  expect(Math.min(...two.rendered) / items).toBeGreaterThan(0.95);
});
