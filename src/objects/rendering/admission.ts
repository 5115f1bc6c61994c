// Limits how many renders run at once. Further renders wait in a bounded queue, first in, first out. When a render is
// refused, the durations of recent renders give an estimate of when there will be capacity.
import { admissionQueue, type AdmissionQueue } from "../runtime/admission-queue.ts";

/** The assumed duration of a render until the first one has been measured. */
const initialRenderMs = 500;

export class Admission {
  readonly #maxConcurrent: number;
  readonly #queue: AdmissionQueue;
  #underWay = 0;
  /** The moving average of render durations. Each new duration has a weight of one tenth. */
  #averageMs = initialRenderMs;

  constructor({ concurrentPages, queueLength }: { concurrentPages: number; queueLength: number }) {
    this.#maxConcurrent = concurrentPages;
    this.#queue = admissionQueue(queueLength);
  }

  get rendersUnderWay(): number {
    return this.#underWay;
  }

  /**
   * Returns true when the render may start. The caller must then call `leave` when the render has ended. Returns false
   * when the render is refused. A render waits only if `mayWait` is true, and for at most `maxWaitMs`.
   */
  async enter(mayWait: boolean, maxWaitMs: number): Promise<boolean> {
    if (this.#underWay >= this.#maxConcurrent) return mayWait && this.#queue.wait(maxWaitMs);
    this.#underWay++;
    return true;
  }

  /**
   * Records the end of a render, and admits the render that has waited longest, if any. `renderMs` is the time since
   * `enter` returned true.
   */
  leave(renderMs: number): void {
    this.#averageMs += (renderMs - this.#averageMs) / 10;
    if (!this.#queue.admitNext()) this.#underWay--;
  }

  /** Returns the estimated number of seconds until all waiting renders and one more render have ended. */
  retryAfterSeconds(): number {
    const queueMs = ((this.#queue.length + 1) * this.#averageMs) / this.#maxConcurrent;
    return Math.ceil(queueMs / 1000);
  }
}
