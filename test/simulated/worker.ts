// The service's Worker, in which the simulator is the browser of the `BrowserPool` objects. A test can restart an object
// just before one of its steps.
import type { BrowserWorker } from "@cloudflare/puppeteer";
import { env } from "cloudflare:workers";
import { BrowserPool as RealBrowserPool } from "../../src/objects/browser-pool.ts";
import { simulatedPlatform } from "./simulator/browser-rendering.ts";

export { AccountQuota, BatchRunner, WebhookSender, default } from "../../src/index.ts";

export const platform = simulatedPlatform(env.BROWSER);

/** The step before which the pool object is restarted, once. Null if it is not to be restarted. */
export const restart: { before: string | null } = { before: null };

export class BrowserPool extends RealBrowserPool {
  constructor(ctx: DurableObjectState, env: Env) {
    const browser = {
      fetch(input: RequestInfo | URL, init?: RequestInit) {
        platform.onStep = restartBefore;
        return platform.fetch(input, init);
      },
    } as BrowserWorker;
    const restartBefore = (step: string): boolean => {
      if (step !== restart.before) return true;
      restart.before = null;
      ctx.abort("a restart");
      return false;
    };
    super(ctx, { ...env, BROWSER: browser } as Env);
  }
}
