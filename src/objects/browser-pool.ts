// One browser session and its warm pages. A shell: the pool is in `platform/browser-pool.ts`; here are its name for the
// session in storage, and the alarm that closes an idle browser.
import { DurableObject } from "cloudflare:workers";
import { browserPool, type BrowserPool as Pool } from "./rendering/pool.ts";
import { earliestAlarm, type EarliestAlarm } from "./runtime/earliest-alarm.ts";
import { putFileOnce } from "../platform/documents/file-store.ts";
import { jsonLog } from "../platform/json-log.ts";
import type { PoolObject } from "../platform/rendering/pool-client.ts";
import type { RenderJob, RenderOutcome } from "../core/rendering/render-job.ts";
import { readBinding, readNumber } from "../settings.ts";

const sessionKey = "session-id";

export class BrowserPool extends DurableObject<Env> implements PoolObject {
  #pool: Pool;
  #idleMs: number;
  #alarm: EarliestAlarm;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#alarm = earliestAlarm(ctx.storage);
    this.#idleMs = readNumber(env, "SESSION_IDLE_MS");
    this.#pool = browserPool({
      browser: readBinding(env, "BROWSER"),
      memory: {
        load: () => ctx.storage.get<string>(sessionKey),
        save: (id) => (id === null ? ctx.storage.delete(sessionKey).then(() => {}) : ctx.storage.put(sessionKey, id)),
      },
      store: (job, bytes, metadata) => putFileOnce(readBinding(env, "FILES"), job.fileKey, job.format, bytes, metadata),
      settings: {
        concurrentPages: readNumber(env, "POOL_CONCURRENT_PAGES"),
        maxPages: readNumber(env, "POOL_MAX_PAGES"),
        queueLength: readNumber(env, "POOL_QUEUE_LENGTH"),
        maxRendersPerSession: readNumber(env, "SESSION_MAX_RENDERS"),
      },
      log: jsonLog,
    });
  }

  async render(job: RenderJob, mayWait: boolean): Promise<RenderOutcome> {
    // Set before there is a browser, so that one whose object dies meanwhile is still closed. One write an idle period,
    // not one a render; nobody waits for it.
    this.ctx.waitUntil(this.#alarm.setNoLaterThan(Date.now() + this.#idleMs));
    return this.#pool.render(job, mayWait);
  }

  override async alarm(): Promise<void> {
    this.#alarm.hasFired();
    if (!(await this.#pool.closeIfIdle(this.#idleMs))) await this.#alarm.setNoLaterThan(Date.now() + this.#idleMs);
  }
}
