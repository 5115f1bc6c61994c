// Sends render jobs to the browser pools of the region in which the request came in. In each region, an account has one pool,
// which keeps its warm pages; batches are spread over other pools. If the pool has no free page, the job waits in its queue. Crashes are
// not retried.
import { loggableReason } from "colophon-base/loggable-error";
import { nearestRegion, type Region } from "../../core/region.ts";
import type { RenderJob, RenderMeasurements, RenderOutcome } from "colophon-render/render-job";
import type { MayStore, Renderer } from "colophon-render/render-services";
import { DeadlineError, withDeadline } from "colophon-base/deadline";
import type { ObjectNamespace } from "../object-client.ts";
import { isOverloaded } from "../overload.ts";
import { poolJob, type PoolJob } from "colophon-render/job-content";
import { poolMargins, type PoolMargins } from "colophon-render/margin-content";

/** The methods of a `BrowserPool` object. */
export type PoolObject = {
  /** The object can call both functions until the render ends; each call is a request back to the Worker. */
  render(job: PoolJob, renderMargins: PoolMargins | null, mayStore?: MayStore | null): Promise<MeasuredOutcome>;
  /** Returns the version of the pool's browser, which is started if none is open. Rejects when it does not respond. */
  browserVersion(): Promise<string>;
  /** Returns the id of the deployed version whose code the pool runs. */
  workerVersion(): Promise<string>;
};

export type MeasuredOutcome = RenderOutcome & { measurements: RenderMeasurements };

/**
 * The pool ends a render at its deadline. The Worker waits this much longer for the pool's response, and then treats
 * the render as timed out.
 */
const graceMs = 500;

/**
 * Where the pools are. There are `perRegion` pools in each of `regions`, of which there is at least one, and up to `batchPools` for
 * batches. If that is 0, batches use the other pools.
 */
export type PoolPlan = { regions: readonly Region[]; perRegion: number; batchPools: number };

/** `region` is where the request came in. */
export function poolClient(namespace: ObjectNamespace<PoolObject>, plan: PoolPlan, region: Region): Renderer {
  return {
    async render(job, { renderMargins, mayStore, report } = {}) {
      const isBackground = job.spread !== undefined && plan.batchPools === 0;
      try {
        const pool = poolObject(namespace, nearestRegion(region, plan.regions), poolOf(job, plan));
        const rendering = pool.render(
          { ...poolJob(job), ...(isBackground && { isBackground }) },
          renderMargins ? poolMargins(renderMargins) : null,
          mayStore ?? null,
        );
        const { measurements, ...outcome } = await withDeadline("BrowserPool", job.timeoutMs + graceMs, rendering);
        report?.(measurements);
        return outcome;
      } catch (error) {
        if (error instanceof DeadlineError) return { status: "timed_out" };
        // The platform has not delivered the call, because the object has too many others.
        if (isOverloaded(error)) return { status: "no_capacity", retryAfterSeconds: 1 };
        return { status: "crashed", reason: loggableReason(error) };
      }
    },
  };
}

/** Returns the pool's object. A pool that does not exist yet is created in its region. */
function poolObject(namespace: ObjectNamespace<PoolObject>, region: Region, pool: string): PoolObject {
  return namespace.get(namespace.idFromName(`${region}-${pool}`), { locationHint: region });
}

/** Returns a pool of the region, for checks of its health. */
export function firstPool(namespace: ObjectNamespace<PoolObject>, plan: PoolPlan, region: Region): PoolObject {
  return poolObject(namespace, nearestRegion(region, plan.regions), "0");
}

function poolOf({ accountId, spread }: RenderJob, { perRegion, batchPools }: PoolPlan): string {
  if (!spread || batchPools === 0) return `${poolNumber(accountId, perRegion)}`;
  return `batch-${spread.index % batchPoolsFor(spread.waiting, batchPools)}`;
}

/** Whether the object of this name is for batches only. */
export function isBatchPool(name: string | undefined): boolean {
  return name?.includes("-batch-") ?? false;
}

/** A browser has to be started, and is billed until it has been idle for a while, so each must have enough to do. */
const itemsPerPool = 250;

/** Returns the number of pools over which an account with this many waiting renders is spread. */
export function batchPoolsFor(waiting: number, most: number): number {
  return Math.max(1, Math.min(most, Math.ceil(waiting / itemsPerPool)));
}

/** Returns the number of the account's pool. Every isolate finds the same. */
export function poolNumber(accountId: string, pools: number): number {
  let hash = 0;
  for (const character of accountId) hash = (31 * hash + character.charCodeAt(0)) >>> 0;
  return hash % pools;
}
