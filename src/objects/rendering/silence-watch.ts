// Notices that a browser has become silent, long before the heartbeat gives up on it. A silent browser often recovers,
// so this module only reports the silence; the session's supervisor then opens a replacement, just in case.

const pingEveryMs = 500;
/** On a machine with eight times as many busy processes as processors, a ping has taken 0.65 s. */
const silentAfterMs = 1_000;

export class SilenceWatch {
  readonly #ping: () => Promise<unknown>;
  readonly #onSilence: () => void;
  #isWatching = false;
  #isSilent = false;

  constructor(ping: () => Promise<unknown>, onSilence: () => void) {
    this.#ping = ping;
    this.#onSilence = onSilence;
  }

  /** True if a ping has had no response for a second; false again once the ping gets a response. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Sends pings for as long as `isNeeded` returns true. Does nothing when it already does so. */
  start(isNeeded: () => boolean): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    const next = () => {
      this.#isWatching = isNeeded();
      if (this.#isWatching) void this.#pingOnce().then(() => setTimeout(next, pingEveryMs));
    };
    setTimeout(next, pingEveryMs);
  }

  async #pingOnce(): Promise<void> {
    const timer = setTimeout(() => {
      this.#isSilent = true;
      this.#onSilence();
    }, silentAfterMs);
    try {
      await this.#ping();
      this.#isSilent = false;
    } catch {
      // The connection is lost, so the renders fail by themselves.
    } finally {
      clearTimeout(timer);
    }
  }
}
