// A pool of warm pages as a Durable Object. `RenderPool` does the work. This class stores the session's id, so that the
// object can reconnect to its browser after a restart, and sets the alarm that closes an idle browser.
import { DurableObject } from "cloudflare:workers";
import { browserPlatform } from "./rendering/browser-platform.ts";
import { endSession, openSession } from "./rendering/browser-session.ts";
import { RenderPool } from "./rendering/pool.ts";
import { openWarmPage } from "./rendering/page/warm-page.ts";
import { earliestAlarm, type EarliestAlarm } from "./runtime/earliest-alarm.ts";
import { putFileOnce } from "../platform/documents/file-store.ts";
import { jsonLog } from "../platform/json-log.ts";
import type { PoolObject } from "../platform/rendering/pool-client.ts";
import type { RenderMargins } from "../ports/rendering.ts";
import type { RenderJob, RenderOutcome } from "../core/rendering/render-job.ts";
import { readBinding, readNumber } from "../settings.ts";

const sessionIdKey = "session-id";

export class BrowserPool extends DurableObject<Env> implements PoolObject {
  readonly #pool: RenderPool;
  readonly #idleMs: number;
  readonly #alarm: EarliestAlarm;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#alarm = earliestAlarm(ctx.storage);
    this.#idleMs = readNumber(env, "SESSION_IDLE_MS");
    const platform = browserPlatform(readBinding(env, "BROWSER"));
    this.#pool = new RenderPool({
      openSession: (memory) => openSession(platform, memory, jsonLog),
      endSession: (sessionId) => endSession(platform, sessionId),
      openPage: openWarmPage,
      memory: {
        load: () => ctx.storage.get<string>(sessionIdKey),
        save: (id) =>
          id === null ? ctx.storage.delete(sessionIdKey).then(() => {}) : ctx.storage.put(sessionIdKey, id),
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

  async render(job: RenderJob, mayWait: boolean, renderMargins: RenderMargins | null = null): Promise<RenderOutcome> {
    // The alarm is set before a browser is acquired, so that it closes the browser even if this object restarts in the
    // meantime. The alarm is written once per idle period, not once per render, and the render does not wait for the
    // write.
    this.ctx.waitUntil(this.#alarm.setNoLaterThan(Date.now() + this.#idleMs));
    return this.#pool.render(job, mayWait, renderMargins);
  }

  async browserVersion(): Promise<string> {
    // The check may open a browser, which the alarm then closes.
    this.ctx.waitUntil(this.#alarm.setNoLaterThan(Date.now() + this.#idleMs));
    return this.#pool.browserVersion();
  }

  override async alarm(): Promise<void> {
    this.#alarm.hasFired();
    if (!(await this.#pool.closeIfIdle(this.#idleMs))) await this.#alarm.setNoLaterThan(Date.now() + this.#idleMs);
  }
}
