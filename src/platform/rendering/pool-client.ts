// Sends render jobs to the browser pools of the region in which the request came in. In each region, an account has a first
// pool, which keeps its warm pages, and a second pool, which is used when the first has no free page. If neither has one, the
// job waits in the queue of the first. Crashes are not retried.
import { loggableReason } from "../../core/observation/loggable-error.ts";
import { nearestRegion, type Region } from "../../core/region.ts";
import type { RenderMeasurements, RenderOutcome } from "../../core/rendering/render-job.ts";
import type { Renderer, RenderReport } from "../../ports/rendering.ts";
import { DeadlineError, withDeadline } from "../../core/deadline.ts";
import type { ObjectNamespace } from "../object-client.ts";
import { isOverloaded } from "../overload.ts";
import { poolJobs, type PoolJob } from "./job-content.ts";
import { poolMargins, type PoolMargins } from "./margin-content.ts";

/** The methods of a `BrowserPool` object. */
export type PoolObject = {
  /**
   * If `mayWait` is false and no page is free, the render is refused at once. The object can call `renderMargins` until the
   * render ends; each call is a request back to the Worker.
   */
  render(job: PoolJob, mayWait: boolean, renderMargins: PoolMargins | null): Promise<MeasuredOutcome>;
  /** Returns the version of the pool's browser, which is started if none is open. Rejects when it does not respond. */
  browserVersion(): Promise<string>;
  /** Returns the id of the deployed version whose code the pool runs. */
  workerVersion(): Promise<string>;
};

/** A pool of an earlier release sends no measurements. */
export type MeasuredOutcome = RenderOutcome & { measurements?: RenderMeasurements };

/** The arguments of a call of a pool. */
type PoolCall = { job: PoolJob; mayWait: boolean; renderMargins: PoolMargins | null; report: RenderReport };

/**
 * The pool ends a render at its deadline. The Worker waits this much longer for the pool's response, and then treats
 * the render as timed out.
 */
const graceMs = 500;

/** Where the pools are. There are `perRegion` pools in each of `regions`, of which there is at least one. */
export type PoolPlan = { regions: readonly Region[]; perRegion: number };

/** `region` is where the request came in. */
export function poolClient(namespace: ObjectNamespace<PoolObject>, plan: PoolPlan, region: Region): Renderer {
  const renderIn = async (pool: Pool, { job, mayWait, renderMargins, report }: PoolCall): Promise<RenderOutcome> => {
    try {
      const rendering = poolObject(namespace, pool).render(job, mayWait, renderMargins);
      const { measurements, ...outcome } = await withDeadline("BrowserPool", job.timeoutMs + graceMs, rendering);
      if (measurements) report(measurements);
      return outcome;
    } catch (error) {
      if (error instanceof DeadlineError) return { status: "timed_out" };
      // The platform has not delivered the call, because the object has too many others. Another pool may take it.
      if (isOverloaded(error)) return { status: "no_capacity", retryAfterSeconds: 1 };
      return { status: "crashed", reason: loggableReason(error) };
    }
  };
  return {
    async render(job, renderMargins = null, report = () => {}) {
      const deadline = Date.now() + job.timeoutMs;
      const nextJob = poolJobs(job);
      const jobNow = (): PoolJob => ({ ...nextJob(), timeoutMs: deadline - Date.now() });
      const margins = renderMargins && poolMargins(renderMargins);
      const call = (pool: Pool, mayWait: boolean) =>
        renderIn(pool, { job: jobNow(), mayWait, renderMargins: margins, report });
      const [first, second] = poolsOf(job.accountId, plan, region);
      for (const pool of second ? [first, second] : []) {
        const outcome = await call(pool, false);
        if (outcome.status !== "no_capacity") return outcome;
      }
      return call(first, true);
    },
  };
}

type Pool = { region: Region; number: number };

/** Returns the account's first pool in the request's region, and its second pool, if there is one. */
function poolsOf(accountId: string, plan: PoolPlan, requestRegion: Region): [Pool, Pool | undefined] {
  const region = nearestRegion(requestRegion, plan.regions);
  const [first, second] = poolNumbers(accountId, plan.perRegion);
  return [{ region, number: first }, second === undefined ? undefined : { region, number: second }];
}

/** Returns the pool's object. A pool that does not exist yet is created in its region. */
function poolObject(namespace: ObjectNamespace<PoolObject>, { region, number }: Pool): PoolObject {
  return namespace.get(namespace.idFromName(`${region}-${number}`), { locationHint: region });
}

/** Returns a pool of the region, for checks of its health. */
export function firstPool(namespace: ObjectNamespace<PoolObject>, plan: PoolPlan, region: Region): PoolObject {
  return poolObject(namespace, { region: nearestRegion(region, plan.regions), number: 0 });
}

/** Returns the numbers of the account's first pool and, if there are several, of its second. Every isolate finds the same. */
export function poolNumbers(accountId: string, pools: number): [number, number | undefined] {
  let hash = 0;
  for (const character of accountId) hash = (31 * hash + character.charCodeAt(0)) >>> 0;
  const first = hash % pools;
  return [first, pools > 1 ? (first + 1) % pools : undefined];
}
