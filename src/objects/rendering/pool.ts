// Renders jobs on warm pages and stores the files. The pool refuses a render when it has no capacity. It does not retry
// a crashed render, because `render-document.ts` decides whether to retry.
import { withDeadline } from "colophon-base/deadline";
import { sha256Hex } from "colophon-base/encoding";
import { loggableReason } from "colophon-base/loggable-error";
import type { FileMetadata } from "colophon-render/file-metadata";
import type { RenderedFile } from "colophon-render/file-metadata";
import type { PoolJob } from "colophon-render/job-content";
import type { PoolMargins } from "colophon-render/margin-content";
import { noMeasurements, type RenderMeasurements, type RenderOutcome } from "colophon-render/render-job";
import type { MayStore } from "colophon-render/render-services";
import { renderWeight } from "colophon-render/render-weight";
import { Semaphore, type Permit } from "../../core/rendering/semaphore.ts";
import { maxWaitMs, retryAfterSeconds } from "../../core/rendering/wait-limit.ts";
import { outputMemory } from "./pool-memory.ts";
import { attemptRender, type RenderWork } from "./render-attempt.ts";
import { SessionSupervisor, type SessionSupervisorParts } from "./session-supervisor.ts";

export type PoolSettings = {
  concurrentPages: number;
  /** The maximum number of pages that one account may use at the same time. */
  pagesPerAccount: number;
  maxPages: number;
  queueLength: number;
  maxRendersPerSession: number;
  maxSessionAgeMs: number;
};

export type PoolParts = SessionSupervisorParts & {
  /** Stores the file unless one exists under the same key, and returns the metadata of the stored file. */
  store: (job: PoolJob, bytes: Uint8Array, metadata: FileMetadata) => Promise<FileMetadata>;
  /** The memory for documents and files, in bytes. */
  renderMemory: Semaphore;
  settings: PoolSettings;
};

/** `mayStore` is null if the render already has its hold. The pool writes its measurements into `measured`. */
type PoolCalls = {
  renderMargins?: PoolMargins | null;
  mayStore?: MayStore | null;
  measured?: RenderMeasurements;
};

/** While other renders arrive, a background render is followed by a pause, so that a caller hardly notices a batch. */
const pause = { ifWithinMs: 1_000, timesItsLength: 4, maxMs: 1_000 };

export class RenderPool {
  readonly #parts: PoolParts;
  readonly #pages: Semaphore;
  /** On a single machine, batches share the browser with other renders and use one page at a time. */
  readonly #background: Semaphore;
  #lastForegroundMs = 0;
  readonly #sessions: SessionSupervisor;
  #lastUsedMs = Date.now();

  constructor(parts: PoolParts) {
    this.#parts = parts;
    const { concurrentPages: capacity, pagesPerAccount: maxPerAccount, queueLength: maxWaiting } = parts.settings;
    this.#pages = new Semaphore({ capacity, maxPerAccount, maxWaiting });
    this.#background = new Semaphore({ capacity: 1, maxWaiting });
    this.#sessions = new SessionSupervisor(parts);
  }

