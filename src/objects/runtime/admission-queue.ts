// A queue of calls that wait to be admitted. A call waits only as long as it will probably be admitted in time: it is
// refused at once when the estimate says that it would start too late, and later when the estimate has changed.

export type QueuedCall = {
  accountId: string;
  /**
   * Calls with a lower turn are admitted first. Among those with the same turn, the call that arrived first. An account's
   * further call does not go before calls of other accounts that would then start too late.
   */
  turn: number;
  /** In ms since the epoch. */
  arrivedMs: number;
  /** The time at which the caller stops waiting for the result, in ms since the epoch. */
  deadlineMs: number;
};

/** `refused` means that the call would probably start too late, and `timed_out` that it has waited for its maximum time. */
export type WaitEnd = "admitted" | "refused" | "timed_out";

/** A new call waits if its estimated wait is at most this share of the time until its deadline. */
const joinShare = 0.7;
/** A waiting call goes on waiting up to this share, so that small changes of the estimate refuse no call late. */
const keepShare = 0.9;
/**
 * During this time after its arrival, a call counts as new. When many calls arrive at once, the first estimates are made
 * before any of them has ended.
 */
const settlingMs = 1_500;
const reviewEveryMs = 250;
/** The minimum time that a call must have left when it starts, unless that is more than half of the time it had. */
const minWorkMs = 2_500;
/** A call must have this many times as long left as calls took on average. */
const averageCalls = 3;

/** `untilMs` is the time until which the call waits, in ms since the epoch. */
type Waiting<Call> = { call: Call; untilMs: number; end: (end: WaitEnd) => void };

export class AdmissionQueue<Call extends QueuedCall> {
  readonly #maxLength: number;
  readonly #startsInMs: (ahead: number, isNew: boolean) => number;
  /** In the order in which the calls are admitted. */
  readonly #waiting: Waiting<Call>[] = [];
  #isReviewDue = false;

