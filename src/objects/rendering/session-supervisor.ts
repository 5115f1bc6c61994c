// Manages the session that renders use. A session is opened on demand, together with a first page. It is replaced when it is old,
// has rendered its maximum number of documents, or when a page has failed, and stays in use until its replacement is open. A
// session whose browser has failed is retired immediately. No browser is left running: browsers from before a restart are ended.
import type { Log } from "colophon-base/log";
import { NoCapacityError, Refusals, type BrowserSession } from "./browser-session.ts";
import { pingInTime } from "./heartbeat.ts";
import { PooledSession, type OpenPage } from "./pooled-session.ts";
import type { RememberedSession, SessionMemory } from "./session-memory.ts";

export type SessionSupervisorParts = {
  /**
   * Acquires a session and remembers it. Settles in a bounded time. Rejects with `NoCapacityError` when the platform refuses
   * to start a browser.
   */
  openSession: () => Promise<BrowserSession>;
  /** Ends the browser of a session from outside, without connecting to it, and then forgets the session. Never rejects. */
  endSession: (sessionId: string) => Promise<boolean>;
  openPage: OpenPage;
  memory: SessionMemory;
  settings: { maxPages: number; maxRendersPerSession: number; maxSessionAgeMs: number };
  log: Log;
};

/** The platform has ended any session that this object could not end, at the latest this long after its last possible render. */
const forgetAfterMs = 3_600_000;

export class SessionSupervisor {
  readonly #parts: SessionSupervisorParts;
  readonly #refusals = new Refusals();
  /** The sessions that this object has opened and not yet closed: the current session and the retired ones. */
  readonly #held = new Set<PooledSession>();
  #current: PooledSession | null = null;
  #opening: Promise<PooledSession> | null = null;

  constructor(parts: SessionSupervisorParts) {
    this.#parts = parts;
  }

  get isOpening(): boolean {
    return this.#opening !== null;
  }

  get isEmpty(): boolean {
    return this.#current === null && this.#opening === null;
  }

  /** Returns whether a browser of this object may be running, including one from before a restart. */
  get mayHaveBrowsers(): boolean {
    return !this.isEmpty || this.#parts.memory.list().length > 0;
  }

