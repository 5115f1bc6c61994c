// Limits how many renders run at once. Further renders wait in a queue in which accounts take turns, or have a few renders in
// a row if more of them wait than pages can be kept open. Long renders do not block other accounts: each of these accounts
// may then use one of a few additional slots. A render that would probably start too late is refused, and told when to come back.
import { AdmissionQueue, latestStartMs, type QueuedCall } from "../runtime/admission-queue.ts";
import { ReturnTimes } from "../runtime/return-times.ts";
import { Throughput } from "../runtime/throughput.ts";
import { Turns } from "../runtime/turns.ts";
import type { QueueEstimate } from "../../core/rendering/render-job.ts";
import { fits, maxWeight, totalWeight } from "./render-weight.ts";

/** The assumed time between the ends of two renders until enough have been measured. */
const assumedMsPerRender = 50;
/** The assumed time to start a browser until the first start has been measured. */
const assumedLaunchMs = 3_000;
/** A render that gets its session within this time has not waited for a browser to start. */
const openSessionMs = 500;
/** Most renders take less than a tenth of this time. */
const longRenderMs = 500;
/** The number of renders that an account may have in a row. */
const maxInRow = 4;

export type AdmissionSettings = { concurrentPages: number; maxPages: number; queueLength: number };

/**
 * `timeoutMs` is the time until the deadline of the render. `weight` is the memory that its document takes in bytes; see
 * `render-weight.ts`.
 */
export type RenderRequest = { accountId: string; mayWait: boolean; timeoutMs: number; weight?: number };

/** A render that has been admitted. Pass it to `leave` when the render has ended. */
export type AdmittedRender = QueuedCall & {
  weight: number;
  /** When the render was admitted, in ms since the epoch. */
  sinceMs: number;
  /** How many renders the account has had in a row, including this one. */
  inRow: number;
  hasSession: boolean;
  isLong: boolean;
};

export type AdmissionOutcome =
  | { status: "admitted"; render: AdmittedRender }
  | { status: "refused"; retryAfterSeconds: number; queue: QueueEstimate };

export class Admission {
  readonly #maxConcurrent: number;
  readonly #maxAdditional: number;
  readonly #maxPages: number;
  readonly #queue: AdmissionQueue<AdmittedRender>;
  readonly #turns = new Turns();
  readonly #returns: ReturnTimes;
  readonly #throughput: Throughput;
  /** Counts only every other further render in a row, so that it measures about how fast renders end that take turns. */
  readonly #throughputInTurns: Throughput;
  readonly #underWay = new Set<AdmittedRender>();
  readonly #maxTotalWeight: () => number;
  #launchMs = assumedLaunchMs;

  /** `maxTotalWeight` returns how much the documents of the renders under way may weigh together at the moment. */
  constructor(
    { concurrentPages, maxPages, queueLength }: AdmissionSettings,
    random: () => number = Math.random,
    maxTotalWeight = () => maxWeight,
  ) {
    this.#maxTotalWeight = maxTotalWeight;
    this.#maxConcurrent = concurrentPages;
    this.#maxPages = maxPages;
    // One page stays free, so that there is always an idle page to close.
    this.#maxAdditional = Math.max(0, Math.min(Math.floor(concurrentPages / 2), maxPages - 1 - concurrentPages));
    this.#queue = new AdmissionQueue(queueLength, (ahead, isNew) => this.#startsInMs(ahead, isNew));
    this.#throughput = new Throughput(() => concurrentPages, assumedMsPerRender);
    this.#throughputInTurns = new Throughput(() => concurrentPages, assumedMsPerRender);
    this.#returns = new ReturnTimes(random);
  }

  get rendersUnderWay(): number {
    return this.#underWay.size;
  }

