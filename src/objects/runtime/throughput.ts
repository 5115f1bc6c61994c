// Measures how fast calls end, from the calls that ended last. Only time in which calls are under way counts, so an idle
// period does not change the result. If few calls are under way, their time counts only in part, because more calls could
// have run beside them.

/** The measurement covers at least this many ends. */
const minEnds = 20;
/**
 * The measurement covers at least this time. When many calls arrive at once, the work of receiving them slows the others
 * for a few seconds, which says little about the time after that.
 */
const minWindowMs = 10_000;

export class Throughput {
  readonly #capacity: () => number;
  /** The time on the busy clock at which each of the last calls ended, oldest first. */
  readonly #ends: number[];
  /** The time in which calls were under way, in ms. */
  #busyMs = 0;
  #updatedMs = 0;
  #underWay = 0;

  /**
   * `capacity` returns the number of calls that may be under way at once. Until enough calls have ended, the missing ones
   * are assumed to have ended every `assumedMs`.
   */
  constructor(capacity: () => number, assumedMs: number) {
    this.#capacity = capacity;
    this.#ends = Array.from({ length: minEnds }, (_, index) => (index - minEnds + 1) * assumedMs);
  }

  /**
   * Call this whenever calls have begun or ended. `underWay` is the number of calls that are under way now. It does not
   * matter whether a call succeeded or failed: either way, it has made room for the next one.
   */
  observe(underWay: number, nowMs: number): void {
    this.#advance(nowMs);
    for (let ended = underWay; ended < this.#underWay; ended++) this.#ends.push(this.#busyMs);
    this.#underWay = underWay;
    const startMs = this.#busyMs - minWindowMs;
    while (this.#ends.length > minEnds && (this.#ends[1] ?? startMs) < startMs) this.#ends.shift();
  }

  /** Call this before `observe` when a call has ended whose end does not count, because it took less time than others. */
  endedUncounted(nowMs: number): void {
    this.#advance(nowMs);
    this.#underWay = Math.max(0, this.#underWay - 1);
  }

  /** Returns the average time in ms between the ends of two calls while the capacity is in use. */
  msPerEnd(nowMs: number): number {
    this.#advance(nowMs);
    return (this.#busyMs - (this.#ends[0] ?? 0)) / this.#ends.length;
  }

  #advance(nowMs: number): void {
    const elapsedMs = Math.max(0, nowMs - this.#updatedMs);
    // From half of the capacity on, time counts in full.
    this.#busyMs += elapsedMs * Math.min(1, (2 * this.#underWay) / this.#capacity());
    this.#updatedMs = nowMs;
  }
}
