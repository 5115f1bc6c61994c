// Decides when the platform is asked for a browser again after it has refused to start one: at the time that it named, plus
// a random delay, so that several pools do not ask at the same moment. If it named no time, the delay doubles with each
// refusal.
import type { NoCapacityError } from "./browser-session.ts";

/** The delay after a single refusal for which the platform named none. */
const firstDelayMs = 1_000;
const minDelayMs = 250;
const maxDelayMs = 60_000;
/** The maximum random addition to a delay, as a share of the delay. */
const maxJitter = 0.25;

export class Refusals {
  readonly #random: () => number;
  #count = 0;
  #untilMs = 0;
  /** The refusal that is in force until the platform may be asked again. */
  #latest: NoCapacityError | null = null;

  /** `random` returns a number from 0 to 1. */
  constructor(random: () => number) {
    this.#random = random;
  }

  refused(refusal: NoCapacityError): void {
    const doubledMs = firstDelayMs * 2 ** Math.min(this.#count, 10);
    const delayMs = Math.min(maxDelayMs, Math.max(minDelayMs, refusal.retryAfterMs ?? doubledMs));
    this.#count++;
    this.#latest = refusal;
    this.#untilMs = Date.now() + delayMs * (1 + maxJitter * this.#random());
  }

  granted(): void {
    this.#count = 0;
    this.#latest = null;
  }

  /** Returns how long the platform must not be asked, in ms. */
  waitMs(): number {
    return this.#latest ? Math.max(0, this.#untilMs - Date.now()) : 0;
  }

  /**
   * Waits until the platform may be asked. If that is later than `deadlineMs` (ms since the epoch), rejects at once with
   * the refusal that is in force.
   */
  async waitUntilOver(deadlineMs: number): Promise<void> {
    for (let waitMs = this.waitMs(); waitMs > 0; waitMs = this.waitMs()) {
      if (this.#latest && Date.now() + waitMs > deadlineMs) throw this.#latest;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}
