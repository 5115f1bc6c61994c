// Opens a session with a browser: reconnects to the browser of a session that a restart left open, or acquires a new
// browser. Each step has a deadline, because calls to a dead browser have been seen to hang. The platform's API is passed
// in.
import type { CDPSession } from "@cloudflare/puppeteer";
import { withDeadline } from "../../platform/deadline.ts";
import type { Log } from "../../ports/services.ts";
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
  /** Ends the browser, in a bounded time. Resolves to false if it may still be running. Never rejects. */
  close(): Promise<boolean>;
};

/** The platform's API for browsers. Its methods have no deadlines. */
export type BrowserPlatform = {
  /** Starts a browser and returns its session id. Rejects with `NoCapacityError` when the platform refuses. */
  acquire(): Promise<string>;
  /** Connects to a session. Rejects when the session is gone, and may never settle when the session's browser hangs. */
  connect(sessionId: string): Promise<BrowserConnection>;
  /**
   * Ends a browser from outside, even one that does not respond. Resolves too if the session is already gone, and rejects
   * when the platform cannot end it now.
   */
  end(sessionId: string): Promise<void>;
};

export type BrowserConnection = {
  sessionId: string;
  isAlive(): boolean;
  openRoot(): Promise<CDPSession>;
  version(): Promise<string>;
  /** Closes the connection and leaves the browser running. */
  disconnect(): Promise<void>;
};

/** Thrown when the platform refuses to start a browser for now. */
export class NoCapacityError extends Error {
  /** The delay in ms that the platform asks for before the next try; null if it asks for none. */
  readonly retryAfterMs: number | null;

  constructor(message: string, { retryAfterMs = null, cause }: { retryAfterMs?: number | null; cause?: unknown } = {}) {
    super(message, { cause });
    this.retryAfterMs = retryAfterMs;
  }
}

export type SessionParts = { platform: BrowserPlatform; memory: SessionMemory; log: Log };

/**
 * The limit on acquiring a new browser and connecting to it, together. The platform takes 2 to 4 seconds to launch a
 * browser, and does not document whether the acquisition or the connection waits for the launch.
 */
const startTimeoutMs = 10_000;
/**
 * The limit on reconnecting to a browser that runs already. It is short, so that a create still has time to render after
 * the longest possible start: an attempt to reconnect, and then the start of a new browser.
 */
const reconnectTimeoutMs = 4_000;
const closeTimeoutMs = 2_000;
const endTimeoutMs = 10_000;

/**
 * Reconnects to the `remembered` session, if it is not null. Acquires and remembers a new session if there is none, or if
 * that session cannot be used; then it is retired. Logs the browser's version, because the platform promises none and
 * changes it without notice.
 */
export async function openSession(parts: SessionParts, remembered: RememberedSession | null): Promise<BrowserSession> {
  const reconnected = remembered && (await reconnect(parts, remembered));
  const session = reconnected ?? (await startNew(parts));
  parts.log("info", { event: "browser.connected", version: session.version, isReconnected: reconnected !== null });
  return session;
}

/**
 * Reconnects to a session, and closes what is open in its browser, because documents of the accounts that used it before
 * may be left there. Returns null when the session cannot be used.
 */
async function reconnect(parts: SessionParts, remembered: RememberedSession): Promise<BrowserSession | null> {
  const connectAndClean = async (connecting: Promise<BrowserConnection>) => {
    const session = await openConnection(parts, remembered, await connecting);
    await closeContexts(session.root);
    return session;
  };
  try {
    const connecting = parts.platform.connect(remembered.id);
    return await inTime("reconnecting", reconnectTimeoutMs, connecting, connectAndClean(connecting));
  } catch (cause) {
    parts.log("info", { event: "browser.not_reconnected", cause });
    // Either the browser was closed because it was idle, or it hangs. Ending the session stops a browser that hangs.
    parts.memory.put({ ...remembered, retiredAtMs: Date.now() });
    void endSession(parts, remembered.id);
    return null;
  }
}

/** Closes all browser contexts, with their pages. Only the browser's default context remains, which no page uses. */
async function closeContexts(root: CDPSession): Promise<void> {
  const { browserContextIds } = await root.send("Target.getBrowserContexts");
  await Promise.all(
    browserContextIds.map((browserContextId) => root.send("Target.disposeBrowserContext", { browserContextId })),
  );
}

async function startNew(parts: SessionParts): Promise<BrowserSession> {
  const acquiring = acquire(parts);
  const connecting = acquiring.then(({ id }) => parts.platform.connect(id));
  const opening = Promise.all([acquiring, connecting]).then(([acquired, connection]) =>
    openConnection(parts, acquired, connection),
  );
  return inTime("starting a browser", startTimeoutMs, connecting, opening);
}

/** Acquires a session and remembers it, even if the response comes after the deadline. */
async function acquire({ platform, memory }: SessionParts): Promise<RememberedSession> {
  const id = await platform.acquire();
  const acquired = { id, acquiredAtMs: Date.now(), retiredAtMs: null };
  memory.put(acquired);
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

/** Like `withDeadline`, but also closes the connection if `work` fails, even a connection that is opened afterwards. */
async function inTime<T>(
  what: string,
  timeoutMs: number,
  connecting: Promise<BrowserConnection>,
  work: Promise<T>,
): Promise<T> {
  try {
    return await withDeadline(what, timeoutMs, work);
  } catch (cause) {
    connecting.then((connection) => connection.disconnect()).catch(() => {});
    throw cause;
  }
}

async function closeBrowser(parts: SessionParts, connection: BrowserConnection, root: CDPSession): Promise<boolean> {
  // Puppeteer's own `close` is not used, because it reports success even on a lost connection, and then the browser
  // would keep running.
  const closed = withDeadline("closing the browser", closeTimeoutMs, root.send("Browser.close"));
  const isClosed = await closed.then(
    () => true,
    () => false,
  );
  // The platform counts a session as idle only after all connections to it are closed.
  await connection.disconnect().catch(() => {});
  if (!isClosed) return endSession(parts, connection.sessionId);
  parts.memory.delete(connection.sessionId);
  return true;
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
