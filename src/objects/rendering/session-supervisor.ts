// Manages the session that renders use. A session is opened on demand, together with a first page. It is replaced after
// a certain number of renders or when a page has failed, and stays in use until its replacement is open. A session
// whose browser has failed is retired at once.
import { withDeadline } from "../../platform/deadline.ts";
import type { Log } from "../../ports/services.ts";
import type { BrowserSession, SessionMemory } from "./browser-session.ts";
import { PooledSession, type OpenPage } from "./pooled-session.ts";

export type SessionSupervisorParts = {
  /** Reconnects to the remembered session, or acquires a new one and saves its id. Settles in a bounded time. */
  openSession: (memory: SessionMemory) => Promise<BrowserSession>;
  /** Ends the browser of a session from outside, without connecting to it. Never rejects. */
  endSession: (sessionId: string) => Promise<void>;
  openPage: OpenPage;
  memory: SessionMemory;
  settings: { maxPages: number; maxRendersPerSession: number };
  log: Log;
};

/** As long as in the heartbeat of a render: longer than a browser under load needs to respond. */
const pingTimeoutMs = 5_000;

export class SessionSupervisor {
  readonly #parts: SessionSupervisorParts;
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

  /** Returns the current session. If there is none, opens one, and all callers wait for the same new session. */
  async acquire(): Promise<PooledSession> {
    if (this.#current && !this.#current.isAlive()) this.retire(this.#current, "the browser disconnected");
    return this.#current ?? this.#open(this.#parts.memory);
  }

  /**
   * Pings the browser and returns its version. Opens a session if there is none. If the browser does not respond, retires
   * its session and rejects.
   */
  async checkBrowser(): Promise<string> {
    const session = await this.acquire();
    session.beginRender(); // If the session is retired now, it stays open until the ping has ended.
    try {
      await withDeadline("a ping of the browser", pingTimeoutMs, session.ping());
      return session.version;
    } catch (cause) {
      this.retire(session, "the browser did not respond to a health check");
      throw cause;
    } finally {
      session.endRender();
    }
  }

  /**
   * Call this after each successful render. It replaces a session that has reached its maximum number of renders.
   * Otherwise it prepares a spare page.
   */
  maintain(session: PooledSession): void {
    if (session.rendersDone >= this.#parts.settings.maxRendersPerSession) {
      void this.replace(session, "it reached its maximum number of renders");
      return;
    }
    session.prepareSpare((cause) => {
      this.#parts.log("warn", { event: "browser.spare_failed", cause });
      // The failed page may be partly open, and there is no way to close only that page, so the whole session is replaced.
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
      await this.#open({ ...this.#parts.memory, load: async () => undefined });
      this.retire(session, reason);
    } catch (cause) {
      this.#parts.log("warn", { event: "browser.not_replaced", reason, cause });
    }
  }

  /**
   * Stops sending renders to `session`. The renders under way continue, and the browser closes when the last of them
   * has ended.
   */
  retire(session: PooledSession, reason: string): void {
    if (session.isRetired) return;
    const { memory, log } = this.#parts;
    log("info", { event: "browser.session_retired", reason, renders: session.rendersDone });
    if (this.#current === session) {
      this.#current = null;
      memory.save(null).catch((cause: unknown) => log("warn", { event: "browser.session_id_not_saved", cause }));
    }
    session.retire();
  }

  /**
   * Ends the session that the object remembers from before a restart, if there is one. Does nothing when a session is open
   * or being opened.
   */
  async endRemembered(reason: string): Promise<void> {
    const { memory, endSession, log } = this.#parts;
    const sessionId = await memory.load();
    // A render may have reconnected to the session in the meantime.
    if (!sessionId || !this.isEmpty) return;
    log("info", { event: "browser.session_ended", reason });
    await Promise.all([memory.save(null), endSession(sessionId)]);
  }

  retireCurrent(reason: string): void {
    if (this.#current) this.retire(this.#current, reason);
  }

  #open(memory: SessionMemory): Promise<PooledSession> {
    this.#opening ??= this.#openWithFirstPage(memory).finally(() => (this.#opening = null));
    return this.#opening;
  }

  /**
   * Opens a session and its first page. The session becomes current only after that, so that no render has to open the
   * first page itself.
   */
  async #openWithFirstPage(memory: SessionMemory): Promise<PooledSession> {
    const { openSession, openPage, settings, log } = this.#parts;
    const session = new PooledSession({
      session: await openSession(memory),
      openPage,
      maxPages: settings.maxPages,
      log,
    });
    try {
      await session.openSpare();
    } catch (cause) {
      this.retire(session, "its first page could not be opened");
      throw cause;
    }
    this.#current = session;
    return session;
  }
}
