// A queue that admits one call of each account per round, whatever the number of calls that each of them has in it. A call
// waits no longer than its limit. A second class of calls, which goes behind all others, would be a second queue of this kind.

/** Ends the wait of a call. */
type End = (isAdmitted: boolean) => void;

/** Returns the rank of an account; null if none of its calls may go now. */
export type AccountRank = (accountId: string) => number | null;

export class FairQueue<Call extends { accountId: string }> {
  readonly #maxLength: number;
  /** The waiting calls of each account, which are never none. The first account is the next one in this round. */
  readonly #accounts = new Map<string, Map<Call, End>>();
  #length = 0;

  constructor(maxLength = Infinity) {
    this.#maxLength = maxLength;
  }

  get length(): number {
    return this.#length;
  }

  /** Resolves with true when the call is admitted, and with false after `maxWaitMs`. If the queue is full, does so at once. */
  async wait(call: Call, maxWaitMs: number): Promise<boolean> {
    if (this.#length >= this.#maxLength) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const calls = this.#accounts.get(call.accountId) ?? new Map<Call, End>();
    this.#accounts.set(call.accountId, calls.set(call, resolve));
    this.#length++;
    const timer = setTimeout(() => this.#end(call, false), maxWaitMs);
    return promise.finally(() => clearTimeout(timer));
  }

  /** Of the accounts with the lowest rank, returns the call that has waited longest of the next one; null if there is none. */
  next(rankOf: AccountRank = () => 0): Call | null {
    let first: { call: Call; rank: number } | null = null;
    for (const [accountId, calls] of this.#accounts) {
      const rank = rankOf(accountId);
      const [call] = calls.keys();
      if (call && rank !== null && (!first || rank < first.rank)) first = { call, rank };
    }
    return first?.call ?? null;
  }

  /** Admits a waiting call. The other accounts then come before its account. */
  admit(call: Call): void {
    this.#end(call, true);
    const others = this.#accounts.get(call.accountId);
    if (!others) return;
    this.#accounts.delete(call.accountId);
    this.#accounts.set(call.accountId, others);
  }

  #end(call: Call, isAdmitted: boolean): void {
    const calls = this.#accounts.get(call.accountId);
    const end = calls?.get(call);
    // The timer of a call in another request may fire after the call was admitted.
    if (!calls || !end) return;
    calls.delete(call);
    if (calls.size === 0) this.#accounts.delete(call.accountId);
    this.#length--;
    end(isAdmitted);
  }
}
