// Rendering from the Worker's side: an account goes to the same pool again, where its warm pages are. When all pages of
// that pool are busy, a free one of the pool next in the account's own order is better than a wait.
import type { RenderJob, RenderOutcome } from "../../core/rendering/render-job.ts";
import type { Renderer } from "../../ports.ts";
import { DeadlineError, withDeadline } from "../deadline.ts";
import type { ObjectNamespace } from "../object-client.ts";

/** What a `BrowserPool` object answers to. Told not to wait, it is `busy` at once when no page is free. */
export type PoolObject = { render(job: RenderJob, mayWait: boolean): Promise<RenderOutcome> };

/** The pool ends a render at its deadline itself; this much later its silence counts as a crash. */
const graceMs = 500;

export function poolClient(namespace: ObjectNamespace<PoolObject>, pools: number): Renderer {
  const ask = async (pool: number, job: RenderJob, mayWait: boolean): Promise<RenderOutcome> => {
    try {
      const object = namespace.get(namespace.idFromName(`pool-${pool}`));
      return await withDeadline("BrowserPool", job.timeoutMs + graceMs, object.render(job, mayWait));
    } catch (error) {
      if (error instanceof DeadlineError) return { status: "timed_out" };
      return { status: "crashed", reason: error instanceof Error ? error.message : String(error) };
    }
  };
  return {
    async render(job) {
      const deadline = Date.now() + job.timeoutMs;
      const [home = 0, neighbour] = poolsInOrder(job.accountId, pools);
      if (neighbour === undefined) return ask(home, job, true);
      for (const pool of [home, neighbour]) {
        const outcome = await ask(pool, { ...job, timeoutMs: deadline - Date.now() }, false);
        if (outcome.status !== "no_capacity") return outcome;
      }
      return ask(home, { ...job, timeoutMs: deadline - Date.now() }, true);
    },
  };
}

/** Rendezvous hashing: the same order in every isolate, and another number of pools moves as few accounts as can be. */
export function poolsInOrder(accountId: string, pools: number): number[] {
  return Array.from({ length: pools }, (_, pool) => ({ pool, score: fnv1a(`${pool} ${accountId}`) }))
    .toSorted((a, b) => b.score - a.score)
    .map(({ pool }) => pool);
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  // The last characters have not reached the high bits yet, which decide the order.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
