// Opens a session with a browser. After a restart, this module reconnects to the previous browser. If that is
// impossible, it acquires a new browser. Each step has a deadline, because calls to a dead browser have been seen to
// hang. The platform's API is passed in.
import type { CDPSession } from "@cloudflare/puppeteer";
import { withDeadline } from "../../platform/deadline.ts";
import type { Log } from "../../ports/services.ts";

export type BrowserSession = {
  /** The DevTools session with the browser itself; pages are opened through it. */
  root: CDPSession;
  /** The browser's product name and version, e.g. `HeadlessChrome/128.0.6613.84`. */
  version: string;
  /** False once the connection is lost. */
  isAlive(): boolean;
  /** Resolves when the browser responds. Rejects when the connection is lost. Never settles when the browser hangs. */
  ping(): Promise<unknown>;
  /** Ends the browser, in a bounded time. */
  close(): Promise<void>;
};

/** Stores the id of the current session, so that it survives a restart of the object. */
export type SessionMemory = {
  load(): Promise<string | undefined>;
  /** `sessionId` is null when there is no longer a current session. */
  save(sessionId: string | null): Promise<void>;
};

/** The platform's API for browsers. Its methods have no deadlines. */
export type BrowserPlatform = {
  /** Starts a browser and returns its session id. Rejects with `NoCapacityError` when the platform refuses. */
  acquire(): Promise<string>;
  /** Connects to a session. Rejects when the session is gone, and may never settle when the session's browser hangs. */
  connect(sessionId: string): Promise<BrowserConnection>;
  /** Ends a browser from outside, even one that does not respond. */
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
export class NoCapacityError extends Error {}

const acquireTimeoutMs = 10_000;
/**
 * This limit is short, so that a create still has time to render after the longest possible start: an attempt to
 * reconnect, the acquisition of a browser and the connection to it.
 */
const connectTimeoutMs = 4_000;
const closeTimeoutMs = 2_000;

/**
 * Reconnects to the remembered session, or acquires a new one and remembers it. Logs the browser's version, because the
 * platform promises none and changes it without notice.
 */
export async function openSession(platform: BrowserPlatform, memory: SessionMemory, log: Log): Promise<BrowserSession> {
  const reconnected = await reconnect(platform, memory);
  const connection = reconnected ?? (await acquireNew(platform, memory));
  const opened = Promise.all([connection.openRoot(), connection.version()]);
  const [root, version] = await withDeadline("opening a session", connectTimeoutMs, opened);
  log("info", { event: "browser.connected", version, isReconnected: reconnected !== null });
  return {
    root,
    version,
    isAlive: () => connection.isAlive(),
    ping: () => root.send("Browser.getVersion"),
    close: () => closeBrowser(platform, connection, root),
  };
}

/**
 * Reconnects to the remembered session, so that a restart of the object does not leak its browser. Returns null when it
 * cannot reconnect. The browser itself closes the pages of the lost connection.
 */
async function reconnect(platform: BrowserPlatform, memory: SessionMemory): Promise<BrowserConnection | null> {
  const sessionId = await memory.load();
  if (!sessionId) return null;
  try {
    return await withDeadline("reconnecting", connectTimeoutMs, platform.connect(sessionId));
  } catch {
    // Either the browser was closed because it was idle, or it hangs. Ending the session stops a browser that hangs.
    // The caller then acquires a new session.
    void endSession(platform, sessionId);
    return null;
  }
}

async function acquireNew(platform: BrowserPlatform, memory: SessionMemory): Promise<BrowserConnection> {
  const sessionId = await withDeadline("acquiring a browser", acquireTimeoutMs, platform.acquire());
  await memory.save(sessionId);
  return withDeadline("connecting", connectTimeoutMs, platform.connect(sessionId));
}

async function closeBrowser(platform: BrowserPlatform, connection: BrowserConnection, root: CDPSession): Promise<void> {
  // Puppeteer's own `close` is not used, because it reports success even on a lost connection, and then the browser
  // would keep running.
  const closed = withDeadline("closing the browser", closeTimeoutMs, root.send("Browser.close"));
  const isClosed = await closed.then(
    () => true,
    () => false,
  );
  // The platform counts a session as idle only after all connections to it are closed.
  await connection.disconnect();
  if (!isClosed) await endSession(platform, connection.sessionId);
}

/**
 * Asks the platform to end the browser, in a bounded time. If that fails, the browser ends after its keep-alive time. Never
 * rejects.
 */
export async function endSession(platform: BrowserPlatform, sessionId: string): Promise<void> {
  await withDeadline("ending the session", acquireTimeoutMs, platform.end(sessionId)).catch(() => {});
}
