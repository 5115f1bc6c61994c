// A queue that admits one call of each account per round, however many calls an account has in it. A call waits no longer than its limit.

/**
 * The call with the lowest `order` goes first within an account; among equal ones, the call that has waited longest.
 */
export type QueuedCall = { accountId: string; order?: number };

type Waiting<Call> = { call: Call; end: (isAdmitted: boolean) => void };

export class FairQueue<Call extends QueuedCall> {
  readonly #maxLength: number;
  /** The waiting calls by account. The first account is the next one in this round. */
  readonly #accounts = new Map<string, Waiting<Call>[]>();
  /**
   * The account whose call was admitted last. Its next call goes behind other accounts with the same rank, even if it arrived
   * first.
   */
  #last: string | null = null;
  #length = 0;

  constructor(maxLength = Infinity) {
    this.#maxLength = maxLength;
  }

  get length(): number {
    return this.#length;
  }

  /** Resolves with true when the call is admitted, and with false after `maxWaitMs`, or immediately if the queue is full. */
  async wait(call: Call, maxWaitMs: number): Promise<boolean> {
    if (this.#length >= this.#maxLength) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiting = { call, end: resolve };
    this.#insert(waiting);
    const timer = setTimeout(() => this.#end(waiting, false), maxWaitMs);
    return promise.finally(() => clearTimeout(timer));
  }

  /**
   * Returns the next call of the accounts with the lowest rank; null if there is none. The rank of an account is null if none of its calls
   * may be admitted now.
   */
  next(rankOf: (accountId: string) => number | null = () => 0): Call | null {
    let first: { call: Call; rank: number } | null = null;
    for (const [accountId, [waiting]] of this.#accounts) {
      const rank = rankOf(accountId);
      if (!waiting || rank === null) continue;
      const isBefore = !first || rank < first.rank || (rank === first.rank && first.call.accountId === this.#last);
      if (isBefore) first = { call: waiting.call, rank };
    }
    return first?.call ?? null;
  }

  /** Admits a waiting call. Its account then goes behind the other accounts. */
  admit(call: Call): void {
    const waiting = this.#accounts.get(call.accountId)?.find((other) => other.call === call);
    if (!waiting) return;
    this.#end(waiting, true);
    this.#last = call.accountId;
    const others = this.#accounts.get(call.accountId);
    if (!others) return;
    this.#accounts.delete(call.accountId);
    this.#accounts.set(call.accountId, others);
  }

  #insert(waiting: Waiting<Call>): void {
    const { accountId, order = 0 } = waiting.call;
    const calls = this.#accounts.get(accountId) ?? [];
    const position = calls.findIndex(({ call }) => order < (call.order ?? 0));
    calls.splice(position < 0 ? calls.length : position, 0, waiting);
    this.#accounts.set(accountId, calls);
    this.#length++;
  }

  #end(waiting: Waiting<Call>, isAdmitted: boolean): void {
    const { accountId } = waiting.call;
    const calls = this.#accounts.get(accountId) ?? [];
    const position = calls.indexOf(waiting);
    // The timer belongs to a different request and may fire after the call was admitted.
    if (position < 0) return;
    calls.splice(position, 1);
    if (calls.length === 0) this.#accounts.delete(accountId);
    this.#length--;
    waiting.end(isAdmitted);
  }
}
