import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { healthChecks, type CheckedParts } from "../../src/platform/health.ts";
import type { HealthParts } from "../../src/ports/services.ts";
import { hanging } from "../fakes/services.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns the checks of a platform on which every call hangs. */
function checksOfHangingPlatform(): HealthParts {
  const bucket = { head: hanging() } as unknown as R2Bucket;
  const browserPools = {
    idFromName: (name: string) => name,
    get: () => ({ browserVersion: hanging(), workerVersion: hanging() }),
  };
  return healthChecks({
    databases: { shards: new Map([[0, { run: hanging() }]]) },
    files: bucket,
    privateFiles: bucket,
    templates: bucket,
    webhookQueue: { metrics: hanging() } as unknown as Queue,
    version: { id: "version-of-the-worker" },
    browserPools: browserPools as unknown as CheckedParts["browserPools"],
    poolPlan: { regions: ["weur"], perRegion: 1, batchPools: 0, pages: 8 },
    region: "weur",
  }).parts;
}

it.each<[keyof HealthParts, number]>([
  ["database", 5_000],
  ["files", 5_000],
  ["privateFiles", 5_000],
  ["templates", 5_000],
  ["webhookQueue", 5_000],
  ["pool", 5_000],
  ["browser", 10_000],
])("the health check of the part %s fails after %i ms if the part does not respond", async (part, timeoutMs) => {
  const failed = vi.fn();
  Promise.resolve(checksOfHangingPlatform()[part]()).catch(failed);

  await vi.advanceTimersByTimeAsync(timeoutMs - 1);
  expect(failed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);

  expect(failed).toHaveBeenCalledOnce();
});
