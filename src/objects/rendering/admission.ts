// Limits how many renders run at once. Further renders wait in a bounded queue, first in, first out. Long renders do
// not block other accounts: each of these accounts may then use one of a few additional slots. For a refused render,
// recent renders are used to estimate when there will be capacity.
import { admissionQueue, type AdmissionQueue } from "../runtime/admission-queue.ts";

/** The assumed duration of a render until the first one has been measured. */
const initialRenderMs = 500;
/** Most renders take less than a tenth of this time. */
const longRenderMs = 500;

export type AdmissionSettings = { concurrentPages: number; maxPages: number; queueLength: number };

export type RenderRequest = {
  accountId: string;
  mayWait: boolean;
  maxWaitMs: number;
};

/** A render that has been admitted. Pass it to `leave` when the render has ended. */
export type AdmittedRender = { readonly accountId: string; sinceMs: number; isLong: boolean };

export class Admission {
  readonly #maxConcurrent: number;
  readonly #maxAdditional: number;
  readonly #queue: AdmissionQueue<AdmittedRender>;
  readonly #underWay = new Set<AdmittedRender>();
  /** The moving average of render durations. Each new duration has a weight of one tenth. */
  #averageMs = initialRenderMs;

  constructor({ concurrentPages, maxPages, queueLength }: AdmissionSettings) {
    this.#maxConcurrent = concurrentPages;
    // One page stays free, so that there is always an idle page to close.
    this.#maxAdditional = Math.max(0, Math.min(Math.floor(concurrentPages / 2), maxPages - 1 - concurrentPages));
    this.#queue = admissionQueue(queueLength);
  }

  get rendersUnderWay(): number {
    return this.#underWay.size;
  }

  /**
   * Returns the admitted render when it may start, and null when it is refused. A render waits only if `mayWait` is true,
   * and for at most `maxWaitMs`.
   */
  async enter({ accountId, mayWait, maxWaitMs }: RenderRequest): Promise<AdmittedRender | null> {
    const render = { accountId, sinceMs: 0, isLong: false };
    const isAdmitted = this.#tryToAdmit(render) || (mayWait && (await this.#queue.wait(maxWaitMs, render)));
    return isAdmitted ? render : null;
  }

  /** Ends a render, and admits the one that has waited longest, if any. */
  leave(render: AdmittedRender): void {
    this.#underWay.delete(render);
    this.#averageMs += (Date.now() - render.sinceMs - this.#averageMs) / 10;
    this.#admitWaiting();
  }

  /** Returns the estimated number of seconds until all waiting renders and one more render have ended. */
  retryAfterSeconds(): number {
    const queueMs = ((this.#queue.length + 1) * this.#averageMs) / this.#maxConcurrent;
    return Math.ceil(queueMs / 1000);
  }

  #admitWaiting(): void {
    while (this.#queue.admitNext((render) => this.#tryToAdmit(render)));
  }

  #tryToAdmit(render: AdmittedRender): boolean {
    if (!this.#hasSlotFor(render.accountId)) return false;
    render.sinceMs = Date.now();
    this.#underWay.add(render);
    setTimeout(() => {
      render.isLong = true;
      if (this.#underWay.has(render)) this.#admitWaiting();
    }, longRenderMs);
    return true;
  }

  #hasSlotFor(accountId: string): boolean {
    const underWay = [...this.#underWay];
    if (underWay.length < this.#maxConcurrent) return true;
    const long = underWay.filter(({ isLong }) => isLong).length;
    const additional = Math.min(long, this.#maxAdditional);
    return (
      underWay.length < this.#maxConcurrent + additional && !underWay.some((render) => render.accountId === accountId)
    );
  }
}
