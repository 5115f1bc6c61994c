// Cloudflare's Browser Rendering, called through Cloudflare's version of puppeteer: acquires browsers, connects to them
// and ends them.
import { acquire, connect, type Browser, type BrowserWorker, type CDPSession } from "@cloudflare/puppeteer";
import { NoCapacityError, type BrowserPlatform } from "./browser-session.ts";

/**
 * How long the platform keeps a browser that is not used. `BrowserPool` closes an idle browser earlier, after
 * SESSION_IDLE_MS.
 */
const keepAliveMs = 600_000;

export function browserPlatform(binding: BrowserWorker): BrowserPlatform {
  return {
    acquire: () => acquireBrowser(binding),
    async connect(sessionId) {
      const browser = await connect(binding, sessionId);
      return {
        sessionId,
        isAlive: () => browser.connected,
        openRoot: () => openRoot(browser),
        version: () => browser.version(),
        disconnect: async () => browser.disconnect(),
      };
    },
    async end(sessionId) {
      const url = `https://browser.internal/v1/devtools/browser/${sessionId}`;
      await (await binding.fetch(url, { method: "DELETE" })).text();
    },
  };
}

async function acquireBrowser(binding: BrowserWorker): Promise<string> {
  // An empty `allowedDomains` makes the platform block all network access. The local browser ignores this option, so
  // every page also blocks the network itself (`harden-page.ts`).
  const options = { keep_alive: keepAliveMs, guardrails: { allowedDomains: [] } };
  try {
    const { sessionId } = await acquire(binding, options);
    return sessionId;
  } catch (error) {
    const isRefused = error instanceof Error && /code: (429|503)\b/.test(error.message);
    throw isRefused ? new NoCapacityError("the platform refused to start a browser", { cause: error }) : error;
  }
}

/**
 * Returns a DevTools session with the browser itself, and stops puppeteer from following new pages. By default,
 * puppeteer pauses each new page when it starts and attaches a second session to it. The pool opens its pages itself
 * and does not need that session. Leaving it out halves the messages for a page and saves a seventh of the browser's
 * time.
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