  get weightUnderWay(): number {
    return totalWeight(this.#underWay);
  }

  /**
   * Resolves when the render may start or is refused. A render waits only if `mayWait` is true and the estimate says that
   * it will start in time.
   */
  async enter({ accountId, mayWait, timeoutMs, weight = 0 }: RenderRequest): Promise<AdmissionOutcome> {
    const arrivedMs = Date.now();
    const call = { accountId, turn: this.#nextTurn(accountId), arrivedMs, deadlineMs: arrivedMs + timeoutMs };
    const render = { ...call, weight, sinceMs: 0, inRow: 1, hasSession: false, isLong: false };
    if (this.#mayStart(render)) {
      this.#startInTurn(render);
      return { status: "admitted", render };
    }
    if (!mayWait) return { status: "refused", ...this.#withoutReturn(call) };
    const averageMs = this.#throughput.msPerEnd(arrivedMs) * this.#maxConcurrent;
    const end = await this.#queue.wait(render, latestStartMs(arrivedMs, timeoutMs, averageMs));
    return end === "admitted" ? { status: "admitted", render } : { status: "refused", ...this.#withReturn(call) };
  }

  /** Call this when the render has a session. Until then, it waits for a browser to start, which is measured separately. */
  begin(render: AdmittedRender): void {
    const nowMs = Date.now();
    const waitedMs = nowMs - render.sinceMs;
    if (waitedMs > openSessionMs) this.#launchMs += (waitedMs - this.#launchMs) / 2;
    render.hasSession = true;
    this.#observe();
  }

  /** Ends a render, and admits those that may start now. */
  leave(render: AdmittedRender): void {
    this.#underWay.delete(render);
    if (render.hasSession && render.inRow % 2 === 0) this.#throughputInTurns.endedUncounted(Date.now());
    this.#observe();
    this.#admitInRow(render);
    this.#admitWaiting();
    this.#queue.review();
  }

  /** Call this when the document of the render is no longer in memory. */
  documentSent(render: AdmittedRender): void {
    render.weight = 0;
    this.#admitWaiting();
  }

  /**
   * Admits the account's next render if its page would otherwise be closed for other accounts before its next turn. Opening
   * a page takes more processor time than a small render.
   */
  #admitInRow({ accountId, inRow }: AdmittedRender): void {
    if (inRow >= maxInRow || this.#canKeepPages()) return;
    const next = this.#queue.admitOutOfTurn(accountId, (render) => this.#mayStart(render));
    if (!next) return;
    next.inRow = inRow + 1;
    this.#turns.admittedOutOfTurn(accountId, next.turn);
    this.#start(next);
  }

  /** Returns whether all accounts can keep their pages between their turns. One page is kept for a new account. */
  #canKeepPages(): boolean {
    return new Set([...this.#queue.calls, ...this.#underWay].map(({ accountId }) => accountId)).size < this.#maxPages;
  }

  /** Renders without a session are not counted, so that the start of a browser does not seem to be slow rendering. */
  #observe(): void {
    const rendering = [...this.#underWay].filter(({ hasSession }) => hasSession);
    this.#throughput.observe(rendering.length, Date.now());
    this.#throughputInTurns.observe(rendering.length, Date.now());
  }

  #admitWaiting(): void {
    for (;;) {
      const next = this.#queue.admitNext((render) => this.#mayStart(render));
      if (!next) return;
      this.#startInTurn(next);
    }
  }

  /** Decides whether a render may start now. Everything that limits the renders under way is decided here. */
  #mayStart({ accountId, weight }: AdmittedRender): boolean {
    if (!fits(weight, this.#underWay, this.#maxTotalWeight())) return false;
    const underWay = [...this.#underWay];
    if (underWay.length < this.#maxConcurrent) return true;
    const long = underWay.filter(({ isLong }) => isLong).length;
    const additional = Math.min(long, this.#maxAdditional);
    return (
      underWay.length < this.#maxConcurrent + additional && !underWay.some((render) => render.accountId === accountId)
    );
  }

  #startInTurn(render: AdmittedRender): void {
    this.#turns.admitted(render.accountId, render.turn);
    this.#start(render);
  }

  #start(render: AdmittedRender): void {
    render.sinceMs = Date.now();
    this.#underWay.add(render);
    setTimeout(() => {
      render.isLong = true;
      if (this.#underWay.has(render)) this.#admitWaiting();
    }, longRenderMs);
  }

  #nextTurn(accountId: string): number {
    const waiting = this.#queue.calls.filter((call) => call.accountId === accountId).map(({ turn }) => turn);
    return this.#turns.next(accountId, waiting);
  }

  /**
   * Estimates after how many ms a render starts that has `ahead` other renders before it in the queue. A new render is not
   * promised that accounts go on having renders in a row.
   */
  #startsInMs(ahead: number, isNew: boolean): number {
    const nowMs = Date.now();
    const inTurnsMs = isNew ? this.#throughputInTurns.msPerEnd(nowMs) : 0;
    return this.#launchLeftMs(nowMs) + (ahead + 1) * Math.max(inTurnsMs, this.#throughput.msPerEnd(nowMs));
  }

  /** Returns the estimated time until the browser that renders under way wait for has started; 0 if none do. */
  #launchLeftMs(nowMs: number): number {
    const waiting = [...this.#underWay].find(({ hasSession }) => !hasSession);
    const isLaunching = waiting !== undefined && nowMs - waiting.sinceMs > openSessionMs;
    return isLaunching ? Math.max(0, waiting.sinceMs + this.#launchMs - nowMs) : 0;
  }

  /** Returns the estimates for a refused render that may still be rendered elsewhere. */
  #withoutReturn(call: QueuedCall): { retryAfterSeconds: number; queue: QueueEstimate } {
    const queue = this.#estimate(call);
    return { retryAfterSeconds: Math.max(1, Math.ceil(queue.startsInMs / 1000)), queue };
  }

  /** Returns the estimates for a refused render whose caller is told when to come back. */
  #withReturn(call: QueuedCall): { retryAfterSeconds: number; queue: QueueEstimate } {
    const queue = this.#estimate(call);
    return { retryAfterSeconds: this.#returns.next(call.accountId, queue, Date.now()), queue };
  }

  #estimate({ accountId, deadlineMs }: QueuedCall): QueueEstimate {
    const nowMs = Date.now();
    const waiting = this.#queue.calls.map((call) => call.accountId);
    const accounts = new Set([accountId, ...waiting, ...this.#returns.accounts(nowMs)]);
    const next = { accountId, turn: this.#nextTurn(accountId), arrivedMs: nowMs, deadlineMs };
    return {
      startsInMs: this.#queue.startsInMs(next),
      turnMs: accounts.size * this.#throughput.msPerEnd(nowMs),
    };
  }
}
