// Measures how fast renders end. Renders in runs share pages, so they end faster than others and are measured separately.
import { Throughput } from "../runtime/throughput.ts";

/** The assumed time between the ends of two renders until enough have been measured. */
const assumedMsPerRender = 50;
/** For so long, runs are assumed to be twice as fast as other renders, because a burst begins with its slowest seconds. */
const assumedRunsMs = 10_000;

export class RenderSpeed {
  readonly #capacity: () => number;
  readonly #apart: Throughput;
  #inRuns: Throughput | null = null;
  #current: Throughput;

  /** `concurrentPages` is the number of renders that may be under way at once. */
  constructor(concurrentPages: number) {
    this.#capacity = () => concurrentPages;
    this.#apart = new Throughput(this.#capacity, assumedMsPerRender);
    this.#current = this.#apart;
  }

  /** Call this whenever renders have begun or ended. `underWay` is the number of renders that are under way now. */
  observe(underWay: number, nowMs: number): void {
    this.#current.observe(underWay, nowMs);
  }

  /** Sets whether the next renders are in runs. Call `observe` afterwards. */
  setInRuns(areInRuns: boolean, nowMs: number): void {
    const next = areInRuns ? (this.#inRuns ??= this.#assumedRuns(nowMs)) : this.#apart;
    if (next === this.#current) return;
    this.#current.pause(nowMs);
    this.#current = next;
  }

  /** Returns the average time in ms between the ends of two renders while all pages are in use. */
  msPerRender(nowMs: number): number {
    return this.#current.msPerEnd(nowMs);
  }

  #assumedRuns(nowMs: number): Throughput {
    const assumedMs = Math.max(assumedMsPerRender, this.#apart.msPerEnd(nowMs) / 2);
    return new Throughput(this.#capacity, assumedMs, Math.ceil(assumedRunsMs / assumedMs));
  }
}
