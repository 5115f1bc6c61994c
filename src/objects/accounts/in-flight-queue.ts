// The creates of one account that wait because too many of its renders are in flight. They wait in the order in which
// they arrived. A create that would probably start too late is refused, and told when to come back.
import type { ReserveRequest } from "../../core/accounts/quota.ts";
import type { PoolRefusal, QueueEstimate } from "../../core/rendering/render-job.ts";
import { AdmissionQueue, isWorthJoining, latestStartMs, type QueuedCall } from "../runtime/admission-queue.ts";
import { ReturnTimes } from "../runtime/return-times.ts";
import { Throughput } from "../runtime/throughput.ts";

const maxWaiting = 256;
/** The assumed time between the ends of two renders until enough have been measured. */
const assumedMsPerRender = 250;
/** How long the estimate of a browser pool is used after the pool has refused a render. */
const poolEstimateMaxAgeMs = 2_000;

/** `waiting` means that the create must call again to keep waiting. It keeps its position. */
export type InFlightWait =
  | { status: "admitted" }
  | { status: "waiting" }
  | { status: "refused"; retryAfterSeconds: number };

export class InFlightQueue {
  readonly #queue = new AdmissionQueue<QueuedCall>(maxWaiting, (ahead) => this.#startsInMs(ahead));
  readonly #throughput = new Throughput(() => this.#inFlightLimit, assumedMsPerRender);
  readonly #returns: ReturnTimes;
  #inFlightLimit = 1;
  #pool: { estimate: QueueEstimate; learnedMs: number } | null = null;

  constructor(random: () => number) {
    this.#returns = new ReturnTimes(random);
  }

  /** Call this when a hold has been reserved or settled. `inFlight` is the number of renders that are in flight now. */
  observe(inFlight: number): void {
    this.#throughput.observe(inFlight, Date.now());
  }

  /** Lets the next create try to reserve its hold. */
  admitNext(): void {
    this.#queue.admitNext();
  }

  /** Call this when a pool has refused a render. The creates that wait here would wait even longer for the pool. */
  poolRefused(accountId: string, { retryAfterSeconds, queue }: PoolRefusal): void {
    const learnedMs = Date.now();
    this.#pool = { estimate: queue, learnedMs };
    this.#returns.expect(accountId, retryAfterSeconds * 1000, learnedMs);
    // For the pool, they will be new.
    this.#queue.review({ areNew: true });
  }

  /** Returns whether a pool has just refused a render of the account and would refuse this create as well. */
  isRefusedByPool({ timeoutMs }: ReserveRequest): boolean {
    const { startsInMs } = this.#poolEstimate(Date.now());
    return startsInMs > 0 && !isWorthJoining(startsInMs, timeoutMs);
  }

  /** Waits until the create may try to reserve its hold, but for at most `waitMs`. */
  async wait({ hold, inFlightLimit, timeoutMs }: ReserveRequest, waitMs: number): Promise<InFlightWait> {
    const nowMs = Date.now();
    this.#inFlightLimit = inFlightLimit;
    const { accountId, createdAt } = hold.draft;
    const call = { accountId, turn: 0, arrivedMs: Math.min(createdAt, nowMs), deadlineMs: nowMs + timeoutMs };
    const latestMs = latestStartMs(nowMs, timeoutMs, this.#throughput.msPerEnd(nowMs) * inFlightLimit);
    if (waitMs <= 0 && latestMs > nowMs) return { status: "waiting" };
    const end = await this.#queue.wait(call, Math.min(nowMs + waitMs, latestMs));
    if (end === "admitted") return { status: "admitted" };
    if (end === "timed_out" && latestMs > nowMs + waitMs) return { status: "waiting" };
    return { status: "refused", retryAfterSeconds: this.retryAfterSeconds(accountId) };
  }

  #startsInMs(ahead: number): number {
    const nowMs = Date.now();
    const { startsInMs, turnMs } = this.#poolEstimate(nowMs);
    return Math.max((ahead + 1) * this.#throughput.msPerEnd(nowMs), startsInMs + ahead * turnMs);
  }

  /** Returns after how many seconds a refused create of the account should come back. */
  retryAfterSeconds(accountId: string): number {
    const nowMs = Date.now();
    const turnMs = Math.max(this.#throughput.msPerEnd(nowMs), this.#poolEstimate(nowMs).turnMs);
    return this.#returns.next(accountId, { startsInMs: this.#startsInMs(this.#queue.length), turnMs }, nowMs);
  }

  /** Returns the estimate of the pool that has refused a render a moment ago, reduced by the time since then. */
  #poolEstimate(nowMs: number): QueueEstimate {
    const ageMs = this.#pool ? nowMs - this.#pool.learnedMs : Infinity;
    if (!this.#pool || ageMs > poolEstimateMaxAgeMs) return { startsInMs: 0, turnMs: 0 };
    const { startsInMs, turnMs } = this.#pool.estimate;
    return { startsInMs: Math.max(0, startsInMs - ageMs), turnMs };
  }
}