  /** Returns the number of seconds after which the platform may start a browser, at least 1. */
  retryAfterSeconds(): number {
    return Math.max(1, Math.ceil(this.#refusals.waitMs() / 1000));
  }

  /**
   * Returns the current session. If there is none, opens one, and all callers wait for the same new session. While the platform
   * refuses to start a browser, waits until it may be asked again, but not beyond `waitUntilMs` (ms since the epoch). If that is
   * later, rejects immediately with `NoCapacityError`.
   */
  async acquire(waitUntilMs = 0): Promise<PooledSession> {
    for (;;) {
      if (this.#current && !this.#current.browser.isAlive()) this.retire(this.#current, "the browser disconnected");
      if (this.#current) return this.#current;
      await this.#refusals.waitUntilOver(waitUntilMs);
      try {
        return this.#current ?? (await this.#open());
      } catch (cause) {
        if (!(cause instanceof NoCapacityError)) throw cause;
      }
    }
  }

  /**
   * Pings the browser and returns its version. Opens a session if there is none. If the browser does not respond, retires
   * its session and rejects.
   */
  async checkBrowser(): Promise<string> {
    const session = await this.acquire();
    session.beginRender(); // If the session is retired now, it stays open until the ping has ended.
    try {
      await pingInTime(session.browser.ping());
      return session.browser.version;
    } catch (cause) {
      this.retire(session, "the browser did not respond to a health check");
      throw cause;
    } finally {
      session.endRender();
    }
  }

  /**
   * Call this after each successful render. It replaces a session that has reached its maximum age or number of renders.
   * Otherwise it prepares a spare page.
   */
  maintain(session: PooledSession): void {
    const { maxRendersPerSession, maxSessionAgeMs } = this.#parts.settings;
    if (session.rendersDone >= maxRendersPerSession) {
      void this.replace(session, "it reached its maximum number of renders");
      return;
    }
    if (Date.now() - session.browser.acquiredAtMs >= maxSessionAgeMs) {
      void this.replace(session, "it reached its maximum age");
      return;
    }
    session.prepareSpare((cause) => {
      this.#parts.log("warn", { event: "browser.spare_failed", cause });
      // The failed page may be partly open and cannot be closed alone, so the whole session is replaced.
      return this.replace(session, "a page could not be opened");
    });
  }

  /**
   * Opens a new session and then retires `session`. Until then, `session` stays in use, so that other accounts do not
   * wait. If the new session cannot be opened, `session` stays in use. Concurrent calls share one new session. Never
   * rejects.
   */
  async replace(session: PooledSession, reason: string): Promise<void> {
    if (this.#current !== session) return;
    try {
      await this.#refusals.waitUntilOver(0);
      await this.#open();
      this.retire(session, reason);
    } catch (cause) {
      this.#parts.log("warn", { event: "browser.not_replaced", reason, cause });
    }
  }

  /**
   * Stops sending renders to `session`. The renders in flight continue, and the browser closes when the last of them
   * has ended.
   */
  retire(session: PooledSession, reason: string): void {
    if (session.isRetired) return;
    this.#parts.log("info", { event: "browser.session_retired", reason, renders: session.rendersDone });
    if (this.#current === session) this.#current = null;
    session.retire();
  }

  retireCurrent(reason: string): void {
    if (this.#current) this.retire(this.#current, reason);
  }

  /**
   * Waits until the sessions that are being closed have closed, and then ends every other browser that this object does not use: browsers
   * from before a restart, and browsers that could not be closed. Never rejects.
   */
  async endUnused(): Promise<void> {
    const beingClosed = [...this.#held].filter(({ closing }) => closing);
    await Promise.all(beingClosed.map(({ closing }) => closing));
    for (const session of beingClosed) this.#held.delete(session);
    await Promise.all(this.#unused().map((session) => this.#end(session)));
  }

  async #end({ id, acquiredAtMs }: RememberedSession): Promise<void> {
    const { memory, endSession, settings, log } = this.#parts;
    if (Date.now() - acquiredAtMs > settings.maxSessionAgeMs + forgetAfterMs) return memory.delete(id);
    // If the browser cannot be ended now, the next call tries again.
    if (await endSession(id)) log("info", { event: "browser.session_ended", reason: "no render was using it" });
  }

  /**
   * Returns the sessions that may be running although no render uses them. While a session is being opened, they cannot be
   * determined.
   */
  #unused(): RememberedSession[] {
    if (this.#opening) return [];
    const held = new Set([...this.#held].map(({ browser }) => browser.id));
    return this.#parts.memory.list().filter(({ id }) => !held.has(id));
  }

  #open(): Promise<PooledSession> {
    this.#opening ??= this.#openWithFirstPage().finally(() => (this.#opening = null));
    return this.#opening;
  }

  /**
   * Opens a session and its first page. The session becomes current only after that, so that no render has to open the
   * first page itself.
   */
  async #openWithFirstPage(): Promise<PooledSession> {
    const { openPage, settings } = this.#parts;
    const pooled = new PooledSession(await this.#openSession(), openPage, settings.maxPages);
    this.#held.add(pooled);
    try {
      await pooled.openSpare();
    } catch (cause) {
      this.retire(pooled, "its first page could not be opened");
      throw cause;
    }
    this.#current = pooled;
    return pooled;
  }

  async #openSession(): Promise<BrowserSession> {
    try {
      return await this.#parts.openSession();
    } catch (cause) {
      if (cause instanceof NoCapacityError) this.#refusals.refused(cause);
      throw cause;
    }
  }
}
