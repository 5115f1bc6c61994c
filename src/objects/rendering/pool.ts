// Renders jobs on warm pages and stores the files. The pool refuses a render when it has no capacity. It does not retry
// a crashed render, because `operations/rendering/render-document.ts` decides whether to retry.
import { sha256Hex } from "../../core/encoding.ts";
import type { FileMetadata } from "../../core/documents/document.ts";
import { noMeasurements, type RenderOutcome } from "../../core/rendering/render-job.ts";
import type { PoolJob } from "../../platform/rendering/job-content.ts";
import type { PoolMargins } from "../../platform/rendering/margin-content.ts";
import { Admission, type AdmittedRender } from "./admission.ts";
import type { RenderedFile } from "./page/page-outcome.ts";
import { LargeFiles, type OutputMemory } from "./output-memory.ts";
import { attemptRender } from "./render-attempt.ts";
import { maxWeight, maxWeightBesideFile, renderWeight } from "./render-weight.ts";
import { SessionSupervisor, type SessionSupervisorParts } from "./session-supervisor.ts";

export type PoolSettings = {
  concurrentPages: number;
  maxPages: number;
  queueLength: number;
  maxRendersPerSession: number;
  maxSessionAgeMs: number;
};

export type PoolParts = SessionSupervisorParts & {
  /** Stores the file unless one exists under the same key, and returns the metadata of the stored file. */
  store: (job: PoolJob, bytes: Uint8Array, metadata: FileMetadata) => Promise<FileMetadata>;
  settings: PoolSettings;
};

export class RenderPool {
  readonly #parts: PoolParts;
  readonly #admission: Admission;
  readonly #sessions: SessionSupervisor;
  readonly #largeFiles: LargeFiles;
  #lastUsedMs = Date.now();

  constructor(parts: PoolParts) {
    this.#parts = parts;
    this.#admission = new Admission(parts.settings, parts.random, () =>
      this.#largeFiles.isWanted ? maxWeightBesideFile : maxWeight,
    );
    this.#largeFiles = new LargeFiles(
      (waitingWeight) => this.#admission.weightUnderWay - waitingWeight <= maxWeightBesideFile,
    );
    this.#sessions = new SessionSupervisor(parts);
  }

  /**
   * Renders the job and stores the file. Never rejects. If too many renders are under way and `mayWait` is true, the
   * render waits in a queue. Resolves with `no_capacity` if the render may not wait or would probably start too late to
   * end within `job.timeoutMs`. Writes what it measures into `measured`.
   */
  async render(
    job: PoolJob,
    mayWait: boolean,
    renderMargins: PoolMargins | null = null,
    measured = noMeasurements(),
  ): Promise<RenderOutcome> {
    const arrivedMs = Date.now();
    this.#lastUsedMs = arrivedMs;
    const { accountId, timeoutMs } = job;
    const admission = await this.#admission.enter({ accountId, mayWait, timeoutMs, weight: renderWeight(job) });
    measured.queueMs = Date.now() - arrivedMs;
    if (admission.status === "refused") {
      const { retryAfterSeconds, queue } = admission;
      return { status: "no_capacity", retryAfterSeconds, queue };
    }
    const { render } = admission;
    const memory = this.#memoryOf(render);
    try {
      const timeLeftMs = timeoutMs - (Date.now() - arrivedMs);
      const onSession = () => this.#admission.begin(render);
      const work = { job: { ...job, timeoutMs: timeLeftMs }, renderMargins, mayWait, onSession, memory, measured };
      const outcome = await attemptRender(this.#sessions, work, this.#parts.log);
      if (outcome.status !== "rendered") return outcome;
      const renderedMs = Date.now();
      const stored = await this.#storeFile(job, outcome);
      measured.putMs = Date.now() - renderedMs;
      return stored;
    } finally {
      memory.release();
      this.#admission.leave(render);
      this.#largeFiles.review();
    }
  }

  #memoryOf(render: AdmittedRender): OutputMemory {
    return this.#largeFiles.open({
      documentSent: () => {
        this.#admission.documentSent(render);
        this.#largeFiles.review();
      },
      weight: () => render.weight,
    });
  }

  /**
   * Returns the browser's version after the browser has responded to a ping. Opens a session if there is none. Does not count
   * as a render, so it does not keep an idle session open. Rejects when no browser responds.
   */
  browserVersion(): Promise<string> {
    return this.#sessions.checkBrowser();
  }

  /**
   * Closes the session if no render has arrived for `idleMs`, and ends the browsers that a restart left behind. Returns
   * true when no browser of this pool is running afterwards. Otherwise it has to be called again. Never rejects.
   */
  async closeIfIdle(idleMs: number): Promise<boolean> {
    const hasWork = this.#admission.rendersUnderWay > 0 || this.#sessions.isOpening;
    if (!hasWork && Date.now() - this.#lastUsedMs >= idleMs) this.#sessions.retireCurrent("it was idle");
    // After a restart, a render that has just arrived is about to reconnect to the browser.
    if (!hasWork || !this.#sessions.isEmpty) await this.#sessions.endUnused();
    return !this.#sessions.mayHaveBrowsers;
  }

  /** Returns when to call `closeIfIdle` again, in ms since the epoch. */
  nextIdleCheckMs(idleMs: number): number {
    const idleAtMs = this.#lastUsedMs + idleMs;
    return idleAtMs > Date.now() ? idleAtMs : Date.now() + idleMs;
  }

  async #storeFile(job: PoolJob, { bytes, ...file }: RenderedFile): Promise<RenderOutcome> {
    const { store, log } = this.#parts;
    try {
      const sha256 = await sha256Hex(bytes);
      const { pageCount, width, height, imageSize, warnings } = file;
      const about = { fileSize: bytes.length, sha256, pageCount, width, height, imageSize, warnings };
      const metadata = await store(job, bytes, about);
      return { status: "rendered", ...metadata };
    } catch (cause) {
      log("error", { event: "file.put_failed", cause });
      return { status: "crashed", reason: "the file could not be stored" };
    }
  }
}
