// Limits how much of something is in use at once, for example pages or bytes of memory. What does not fit waits in a fair
// queue: the account that has least goes first, and equal ones get a slot each per round.
import { FairQueue } from "./fair-queue.ts";

export type Claim = {
  accountId: string;
  /** How much the claim takes of the capacity. A claim that is larger than the capacity waits until nothing else is in use. */
  amount?: number;
  maxWaitMs: number;
  /** See `QueuedCall`. */
  order?: number;
  /**
   * The permit ends by itself after this time. A request that the platform stops from outside runs no more code, so a Worker
   * limits its permits. An object does not have to.
   */
  expiresInMs?: number;
};

/** Must be released. */
export type Permit = {
  /** Changes the amount at once, because the thing is already in use. */
  resize(amount: number): void;
  release(): void;
};

export type SemaphoreLimits = {
  capacity: number;
  /** The most that one account may have at a time. The rest is left to others, even if nobody else waits. */
  maxPerAccount?: number;
  maxWaiting?: number;
  /**
   * What an account releases goes to its own next claim, up to so many times in a row, and no longer than `ms` after the first.
   * It is for things that take work when they pass from one account to another.
   */
  streak?: Streak;
};

type Streak = { claims: number; ms: number };

/** A claim that waits or has a permit. `streakLeft` is how many more permits its streak may have, which ends at `streakUntilMs`. */
type Held = {
  accountId: string;
  amount: number;
  order: number;
  expiresInMs: number;
  expiresAtMs: number;
  streakLeft: number;
  streakUntilMs: number;
};

/** How often a waiting claim looks for permits that have ended by themselves. */
const reviewEveryMs = 250;

export class Semaphore {
  readonly #capacity: number;
  readonly #maxPerAccount: number;
  readonly #streak: Streak;
  readonly #queue: FairQueue<Held>;
  readonly #held = new Set<Held>();
  /** When waiting claims were last looked at, in ms since the epoch. */
  #admittedMs = 0;

  constructor({ capacity, maxPerAccount = Infinity, maxWaiting, streak = { claims: 1, ms: 0 } }: SemaphoreLimits) {
    this.#capacity = capacity;
    this.#maxPerAccount = maxPerAccount;
    this.#streak = streak;
    this.#queue = new FairQueue(maxWaiting);
  }

  get inUse(): number {
    let total = 0;
    for (const { amount } of this.#held) total += amount;
    return total;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** Resolves with null if there is no permit within `maxWaitMs`, or at once if too many claims wait. */
  async acquire({
    accountId,
    amount = 1,
    maxWaitMs,
    order = 0,
    expiresInMs = Infinity,
  }: Claim): Promise<Permit | null> {
    const held: Held = {
      accountId,
      amount,
      order,
      expiresInMs,
      expiresAtMs: Infinity,
      streakLeft: 0,
      streakUntilMs: 0,
    };
    const admission = this.#queue.wait(held, maxWaitMs);
    this.#admitWaiting();
    // A timer for the end of a permit would be stopped with its request, so each waiting claim looks for itself.
    const review = expiresInMs < Infinity && setInterval(() => this.#review(), reviewEveryMs);
    const isAdmitted = await admission;
    if (review) clearInterval(review);
    if (isAdmitted) return this.#permitOf(held);
    // It may have been the next one, and too large for what is free.
    this.#admitWaiting();
    return null;
  }

  #permitOf(held: Held): Permit {
    return {
      resize: (amount) => {
        held.amount = amount;
        this.#admitWaiting();
      },
      release: () => this.#release(held),
    };
  }

  #release(held: Held): void {
    if (!this.#held.delete(held)) return;
    const { accountId, streakLeft, streakUntilMs } = held;
    const isInStreak = streakLeft > 0 && Date.now() < streakUntilMs;
    const next = isInStreak ? this.#queue.next((other) => (other === accountId ? 0 : null)) : null;
    if (next && this.#fits(next)) this.#admit(next, streakLeft - 1, streakUntilMs);
    this.#admitWaiting();
  }

  #admitWaiting(): void {
    const nowMs = Date.now();
    this.#admittedMs = nowMs;
    for (const held of this.#held) if (held.expiresAtMs <= nowMs) this.#held.delete(held);
    for (let next = this.#next(); next && this.#fits(next); next = this.#next()) {
      this.#admit(next, this.#streak.claims - 1, nowMs + this.#streak.ms);
    }
  }

  /** Admits what may go because permits have ended by themselves. Every waiting claim calls this, so one call does it for all. */
  #review(): void {
    if (Date.now() - this.#admittedMs >= reviewEveryMs) this.#admitWaiting();
  }

  #admit(held: Held, streakLeft: number, streakUntilMs: number): void {
    held.streakLeft = streakLeft;
    held.streakUntilMs = streakUntilMs;
    held.expiresAtMs = Date.now() + held.expiresInMs;
    this.#held.add(held);
    this.#queue.admit(held);
  }

  #next(): Held | null {
    const amounts = new Map<string, number>();
    for (const { accountId, amount } of this.#held) amounts.set(accountId, (amounts.get(accountId) ?? 0) + amount);
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
