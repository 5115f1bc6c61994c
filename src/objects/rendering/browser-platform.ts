// Cloudflare's Browser Rendering, called through Cloudflare's version of puppeteer: acquires browsers, connects to them
// and ends them.
import { acquire, connect, type Browser, type BrowserWorker, type CDPSession } from "@cloudflare/puppeteer";
import { CodedError } from "colophon-base/loggable-error";
import { retryAfterMs } from "../../core/retry-after.ts";
import { NoCapacityError, type BrowserPlatform } from "./browser-session.ts";

/** The platform's limits on the time for which it keeps a browser that gets no commands. */
const minKeepAliveMs = 10_000;
const maxKeepAliveMs = 600_000;

/**
 * Returns how long the platform should keep a browser that gets no commands. `BrowserPool` closes an idle browser
 * earlier, after `idleMs`. Only a browser whose id was lost, because the object ended before storing it, lives longer.
 */
export function keepAliveFor(idleMs: number): number {
  return Math.min(maxKeepAliveMs, Math.max(minKeepAliveMs, idleMs + 60_000));
}

/** Much longer than a launch. A request that is never aborted would occupy one of the object's six connections for ever. */
const requestTimeoutMs = 30_000;

/** The local binding has only `fetch`. */
type BrowserBinding = BrowserWorker & Partial<Pick<BrowserRun, "closeSession">>;

export function browserPlatform(binding: BrowserBinding, keepAliveMs: number): BrowserPlatform {
  return {
    acquire: () => acquireBrowser(binding, keepAliveMs),
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
      const closed = binding.closeSession?.(sessionId).then(
        () => true,
        () => false,
      );
      if (await closed) return;
      const url = `https://browser.internal/v1/devtools/browser/${sessionId}`;
      const response = await binding.fetch(url, { method: "DELETE", signal: AbortSignal.timeout(requestTimeoutMs) });
      await response.text();
      const isGone = response.status === 404 || response.status === 410;
      if (!response.ok && !isGone) throw new CodedError(`platform.status_${response.status}`);
    },
  };
}

async function acquireBrowser(binding: BrowserWorker, keepAliveMs: number): Promise<string> {
  // An empty `allowedDomains` makes the platform block all network access. The local browser ignores this option, so
  // every page also blocks the network itself (`harden-page.ts`).
  const options = { keep_alive: keepAliveMs, guardrails: { allowedDomains: [] } };
  // Puppeteer's error contains the status of the response, but not its headers.
  let response: Response | undefined;
  const signal = AbortSignal.timeout(requestTimeoutMs);
  const watched = {
    fetch: async (url: string, init: RequestInit) => (response = await binding.fetch(url, { ...init, signal })),
  };
  try {
    const { sessionId } = await acquire(watched as BrowserWorker, options);
    return sessionId;
  } catch (cause) {
    const isFull = response?.status === 429 || response?.status === 503;
    if (!response || !isFull) throw new CodedError(`browser.status_${response?.status}`, "no browser", { cause });
    throw new NoCapacityError("the platform refused to start a browser", {
      retryAfterMs: retryAfterMs(response.headers.get("Retry-After"), Date.now()),
      cause,
    });
  }
}

/**
 * Returns a DevTools session with the browser itself, and stops puppeteer from following new pages. By default,
 * puppeteer pauses each new page and attaches a second session to it. The pool opens its pages itself and does not need
 * that session. Without it, a page needs half the messages and the browser a seventh less time.
 */
export async function openRoot(browser: Browser): Promise<CDPSession> {
  const root = await browser.target().createCDPSession();
  const connection = root.connection();
  await Promise.all([
    connection?.send("Target.setAutoAttach", { autoAttach: false, waitForDebuggerOnStart: false, flatten: true }),
    connection?.send("Target.setDiscoverTargets", { discover: false }),
  ]);
  return root;
}
