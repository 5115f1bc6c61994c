// Sends render jobs to the browser pools of the region in which the request arrived: to the less busy of two pools, or to the other one
// if the first cannot begin the render. If the pool has no free page, the job waits in its queue. A job that may have been rendered is
// not retried here.
import { DeadlineError, withDeadline } from "colophon-base/deadline";
import type { Log } from "colophon-base/log";
import { loggableReason } from "colophon-base/loggable-error";
import { poolJob, type PoolJob } from "colophon-render/job-content";
import { poolMargins, type PoolMargins } from "colophon-render/margin-content";
import { noMeasurements, type RenderMeasurements, type RenderOutcome } from "colophon-render/render-job";
import type { MayStore, RenderCalls, Renderer } from "colophon-render/render-services";
import { nearestRegion, type Region } from "../../core/region.ts";
import type { ObjectNamespace } from "../object-client.ts";
import { isOverloaded } from "../overload.ts";
import { knownMs, objectName, poolLoads, poolsOf, type PoolPlan } from "./pool-choice.ts";

/** The methods of a `BrowserPool` object. */
export type PoolObject = {
  /** The object can call both functions until the render ends; each call is a request back to the Worker. */
  render(job: PoolJob, renderMargins: PoolMargins | null, mayStore?: MayStore | null): Promise<MeasuredOutcome>;
  /** Returns the version of the pool's browser, which is started if none is open. Rejects when it does not respond. */
  browserVersion(): Promise<string>;
  /** Returns the id of the deployed version whose code the pool runs. */
  workerVersion(): Promise<string>;
};

/** `load` is how many other renders the pool has when this one has ended, in progress and waiting. */
export type MeasuredOutcome = RenderOutcome & { measurements: RenderMeasurements; load?: number };

/**
 * The pool ends a render at its deadline. The Worker waits this much longer for the pool's response, and then treats
 * the render as timed out.
 */
const graceMs = 500;

/** `isBegun` is false if it is certain that the pool has rendered nothing, and null if that is unknown. */
type Attempt = { outcome: RenderOutcome; isBegun: boolean | null };

const unavailable: RenderOutcome = { status: "no_capacity", retryAfterSeconds: knownMs / 1000 };

/** `region` is where the request came in. `inFlightOf` returns how many creates of an account are in flight. */
export function poolClient(
  namespace: ObjectNamespace<PoolObject>,
  plan: PoolPlan,
  region: Region,
  { log = () => {}, inFlightOf = () => 1 }: { log?: Log; inFlightOf?: (accountId: string) => number } = {},
): Renderer {
  const loads = poolLoads(plan.pages);
  const nearest = nearestRegion(region, plan.regions);
  const attempt = async (pool: string, job: PoolJob, calls: RenderCalls): Promise<Attempt> => {
    const { renderMargins, mayStore = null, report } = calls;
    let load: number | null = Infinity;
    loads.began(pool);
    try {
      const margins = renderMargins ? poolMargins(renderMargins) : null;
      const rendering = poolObject(namespace, nearest, pool).render(job, margins, mayStore);
      const reply = await withDeadline("BrowserPool", job.timeoutMs + graceMs, rendering);
      const { measurements = noMeasurements(), load: ofOthers = null, ...outcome } = reply;
      report?.(measurements);
      const isBegun = measurements.browserVersion !== null || !["no_capacity", "crashed"].includes(outcome.status);
      if (isBegun) load = ofOthers;
      return { outcome, isBegun };
    } catch (error) {
      if (error instanceof DeadlineError) return { outcome: { status: "timed_out" }, isBegun: true };
      // The platform has not delivered the call, because the object has too many others.
      if (isOverloaded(error)) return { outcome: { status: "no_capacity", retryAfterSeconds: 1 }, isBegun: false };
      return { outcome: { status: "crashed", reason: loggableReason(error) }, isBegun: null };
    } finally {
      loads.ended(pool, load);
      if (load === Infinity) log("warn", { event: "pool.unavailable", pool: objectName(nearest, pool) });
    }
  };
  return {
    async render(job, calls = {}) {
      const startedMs = Date.now();
      const isBackground = job.batchPosition !== undefined && plan.batchPools === 0;
      const jobFor = (timeoutMs: number) => ({ ...poolJob(job), timeoutMs, ...(isBackground && { isBackground }) });
      const pools = loads.inOrder(poolsOf(job, plan, inFlightOf(job.accountId)));
      const [first, second] = pools;
      const hasOther = second !== undefined;
      let last = await attempt(first, { ...jobFor(job.timeoutMs), ...(hasOther && { hasOther }) }, calls);
      const leftMs = job.timeoutMs - (Date.now() - startedMs);
      if (hasOther && last.isBegun === false && leftMs > 0) last = await attempt(second, jobFor(leftMs), calls);
      if (last.outcome.status !== "crashed" || last.isBegun || !loads.areAvoided(pools)) return last.outcome;
      // The caller removes the file after its last attempt. An item that may have ended both pools is not tried again and again.
      const mayRefuse = last.isBegun === false || (!job.mayRetry && !job.batchPosition);
      return mayRefuse ? unavailable : last.outcome;
    },
  };
}

/** Returns the pool's object. A pool that does not exist yet is created in its region. */
function poolObject(namespace: ObjectNamespace<PoolObject>, region: Region, pool: string): PoolObject {
  return namespace.get(namespace.idFromName(objectName(region, pool)), { locationHint: region });
}

/** Returns a pool of the region, for health checks. */
export function firstPool(namespace: ObjectNamespace<PoolObject>, plan: PoolPlan, region: Region): PoolObject {
  return poolObject(namespace, nearestRegion(region, plan.regions), "0");
}
