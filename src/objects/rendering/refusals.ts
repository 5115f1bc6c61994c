// Remembers that the platform has refused to start a browser, and until when it must not be asked again.
import type { NoCapacityError } from "./browser-session.ts";

/** The delay after a refusal for which the platform named none. */
const usualDelayMs = 2_000;
const minDelayMs = 250;
const maxDelayMs = 60_000;

export class Refusals {
  #untilMs = 0;
  /** The refusal that is in force until the platform may be asked again. */
  #latest: NoCapacityError | null = null;

  refused(refusal: NoCapacityError): void {
    const delayMs = Math.min(maxDelayMs, Math.max(minDelayMs, refusal.retryAfterMs ?? usualDelayMs));
    this.#latest = refusal;
    this.#untilMs = Date.now() + delayMs;
  }

  /** Returns how long the platform must not be asked, in ms. */
  waitMs(): number {
    return Math.max(0, this.#untilMs - Date.now());
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
