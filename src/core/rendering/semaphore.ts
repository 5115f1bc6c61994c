// Limits how much of something is in use at once, for example pages or bytes of memory. What does not fit waits in a fair
// queue: the account that has least goes first, and equal ones get a slot each per round. Background claims, for example of
// batches, wait in a second queue. All other claims are foreground claims and go first.
import { FairQueue } from "./fair-queue.ts";

export type Claim = {
  accountId: string;
  /** How much the claim takes of the capacity. A claim that is larger than the capacity waits until nothing else is in use. */
  amount?: number;
  maxWaitMs: number;
  /** See `QueuedCall`. */
  order?: number;
  /** See `shareOfBackground`. */
  isBackground?: boolean;
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
  /**
   * The most that one account may have at a time. The rest is left to others, even if nobody else waits. Background claims may have
   * more when no foreground claim is active.
   */
  maxPerAccount?: number;
  /** The most claims that wait at a time, of each class. */
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
  isBackground: boolean;
  expiresInMs: number;
  expiresAtMs: number;
  streakLeft: number;
  streakUntilMs: number;
};

/** How often a waiting claim looks for permits that have ended by themselves, and for the end of foreground work. */
const reviewEveryMs = 250;

/**
 * The share of the capacity that all background claims together may use while foreground claims are active; one background claim may
 * always be held. On 2 cores, with a quarter of 8 pages, the small renders of others took four times as long as alone, and with an
 * eighth twice.
 */
const shareOfBackground = 1 / 8;
/** Foreground claims count as active so long after the last one: a caller that comes back must not find all pages in use. */
const foregroundGapMs = 10_000;
/** If no background claim is held, the next one waits for at most so many foreground claims, so that a batch does not starve. */
const maxPassing = 20;

export class Semaphore {
  readonly #capacity: number;
  readonly #maxPerAccount: number;
  readonly #streak: Streak;
  readonly #foreground: FairQueue<Held>;
  readonly #background: FairQueue<Held>;
  readonly #held = new Set<Held>();
  /** When waiting claims were last looked at, in ms since the epoch. */
  #admittedMs = 0;
  /** When the last foreground permit ended, in ms since the epoch. */
  #foregroundEndedMs = -Infinity;
  /** How many foreground claims in a row were admitted while background claims waited. */
  #passing = 0;

  constructor({ capacity, maxPerAccount = Infinity, maxWaiting, streak = { claims: 1, ms: 0 } }: SemaphoreLimits) {
    this.#capacity = capacity;
    this.#maxPerAccount = maxPerAccount;
    this.#streak = streak;
    this.#foreground = new FairQueue(maxWaiting);
    this.#background = new FairQueue(maxWaiting);
  }

  get inUse(): number {
    let total = 0;
    for (const { amount } of this.#held) total += amount;
    return total;
  }

  /** Returns the number of waiting claims of the class. */
  waiting(isBackground = false): number {
    return this.#queueOf(isBackground).length;
  }

  /** Resolves with null if there is no permit within `maxWaitMs`, or at once if too many claims of its class wait. */
  async acquire({
    accountId,
    amount = 1,
    maxWaitMs,
    order = 0,
    isBackground = false,
    expiresInMs = Infinity,
  }: Claim): Promise<Permit | null> {
    const held: Held = {
      accountId,
      amount,
      order,
      isBackground,
      expiresInMs,
      expiresAtMs: Infinity,
      streakLeft: 0,
      streakUntilMs: 0,
    };
    const admission = this.#queueOf(isBackground).wait(held, maxWaitMs);
    this.#admitWaiting();
    // A timer for the end of a permit would be stopped with its request, so each waiting claim looks for itself.
    const review = (isBackground || expiresInMs < Infinity) && setInterval(() => this.#review(), reviewEveryMs);
    const isAdmitted = await admission;
    if (review) clearInterval(review);
    if (isAdmitted) return this.#permitOf(held);
    // It may have been the next one, and too large for what is free.
    this.#admitWaiting();
    return null;
  }

  #queueOf(isBackground: boolean): FairQueue<Held> {
    return isBackground ? this.#background : this.#foreground;
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
    if (!this.#end(held, Date.now())) return;
    const { accountId, isBackground, streakLeft, streakUntilMs } = held;
    const isPassing = isBackground && this.#foreground.length > 0;
    const isInStreak = streakLeft > 0 && Date.now() < streakUntilMs && !isPassing;
    const next = isInStreak ? this.#queueOf(isBackground).next((other) => (other === accountId ? 0 : null)) : null;
    if (next && this.#fits(next)) this.#admit(next, streakLeft - 1, streakUntilMs);
    this.#admitWaiting();
  }

  #admitWaiting(): void {
    const nowMs = Date.now();
    this.#admittedMs = nowMs;
    for (const held of this.#held) if (held.expiresAtMs <= nowMs) this.#end(held, held.expiresAtMs);
    for (let next = this.#next(); next && this.#fits(next); next = this.#next()) {
      this.#admit(next, this.#streak.claims - 1, nowMs + this.#streak.ms);
    }
  }

  /** Returns whether the permit had not ended yet. */
  #end(held: Held, endedMs: number): boolean {
    const isEnded = this.#held.delete(held);
    if (isEnded && !held.isBackground) this.#foregroundEndedMs = endedMs;
    return isEnded;
  }

  /** Admits what may go because time has passed. Every waiting claim calls this, so one call does it for all. */
  #review(): void {
    if (Date.now() - this.#admittedMs >= reviewEveryMs) this.#admitWaiting();
  }

  #admit(held: Held, streakLeft: number, streakUntilMs: number): void {
    held.streakLeft = streakLeft;
    held.streakUntilMs = streakUntilMs;
    held.expiresAtMs = Date.now() + held.expiresInMs;
    this.#held.add(held);
    this.#passing = held.isBackground || this.#background.length === 0 ? 0 : this.#passing + 1;
    this.#queueOf(held.isBackground).admit(held);
  }

  #next(): Held | null {
    const isStarved = this.#passing >= maxPassing && this.#inUseBy(true) === 0;
    return (isStarved ? this.#nextOf(true) : null) ?? this.#nextOf(false) ?? this.#nextOf(true);
  }

  /** An account's own batch does not count against its foreground claims, but these count against its batch. */
  #nextOf(isBackground: boolean): Held | null {
    if (this.waiting(isBackground) === 0) return null;
    const amounts = new Map<string, number>();
    for (const held of this.#held) {
      if (held.isBackground && !isBackground) continue;
      amounts.set(held.accountId, (amounts.get(held.accountId) ?? 0) + held.amount);
    }
    const max = isBackground && this.#shareOfBackground() === 1 ? Infinity : this.#maxPerAccount;
    return this.#queueOf(isBackground).next((accountId) => {
      const amount = amounts.get(accountId) ?? 0;
      return amount < max ? amount : null;
    });
  }

  #fits({ amount, isBackground }: Held): boolean {
    const { inUse } = this;
    if (inUse > 0 && inUse + amount > this.#capacity) return false;
    if (!isBackground) return true;
    const background = this.#inUseBy(true);
    return background === 0 || background + amount <= this.#shareOfBackground() * this.#capacity;
  }

  #shareOfBackground(): number {
    const isActive = this.#foreground.length > 0 || this.#inUseBy(false) > 0;
    return isActive || Date.now() - this.#foregroundEndedMs < foregroundGapMs ? shareOfBackground : 1;
  }

  #inUseBy(isBackground: boolean): number {
    let total = 0;
    for (const held of this.#held) if (held.isBackground === isBackground) total += held.amount;
    return total;
  }
}