  /**
   * `startsInMs` estimates after how many ms a call starts that has `ahead` other calls before it. If the call is new, it may
   * be more careful.
   */
  constructor(maxLength: number, startsInMs: (ahead: number, isNew: boolean) => number) {
    this.#maxLength = maxLength;
    this.#startsInMs = startsInMs;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** The waiting calls, in the order in which they are admitted. */
  get calls(): Call[] {
    return this.#waiting.map(({ call }) => call);
  }

  /** Returns the estimated time in ms until this call would start if it joined the queue now. */
  startsInMs(call: QueuedCall): number {
    return this.#startsInMs(this.#positionOf(call), true);
  }

  /** Waits until the call is admitted or refused, but no longer than until `untilMs`. */
  async wait(call: Call, untilMs: number): Promise<WaitEnd> {
    const nowMs = Date.now();
    const isInTime = isWorthJoining(this.startsInMs(call), call.deadlineMs - nowMs);
    if (!isInTime || untilMs <= nowMs || this.#waiting.length >= this.#maxLength) return "refused";
    const { promise, resolve } = Promise.withResolvers<WaitEnd>();
    const waiting = { call, untilMs, end: resolve };
    this.#waiting.splice(this.#positionOf(call), 0, waiting);
    const timer = setTimeout(() => this.#remove(waiting, "timed_out"), untilMs - nowMs);
    this.#reviewLater();
    return promise.finally(() => clearTimeout(timer));
  }

  /** Of the calls for which `mayEnter` returns true, admits the first and returns it. Returns null if there is none. */
  admitNext(mayEnter: (call: Call) => boolean = () => true): Call | null {
    const next = this.#waiting.find(({ call }) => mayEnter(call));
    if (!next) return null;
    this.#remove(next, "admitted");
    return next.call;
  }

  /**
   * Admits the account's first call out of turn and returns it. Returns null if it may not enter, or if a call before it
   * would then probably start later than any new call is promised to start.
   */
  admitOutOfTurn(accountId: string, mayEnter: (call: Call) => boolean): Call | null {
    const nowMs = Date.now();
    const position = this.#waiting.findIndex(({ call }) => call.accountId === accountId);
    const next = this.#waiting[position];
    if (!next || !mayEnter(next.call)) return null;
    const maySkip = ({ call: { arrivedMs, deadlineMs } }: Waiting<Call>, ahead: number) =>
      nowMs + this.#startsInMs(ahead + 1, false) <= arrivedMs + joinShare * (deadlineMs - arrivedMs);
    if (!this.#waiting.slice(0, position).every(maySkip)) return null;
    this.#remove(next, "admitted");
    return next.call;
  }

  /**
   * Refuses the calls that would now start too late. The queue also does this by itself several times a second. With
   * `areNew`, all calls are held to the share for new calls.
   */
  review({ areNew = false } = {}): void {
    const nowMs = Date.now();
    let ahead = 0;
    for (const waiting of [...this.#waiting]) {
      if (isInTime(waiting.call, this.#startsInMs(ahead, false), { nowMs, areNew })) ahead++;
      else this.#remove(waiting, "refused");
    }
  }

  /** Reviews the queue again and again as long as calls are waiting. */
  #reviewLater(): void {
    if (this.#isReviewDue || this.length === 0) return;
    this.#isReviewDue = true;
    setTimeout(() => {
      this.#isReviewDue = false;
      this.review();
      this.#reviewLater();
    }, reviewEveryMs);
  }

  #positionOf(call: QueuedCall): number {
    const inTurn = this.#waiting.findIndex((waiting) => goesBefore(call, waiting.call));
    if (inTurn < 0) return this.#waiting.length;
    const others = (waiting: Waiting<Call>) => waiting.call.accountId !== call.accountId;
    if (this.#waiting.every(others)) return inTurn;
    const wouldBeLate = this.#lateAfterOneMore(keepShare);
    return Math.max(
      inTurn,
      1 + this.#waiting.findLastIndex((waiting, ahead) => others(waiting) && wouldBeLate(waiting, ahead)),
    );
  }

  /** Returns a function that tells whether a call would start too late if one more call started before it. */
  #lateAfterOneMore(share: number): (waiting: Waiting<Call>, ahead: number) => boolean {
    const nowMs = Date.now();
    return ({ untilMs }, ahead) => this.#startsInMs(ahead + 1, false) > share * (untilMs - nowMs);
  }

  #remove(waiting: Waiting<Call>, end: WaitEnd): void {
    const position = this.#waiting.indexOf(waiting);
    if (position < 0) return;
    this.#waiting.splice(position, 1);
    waiting.end(end);
  }
}

/**
 * Returns the time until which a call may wait, in ms since the epoch. `timeoutMs` is the time until its deadline, and
 * `averageMs` the average time that calls have taken once they were admitted.
 */
export function latestStartMs(nowMs: number, timeoutMs: number, averageMs: number): number {
  return nowMs + timeoutMs - Math.min(timeoutMs / 2, Math.max(minWorkMs, averageCalls * averageMs));
}

function goesBefore(call: QueuedCall, other: QueuedCall): boolean {
  return call.turn === other.turn ? call.arrivedMs < other.arrivedMs : call.turn < other.turn;
}

/** Returns whether a new call waits that would start after `startsInMs` and has `timeLeftMs` until its deadline. */
export function isWorthJoining(startsInMs: number, timeLeftMs: number): boolean {
  return startsInMs <= joinShare * timeLeftMs;
}

type Review = { nowMs: number; areNew: boolean };

function isInTime({ arrivedMs, deadlineMs }: QueuedCall, startsInMs: number, { nowMs, areNew }: Review): boolean {
  const share = areNew || nowMs - arrivedMs < settlingMs ? joinShare : keepShare;
  return startsInMs <= share * (deadlineMs - nowMs);
}
