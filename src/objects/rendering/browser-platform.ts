// Cloudflare's Browser Rendering, called through its puppeteer: acquires browsers, connects to them and ends them.
import { acquire, connect, type Browser, type BrowserWorker, type CDPSession } from "@cloudflare/puppeteer";
import { NoCapacityError, type BrowserPlatform } from "./browser-session.ts";

/** The longest time for which the platform keeps an unused browser; ours are closed earlier, see SESSION_IDLE_MS. */
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
  // With this option the platform blocks all network access too. The local browser ignores it, so pages do not rely on it.
  const options = { keep_alive: keepAliveMs, guardrails: { allowedDomains: [] } };
  try {
    const { sessionId } = await acquire(binding, options);
    return sessionId;
  } catch (error) {
    const isRefused = error instanceof Error && /code: (429|503)\b/.test(error.message);
    throw isRefused ? new NoCapacityError("the platform refuses a new browser", { cause: error }) : error;
  }
}

/**
 * A DevTools session with the browser itself. By default puppeteer follows every target: it pauses each new page at its
 * start and attaches a second session to it. That is turned off here, because the pool opens its pages itself; a page
 * then costs half the messages and a seventh less of the browser's time.
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