  /**
   * Renders the job and stores the file. Never rejects. If all pages are in use, the render waits in a queue that
   * serves the accounts in rotation. Resolves with `no_capacity` if the render has waited for its maximum time or finds the queue full.
   */
  async render(
    job: PoolJob,
    { renderMargins = null, mayStore = null, measured = noMeasurements() }: PoolCalls = {},
  ): Promise<RenderOutcome> {
    const arrivedMs = Date.now();
    this.#lastUsedMs = arrivedMs;
    if (!job.isBackground) this.#lastForegroundMs = arrivedMs;
    const permission = mayStore && withDeadline("the hold", job.timeoutMs, mayStore());
    permission?.catch(() => {}); // The render may end before it needs the permission.
    const { background, page, document } = await this.#admit(job, arrivedMs);
    const startedMs = Date.now();
    measured.queueMs = startedMs - arrivedMs;
    try {
      if (!page || !document) return { status: "no_capacity", retryAfterSeconds: this.#retryAfterSeconds() };
      const timedJob = { ...job, timeoutMs: job.timeoutMs - measured.queueMs };
      const memory = outputMemory(this.#parts.renderMemory, document, timedJob);
      return await this.#renderAndStore({ job: timedJob, renderMargins, permission, memory, measured }, page);
    } finally {
      page?.release();
      if (background) this.#endBackground(background, Date.now() - startedMs);
    }
  }

  /** Waits for a page and for memory. A permit that was not granted in time is null; the caller releases the others. */
  async #admit(job: PoolJob, arrivedMs: number) {
    const { accountId, timeoutMs, isBackground } = job;
    const untilMs = arrivedMs + maxWaitMs(timeoutMs);
    const claim = () => ({ accountId, maxWaitMs: Math.max(0, untilMs - Date.now()) });
    const background = isBackground ? await this.#background.acquire(claim()) : null;
    const page = isBackground && !background ? null : await this.#pages.acquire(claim());
    const weight = { amount: renderWeight(job), expiresInMs: timeoutMs };
    const document = page && (await this.#parts.renderMemory.acquire({ ...claim(), ...weight }));
    return { background, page, document };
  }

  /** Lets the next background render begin, after a pause if other renders have arrived lately. */
  #endBackground(permit: Permit, tookMs: number): void {
    const isAlone = Date.now() - this.#lastForegroundMs > pause.ifWithinMs;
    if (isAlone || tookMs === 0) permit.release();
    else setTimeout(() => permit.release(), Math.min(pause.maxMs, pause.timesItsLength * tookMs));
  }

  #retryAfterSeconds(): number {
    const waiting = this.#pages.waiting() + this.#background.waiting();
    return retryAfterSeconds(waiting, this.#parts.settings.concurrentPages, Math.random());
  }

  async #renderAndStore(work: Required<RenderWork>, page: Permit): Promise<RenderOutcome> {
    const { job, permission, memory } = work;
    try {
      const outcome = await attemptRender(this.#sessions, work, this.#parts.log);
      if (outcome.status !== "rendered") return outcome;
      // The page is released first, so that other renders do not wait for the account's object.
      if (permission) page.release();
      if (permission && !(await permission)) return { status: "not_permitted" };
      const renderedMs = Date.now();
      const stored = await this.#storeFile(job, outcome);
      work.measured.putMs = Date.now() - renderedMs;
      return stored;
    } catch (cause) {
      return { status: "crashed", reason: loggableReason(cause) };
    } finally {
      memory.release();
    }
  }

  /** The number of renders that are in progress or wait for a page. */
  get load(): number {
    return this.#pages.inUse + this.#pages.waiting();
  }

  /**
   * Returns the browser's version after a successful ping. Opens a session if there is none. Does not count as a render, so
   * it does not keep an idle session open. Rejects when no browser responds.
   */
  browserVersion(): Promise<string> {
    return this.#sessions.checkBrowser();
  }

  /**
   * Closes the session if no render has arrived for `idleMs`, and ends browsers that were left running by a restart.
   * Returns true when no browser of this pool is running afterwards. Otherwise it must be called again. Never rejects.
   */
  async closeIfIdle(idleMs: number): Promise<boolean> {
    const hasWork = this.#pages.inUse > 0 || this.#sessions.isOpening;
    if (!hasWork && Date.now() - this.#lastUsedMs >= idleMs) this.#sessions.retireCurrent("it was idle");
    await this.#sessions.endUnused();
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
      const { pageCount, width, height, imageSize, conformance, warnings } = file;
      const size = { fileSize: bytes.length, sha256, pageCount, width, height, imageSize };
      const about = { ...size, ...(conformance && { conformance }), warnings };
      const metadata = await store(job, bytes, about);
      return { status: "rendered", ...metadata };
    } catch (cause) {
      log("error", { event: "file.put_failed", cause });
      return { status: "crashed", reason: "the file could not be stored" };
    }
  }
}
