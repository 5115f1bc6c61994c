// Starts a browser, connects to it and ends it. Each step has a deadline, because calls to a dead browser have been seen to
// hang. The platform's API is passed in.
import type { CDPSession } from "@cloudflare/puppeteer";
import { withDeadline } from "colophon-base/deadline";
import type { Log } from "colophon-base/log";
import type { RememberedSession, SessionMemory } from "./session-memory.ts";

export type BrowserSession = {
  id: string;
  acquiredAtMs: number;
  /** The DevTools session with the browser itself; pages are opened through it. */
  root: CDPSession;
  /** The browser's product name and version, e.g. `HeadlessChrome/128.0.6613.84`. */
  version: string;
  /** False once the connection is lost. */
  isAlive(): boolean;
  /** Resolves when the browser responds. Rejects when the connection is lost. Never settles when the browser hangs. */
  ping(): Promise<unknown>;
  /** Ends the browser, in a bounded time. Forgets the session unless it may still be running. Never rejects. */
  close(): Promise<void>;
};

/** The platform's API for browsers. Its methods have no deadlines. */
export type BrowserPlatform = {
  /** Starts a browser and returns its session id. Rejects with `NoCapacityError` when the platform refuses. */
  acquire(): Promise<string>;
  /** Connects to a session. Rejects when the session is gone, and may never settle when the session's browser hangs. */
  connect(sessionId: string): Promise<BrowserConnection>;
  /**
   * Ends a browser from outside, even if it does not respond. Also resolves if the session is already gone, and rejects
   * when the platform cannot end it now.
   */
  end(sessionId: string): Promise<void>;
};

export type BrowserConnection = {
  sessionId: string;
  /** Whether the browser keeps running after the end of the session, which then ends with its connection. */
  isShared?: boolean;
  isAlive(): boolean;
  openRoot(): Promise<CDPSession>;
  version(): Promise<string>;
  /** Closes the connection and leaves the browser running. */
  disconnect(): Promise<void>;
};

/** Thrown when the platform refuses to start a browser for now. */
export class NoCapacityError extends Error {
  /** The delay in ms that the platform asks for before the next try; null if it names none. */
  readonly retryAfterMs: number | null;

  constructor(message: string, { retryAfterMs = null, cause }: { retryAfterMs?: number | null; cause?: unknown } = {}) {
    super(message, { cause });
    this.retryAfterMs = retryAfterMs;
  }
}

/** The delay after a refusal if the platform named none. */
const usualDelayMs = 2_000;
const minDelayMs = 250;
const maxDelayMs = 60_000;

/** Remembers that the platform has refused to start a browser, and until when it must not be asked again. */
export class Refusals {
  #untilMs = 0;
  /** The refusal that is in force until the platform may be asked again. */
  #latest: NoCapacityError | null = null;

  refused(refusal: NoCapacityError): void {
    const delayMs = Math.min(maxDelayMs, Math.max(minDelayMs, refusal.retryAfterMs ?? usualDelayMs));
    this.#latest = refusal;
    this.#untilMs = Date.now() + delayMs;
  }

  /** Returns the time in ms until the platform may be asked for a browser again. */
  waitMs(): number {
    return Math.max(0, this.#untilMs - Date.now());
  }

  /**
   * Waits until the platform may be asked. If that is later than `deadlineMs` (ms since the epoch), rejects immediately with the
   * refusal in force.
   */
  async waitUntilOver(deadlineMs: number): Promise<void> {
    for (let waitMs = this.waitMs(); waitMs > 0; waitMs = this.waitMs()) {
      if (this.#latest && Date.now() + waitMs > deadlineMs) throw this.#latest;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

export type SessionParts = { platform: BrowserPlatform; memory: SessionMemory; log: Log };

/**
 * The limit on acquiring a new browser and connecting to it, together. The platform takes 2 to 4 seconds to launch a
 * browser, and does not document whether the acquisition or the connection waits for the launch.
 */
const startTimeoutMs = 10_000;
const closeTimeoutMs = 2_000;
const endTimeoutMs = 10_000;

/**
 * Acquires and remembers a session, and connects to it. Logs the browser's version, because the platform changes it
 * without notice.
 */
export async function openSession(parts: SessionParts): Promise<BrowserSession> {
  const acquiring = acquire(parts);
  const connecting = acquiring.then(({ id }) => parts.platform.connect(id));
  const opening = Promise.all([acquiring, connecting]).then(([acquired, connection]) =>
    openConnection(parts, acquired, connection),
  );
  try {
    const session = await withDeadline("starting a browser", startTimeoutMs, opening);
    parts.log("info", { event: "browser.connected", version: session.version });
    return session;
  } catch (cause) {
    // The connection may still open after the deadline.
    connecting.then((connection) => connection.disconnect()).catch(() => {});
    throw cause;
  }
}

/** Acquires a session and remembers it, even if the response arrives after the deadline. */
async function acquire({ platform, memory }: SessionParts): Promise<RememberedSession> {
  const id = await platform.acquire();
  const acquired = { id, acquiredAtMs: Date.now() };
  memory.add(acquired);
  return acquired;
}

async function openConnection(
  parts: SessionParts,
  { id, acquiredAtMs }: RememberedSession,
  connection: BrowserConnection,
): Promise<BrowserSession> {
  const [root, version] = await Promise.all([connection.openRoot(), connection.version()]);
  return {
    id,
    acquiredAtMs,
    root,
    version,
    isAlive: () => connection.isAlive(),
    ping: () => root.send("Browser.getVersion"),
    close: () => closeBrowser(parts, connection, root),
  };
}

async function closeBrowser(parts: SessionParts, connection: BrowserConnection, root: CDPSession): Promise<void> {
  // Puppeteer's own `close` is not used, because it reports success even if the connection is lost and the browser
  // keeps running.
  const closing = connection.isShared ? Promise.resolve() : root.send("Browser.close");
  const isClosed = await withDeadline("closing the browser", closeTimeoutMs, closing).then(
    () => true,
    () => false,
  );
  // The platform counts a session as idle only after all connections to it are closed.
  await connection.disconnect().catch(() => {});
  if (isClosed) parts.memory.delete(connection.sessionId);
  else await endSession(parts, connection.sessionId);
}

/**
 * Asks the platform to end the browser, in a bounded time, and forgets the session once it has ended. Returns false if the
 * browser may still be running. Never rejects.
 */
export async function endSession({ platform, memory, log }: SessionParts, sessionId: string): Promise<boolean> {
  try {
    await withDeadline("ending the session", endTimeoutMs, platform.end(sessionId));
    memory.delete(sessionId);
    return true;
  } catch (cause) {
    log("warn", { event: "browser.session_not_ended", cause });
    return false;
  }
}
