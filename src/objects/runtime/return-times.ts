// Tells refused callers when to come back. The callers of an account are told times at which the account has a turn, so
// that they do not all come back at once and are not refused again.

/** A caller that comes back then waits about this long in the queue, which is never empty while others are told to wait. */
const waitOnReturnMs = 8_000;
/** `Retry-After` is in whole seconds, and 0 would mean at once. */
const minReturnMs = 1_000;
/** Estimates of more than this time are not worth much. */
const maxReturnMs = 120_000;
/** The random part of each time, so that callers that were refused together do not come back together. */
const jitter = 0.1;
const maxAccounts = 10_000;

export class ReturnTimes {
  readonly #random: () => number;
  /** The last time at which a caller of each account was told to come back, in ms since the epoch. */
  readonly #lastReturns = new Map<string, number>();

  /** `random` returns a number from 0 to 1. */
  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** Returns the accounts of the callers that are expected back later than `nowMs`. */
  accounts(nowMs: number): string[] {
    for (const [account, returnMs] of this.#lastReturns) if (returnMs <= nowMs) this.#lastReturns.delete(account);
    return [...this.#lastReturns.keys()];
  }

  /** Records that a caller of the account was told elsewhere to come back after this time. */
  expect(accountId: string, afterMs: number, nowMs: number): void {
    const returnMs = Math.max(this.#lastReturns.get(accountId) ?? 0, nowMs + afterMs);
    if (this.#lastReturns.has(accountId) || this.#lastReturns.size < maxAccounts)
      this.#lastReturns.set(accountId, returnMs);
  }

  /**
   * Returns after how many seconds a refused caller should come back, at least 1. `startsInMs` is the estimated wait of a
   * call that joined the queue now, and `turnMs` the time between two turns of the account.
   */
  next(accountId: string, { startsInMs, turnMs }: { startsInMs: number; turnMs: number }, nowMs: number): number {
    const lastReturnMs = this.#lastReturns.get(accountId) ?? 0;
    const afterMs = Math.max(startsInMs - waitOnReturnMs, lastReturnMs + turnMs - nowMs, minReturnMs);
    const returnMs = Math.min(afterMs, maxReturnMs);
    this.expect(accountId, returnMs, nowMs);
    return Math.ceil((returnMs * (1 + jitter * this.#random())) / 1000);
  }
}
