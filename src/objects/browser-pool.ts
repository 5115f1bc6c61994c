// A pool of warm pages as a Durable Object. `RenderPool` does the work. This class stores the sessions' ids, so that the
// object can end its browsers after a restart, and sets the alarm that closes idle browsers.
import { DurableObject } from "cloudflare:workers";
import { isolateFonts } from "colophon-render/font-library";
import { dropContent, type PoolJob } from "colophon-render/job-content";
import type { PoolMargins } from "colophon-render/margin-content";
import { noMeasurements } from "colophon-render/render-job";
import type { MayStore } from "colophon-render/render-services";
import { openWarmPage } from "colophon-render/warm-page";
import { putFileOnce } from "../platform/documents/file-store.ts";
import { jsonLog } from "../platform/json-log.ts";
import { isBatchPool } from "../platform/rendering/pool-choice.ts";
import type { MeasuredOutcome, PoolObject } from "../platform/rendering/pool-client.ts";
import { filesOf } from "../services/shared-services.ts";
import { readBinding, readCdpUrl, readNumber, readPoolSettings } from "../settings.ts";
import { browserPlatform, keepAliveFor } from "./rendering/browser-platform.ts";
import { endSession, openSession } from "./rendering/browser-session.ts";
import { cdpPlatform } from "./rendering/cdp-platform.ts";
import { isolateRenderMemory } from "./rendering/pool-memory.ts";
import { RenderPool } from "./rendering/pool.ts";
import { storedSessions } from "./rendering/session-memory.ts";
import { earliestAlarm, type EarliestAlarm } from "./runtime/earliest-alarm.ts";

export class BrowserPool extends DurableObject<Env> implements PoolObject {
  readonly #pool: RenderPool;
  readonly #idleMs: number;
  readonly #alarm: EarliestAlarm;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#alarm = earliestAlarm(ctx.storage);
    this.#idleMs = readNumber(env, "SESSION_IDLE_MS");
    const memory = storedSessions(ctx.storage.kv, () => this.#scheduleIdleCheck());
    const cdpUrl = readCdpUrl(env);
    const platform = cdpUrl
      ? cdpPlatform(cdpUrl)
      : browserPlatform(readBinding(env, "BROWSER"), keepAliveFor(this.#idleMs));
    const fonts = isolateFonts(readBinding(env, "ASSETS"), jsonLog);
    const sessionParts = { platform, memory, log: jsonLog };
    this.#pool = new RenderPool({
      openSession: () => openSession(sessionParts),
      endSession: (sessionId) => endSession(sessionParts, sessionId),
      openPage: (root) => openWarmPage(root, fonts),
      memory,
      renderMemory: isolateRenderMemory,
      store: (job, bytes, metadata) => putFileOnce(filesOf(env), job.fileKey, job.format, bytes, metadata),
      settings: readPoolSettings(env, isBatchPool(ctx.id.name)),
      log: jsonLog,
    });
  }

  async render(
    job: PoolJob,
    renderMargins: PoolMargins | null = null,
    mayStore: MayStore | null = null,
  ): Promise<MeasuredOutcome> {
    this.#scheduleIdleCheck();
    const measurements = noMeasurements(this.ctx.id.name);
    try {
      const outcome = await this.#pool.render(job, { renderMargins, mayStore, measured: measurements });
      return { ...outcome, measurements, load: this.#pool.load };
    } finally {
      dropContent(job);
    }
  }

  async browserVersion(): Promise<string> {
    this.#scheduleIdleCheck();
    return this.#pool.browserVersion();
  }

  async workerVersion(): Promise<string> {
    return readBinding(this.env, "VERSION").id;
  }

  override async alarm(): Promise<void> {
    this.#alarm.hasFired();
    if (await this.#pool.closeIfIdle(this.#idleMs)) return;
    await this.#alarm.setNoLaterThan(this.#pool.nextIdleCheckMs(this.#idleMs));
  }

  /**
   * Sets the alarm that closes the browser, even after a restart of this object. Call this before a browser may be started.
   * The alarm is written once per idle period, not once per render, and the render does not wait for the write.
   */
  #scheduleIdleCheck(): void {
    this.ctx.waitUntil(this.#alarm.setNoLaterThan(Date.now() + this.#idleMs));
  }
}
