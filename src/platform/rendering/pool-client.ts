// Sends render jobs to the browser pools. Each account has a first pool, which keeps its warm pages, and a second pool,
// which is used when the first has no capacity. If neither has capacity, the job waits in the queue in which it probably
// starts first. Crashes are not retried.
import { loggableReason } from "../../core/observation/loggable-error.ts";
import type { RenderJob, RenderMeasurements, RenderOutcome } from "../../core/rendering/render-job.ts";
import type { Renderer, RenderMargins, RenderReport } from "../../ports/rendering.ts";
import { DeadlineError, withDeadline } from "../deadline.ts";
import type { ObjectNamespace } from "../object-client.ts";

/** The methods of a `BrowserPool` object. */
export type PoolObject = {
  /**
   * If `mayWait` is false and no page is free, the render is refused at once. The object can call `renderMargins` until the
   * render ends; each call is a request back to the Worker.
   */
  render(job: RenderJob, mayWait: boolean, renderMargins: RenderMargins | null): Promise<MeasuredOutcome>;
  /** Returns the version of the pool's browser, which is started if none is open. Rejects when it does not respond. */
  browserVersion(): Promise<string>;
};

/** A pool of an earlier release sends no measurements. */
export type MeasuredOutcome = RenderOutcome & { measurements?: RenderMeasurements };

/** The arguments of a call of a pool. */
type PoolCall = { job: RenderJob; mayWait: boolean; renderMargins: RenderMargins | null; report: RenderReport };

/**
 * The pool ends a render at its deadline. The Worker waits this much longer for the pool's response, and then treats
 * the render as timed out.
 */
const graceMs = 500;

export function poolClient(namespace: ObjectNamespace<PoolObject>, pools: number): Renderer {
  const renderIn = async (pool: number, { job, mayWait, renderMargins, report }: PoolCall): Promise<RenderOutcome> => {
    try {
      const object = namespace.get(namespace.idFromName(`pool-${pool}`));
      const rendering = object.render(job, mayWait, renderMargins);
      const { measurements, ...outcome } = await withDeadline("BrowserPool", job.timeoutMs + graceMs, rendering);
      if (measurements) report(measurements);
      return outcome;
    } catch (error) {
      if (error instanceof DeadlineError) return { status: "timed_out" };
      return { status: "crashed", reason: loggableReason(error) };
    }
  };
  return {
    async render(job, renderMargins = null, report = () => {}) {
      const deadline = Date.now() + job.timeoutMs;
      const [first = 0, second] = poolsInOrder(job.accountId, pools);
      if (second === undefined) return renderIn(first, { job, mayWait: true, renderMargins, report });
      const jobNow = (): RenderJob => ({ ...job, timeoutMs: deadline - Date.now() });
      const refusals: { pool: number; startsInMs: number }[] = [];
      for (const pool of [first, second]) {
        const outcome = await renderIn(pool, { job: jobNow(), mayWait: false, renderMargins, report });
        if (outcome.status !== "no_capacity") return outcome;
        refusals.push({ pool, startsInMs: outcome.queue?.startsInMs ?? outcome.retryAfterSeconds * 1000 });
      }
      // Of two equal queues, the sort keeps that of the account's first pool in front.
      const [shortest] = refusals.toSorted((a, b) => a.startsInMs - b.startsInMs);
      return renderIn(shortest?.pool ?? first, { job: jobNow(), mayWait: true, renderMargins, report });
    },
  };
}

/** Returns the version of a browser, by asking the first pool. Rejects when its browser does not respond. */
export function browserVersion(namespace: ObjectNamespace<PoolObject>): Promise<string> {
  return namespace.get(namespace.idFromName("pool-0")).browserVersion();
}

/**
 * Returns the pools in the account's order of preference. Rendezvous hashing makes the order the same in every isolate.
 * If `pools` changes, as few accounts as possible get a different first pool.
 */
export function poolsInOrder(accountId: string, pools: number): number[] {
  return Array.from({ length: pools }, (_, pool) => ({ pool, score: fnv1a(`${pool} ${accountId}`) }))
    .toSorted((a, b) => b.score - a.score)
    .map(({ pool }) => pool);
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  // The high bits decide the order, but the last characters of the text have hardly changed them. Therefore the bits
  // are mixed once more.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
