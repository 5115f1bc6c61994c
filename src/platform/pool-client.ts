// Rendering from the Worker's side: an account always goes to the same pool, where its warm page is.
import type { RenderJob, Renderer, RenderOutcome } from "../ports.ts";
import { DeadlineError, withDeadline } from "./deadline.ts";
import type { ObjectNamespace } from "./object-client.ts";

/** What a `BrowserPool` object answers to. */
export type PoolObject = { render(job: RenderJob): Promise<RenderOutcome> };

/** The pool ends a render at its deadline itself; this much later its silence counts as a crash. */
const graceMs = 500;

export function poolClient(namespace: ObjectNamespace<PoolObject>, pools: number): Renderer {
  return {
    async render(job) {
      const pool = namespace.get(namespace.idFromName(`pool-${poolOf(job.accountId, pools)}`));
      try {
        return await withDeadline("BrowserPool", job.timeoutMs + graceMs, pool.render(job));
      } catch (error) {
        if (error instanceof DeadlineError) return { status: "timed_out" };
        return { status: "crashed", reason: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}

/** FNV-1a over the id: the same pool for the same account, in every isolate. */
function poolOf(accountId: string, pools: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < accountId.length; i++) hash = Math.imul(hash ^ accountId.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % pools;
}
