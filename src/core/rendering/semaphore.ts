// Limits how much of something is in use at the same time, for example pages or bytes of memory. A claim that does not fit waits in a fair
// queue: the account that holds least goes first, and accounts that hold the same amount get one permit each per round.
import { FairQueue } from "./fair-queue.ts";

export type Claim = {
  accountId: string;
  /** How much of the capacity the claim uses. A claim that exceeds the capacity waits until nothing else is in use. */
  amount?: number;
  maxWaitMs: number;
  /** See `QueuedCall`. */
  order?: number;
  /**
   * The permit ends by itself after this time. When the platform stops a request, none of its code runs any more, so Workers
   * limit the life of their permits. Objects need not.
   */
  expiresInMs?: number;
};

/** Must be released. */
export type Permit = {
  /** Changes the amount immediately, without waiting, because the memory or page is already in use. */
  resize(amount: number): void;
  release(): void;
};

export type SemaphoreLimits = {
  capacity: number;
  /** The maximum amount that one account may hold. The rest is reserved for others, even if nobody else waits. */
  maxPerAccount?: number;
  /** The maximum number of waiting claims. */
  maxWaiting?: number;
};

/** A claim that waits or has a permit. */
type Held = { accountId: string; amount: number; order: number; expiresInMs: number; expiresAtMs: number };

/** How frequently a waiting claim looks for permits that have ended by themselves. */
const reviewEveryMs = 250;

export class Semaphore {
  readonly #capacity: number;
  readonly #maxPerAccount: number;
  readonly #queue: FairQueue<Held>;
  readonly #held = new Set<Held>();
  /** When waiting claims were last looked at, in ms since the epoch. */
  #admittedMs = 0;

  constructor({ capacity, maxPerAccount = Infinity, maxWaiting }: SemaphoreLimits) {
    this.#capacity = capacity;
    this.#maxPerAccount = maxPerAccount;
    this.#queue = new FairQueue(maxWaiting);
  }

  get inUse(): number {
    let total = 0;
    for (const { amount } of this.#held) total += amount;
    return total;
  }

  /** Returns the number of waiting claims. */
  waiting(): number {
    return this.#queue.length;
  }

  /** Resolves with null if there is no permit within `maxWaitMs`, or immediately if too many claims wait. */
  async acquire({
    accountId,
    amount = 1,
    maxWaitMs,
    order = 0,
    expiresInMs = Infinity,
  }: Claim): Promise<Permit | null> {
    const held: Held = { accountId, amount, order, expiresInMs, expiresAtMs: Infinity };
    const admission = this.#queue.wait(held, maxWaitMs);
    this.#admitWaiting();
    // A timer for the end of a permit would be stopped together with its request, so each waiting claim checks instead.
    const review = expiresInMs < Infinity && setInterval(() => this.#review(), reviewEveryMs);
    const isAdmitted = await admission;
    if (review) clearInterval(review);
    if (isAdmitted) return this.#permitOf(held);
    // The claim may have been the next one and too large for the free capacity, and so have delayed the others.
    this.#admitWaiting();
    return null;
  }

  #permitOf(held: Held): Permit {
    return {
      resize: (amount) => {
        held.amount = amount;
        this.#admitWaiting();
      },
      release: () => {
        if (this.#held.delete(held)) this.#admitWaiting();
      },
    };
  }

  #admitWaiting(): void {
    const nowMs = Date.now();
    this.#admittedMs = nowMs;
    for (const held of this.#held) if (held.expiresAtMs <= nowMs) this.#held.delete(held);
    for (let next = this.#next(); next && this.#fits(next); next = this.#next()) {
      next.expiresAtMs = nowMs + next.expiresInMs;
      this.#held.add(next);
      this.#queue.admit(next);
    }
  }

  /**
   * Admits the claims that may be admitted because time has passed. Every waiting claim calls this function, but one check
   * serves all of them.
   */
  #review(): void {
    if (Date.now() - this.#admittedMs >= reviewEveryMs) this.#admitWaiting();
  }

  #next(): Held | null {
    if (this.waiting() === 0) return null;
    const amounts = new Map<string, number>();
    for (const held of this.#held) amounts.set(held.accountId, (amounts.get(held.accountId) ?? 0) + held.amount);
    return this.#queue.next((accountId) => {
      const amount = amounts.get(accountId) ?? 0;
      return amount < this.#maxPerAccount ? amount : null;
    });
  }

  #fits({ amount }: Held): boolean {
    const { inUse } = this;
    return inUse === 0 || inUse + amount <= this.#capacity;
  }
}
