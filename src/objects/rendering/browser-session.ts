// One session with a browser: acquired or taken back, cleaned of what a predecessor left, and closed for good.
import { acquire, connect, type Browser, type BrowserWorker, type CDPSession } from "@cloudflare/puppeteer";
import { withDeadline } from "../../platform/deadline.ts";

export type BrowserSession = {
  root: CDPSession;
  isAlive(): boolean;
  /** Any answer at all; rejects when the connection is gone, and never settles when the browser hangs. */
  ask(): Promise<unknown>;
  /** Ends the browser; bounded, because calls to a dead one were seen to hang. */
  close(): Promise<void>;
};

export type SessionMemory = {
  load(): Promise<string | undefined>;
  save(sessionId: string | null): Promise<void>;
};

/** The platform refuses new browsers for now. */
export class NoBrowserError extends Error {}

const acquireTimeoutMs = 10_000;
/** Taking back, acquiring and connecting together leave time for a render in the budget of a create. */
const connectTimeoutMs = 4_000;
const closeTimeoutMs = 2_000;
/** The longest that the platform keeps an unused browser; ours are closed earlier, see SESSION_IDLE_MS. */
const keepAliveMs = 600_000;

export async function openSession(binding: BrowserWorker, memory: SessionMemory): Promise<BrowserSession> {
  const browser = (await takeBack(binding, memory)) ?? (await acquireNew(binding, memory));
  const root = await withDeadline("opening a session", connectTimeoutMs, openRoot(browser));
  return {
    root,
    isAlive: () => browser.connected,
    ask: () => root.send("Browser.getVersion"),
    async close() {
      // By hand: puppeteer's own `close` reports success on a lost connection too, and the browser would live on.
      const closed = withDeadline("closing the browser", closeTimeoutMs, root.send("Browser.close"));
      const isClosed = await closed.then(
        () => true,
        () => false,
      );
      // A connection left open would keep the session from ever being idle.
      await browser.disconnect();
      if (!isClosed) await endSession(binding, browser.sessionId());
    },
  };
}

/**
 * A session with the browser itself. Puppeteer follows every target, which ends here: it stops each new page at its start and attaches a second session to it. Pages are made
 * by hand here, and without that they cost half the messages and a seventh less of the browser's time.
 */
async function openRoot(browser: Browser): Promise<CDPSession> {
  const root = await browser.target().createCDPSession();
  const connection = root.connection();
  await Promise.all([
    connection?.send("Target.setAutoAttach", { autoAttach: false, waitForDebuggerOnStart: false, flatten: true }),
    connection?.send("Target.setDiscoverTargets", { discover: false }),
  ]);
  return root;
}

/** Ends a browser that does not listen, by way of the platform. Should that fail too, its keep-alive ends it. */
async function endSession(binding: BrowserWorker, sessionId: string): Promise<void> {
  const url = `https://browser.internal/v1/devtools/browser/${sessionId}`;
  const ended = binding.fetch(url, { method: "DELETE" }).then((answer) => answer.text());
  await withDeadline("ending the session", acquireTimeoutMs, ended).catch(() => {});
}

/** An object that restarts takes its browser back instead of leaking it. Contexts of the old connection are disposed. */
async function takeBack(binding: BrowserWorker, memory: SessionMemory): Promise<Browser | null> {
  const sessionId = await memory.load();
  if (!sessionId) return null;
  try {
    return await withDeadline("reconnecting", connectTimeoutMs, connect(binding, sessionId));
  } catch {
    // Gone with its idle time, or hung; a new one takes its place.
    void endSession(binding, sessionId);
    return null;
  }
}

async function acquireNew(binding: BrowserWorker, memory: SessionMemory): Promise<Browser> {
  // Egress is refused by the platform itself too; the local browser ignores this, so the page does not rely on it.
  const options = { keep_alive: keepAliveMs, guardrails: { allowedDomains: [] } };
  const work = acquire(binding, options).catch((error: unknown) => {
    const refused = error instanceof Error && /code: (429|503)\b/.test(error.message);
    throw refused ? new NoBrowserError("no browser is free", { cause: error }) : error;
  });
  const { sessionId } = await withDeadline("acquiring a browser", acquireTimeoutMs, work);
  await memory.save(sessionId);
  return withDeadline("connecting", connectTimeoutMs, connect(binding, sessionId));
}
