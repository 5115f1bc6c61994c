// Two browser pools of a region that store a small file, or fail as a source of faults says. The service's own client chooses between them.
import type { PoolJob } from "colophon-render/job-content";
import { noMeasurements, type RenderOutcome } from "colophon-render/render-job";
import type { MayStore, Renderer } from "colophon-render/render-services";
import type { ObjectNamespace } from "../../src/platform/object-client.ts";
import { poolClient, type PoolObject } from "../../src/platform/rendering/pool-client.ts";
import type { FaultSource } from "./fault-injection.ts";
import { storeInTime } from "./requests.ts";

/** `renders` has the number of renders that have begun, by the key of their file. */
export type PoolRun = { faults: FaultSource; files: R2Bucket; renders: Map<string, number> };

const version = "HeadlessChrome/128.0.6613.84";

type PoolFault = "unreachable" | "response lost" | { outcome: RenderOutcome; browserVersion: string | null };

export const poolFaults = {
  unreachable: "unreachable",
  lost: "response lost",
  full: { outcome: { status: "no_capacity", retryAfterSeconds: 1 }, browserVersion: null },
  noBrowser: { outcome: { status: "crashed", reason: "no browser" }, browserVersion: null },
  crash: { outcome: { status: "crashed", reason: "gone" }, browserVersion: version },
  impossible: { outcome: { status: "impossible", message: "no" }, browserVersion: version },
  slow: { outcome: { status: "timed_out" }, browserVersion: version },
} satisfies Record<string, PoolFault>;

/** Each call of a pool has a fault with the probability `rate` of the source. */
export function faultyPools(run: PoolRun): Renderer {
  const pool = (name: string) => ({
    async render(job: PoolJob, _renderMargins: unknown, mayStore: MayStore | null) {
      const { outcome, browserVersion } = await renderInPool(run, job, mayStore);
      return { ...outcome, measurements: { ...noMeasurements(name), browserVersion } };
    },
  });
  const pools = { idFromName: (name: string) => name, get: pool } as unknown as ObjectNamespace<PoolObject>;
  return poolClient(pools, { regions: ["enam"], perRegion: 2, batchPools: 0, pages: 8 }, "enam");
}

async function renderInPool({ faults, files, renders }: PoolRun, job: PoolJob, mayStore: MayStore | null) {
  const fault: PoolFault | null =
    faults.random() < faults.rate ? faults.pick<PoolFault>(Object.values(poolFaults)) : null;
  if (fault === "unreachable") throw new Error(fault);
  const rendered = async (outcome: RenderOutcome) => ({ outcome, browserVersion: version });
  if (fault && typeof fault === "object") return fault;
  renders.set(job.fileKey, (renders.get(job.fileKey) ?? 0) + 1);
  if (mayStore && !(await mayStore())) return rendered({ status: "not_permitted" });
  const stored = await storeInTime(files, job, 5_000);
  if (fault) throw new Error(fault);
  return rendered(stored);
}
