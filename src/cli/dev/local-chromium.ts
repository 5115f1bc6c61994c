// A Chromium on this machine that is called like Cloudflare's Browser Rendering, so that `template dev` renders with the
// service's own browser pool and without the Workers runtime. One browser belongs to one session.
import { launch, type Browser } from "puppeteer-core";
import type { browserPlatform } from "../../objects/rendering/browser-platform.ts";

/** What `browserPlatform` calls. */
type BrowserBinding = Parameters<typeof browserPlatform>[0];

export type LocalChromium = {
  binding: BrowserBinding;
  /** Ends all browsers, and resolves when their processes have ended. No browser can be started afterwards. */
  stop(): Promise<void>;
};

const startTimeoutMs = 20_000;

/** The switches that the local service passes to its browser, as far as they can change a document or slow it down. */
const switches = [
  "--headless=new",
  "--hide-scrollbars",
  "--mute-audio",
  "--force-color-profile=srgb",
  "--export-tagged-pdf",
  "--disable-background-networking",
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
  "--disable-breakpad",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-dev-shm-usage",
  "--disable-extensions",
  "--disable-hang-monitor",
  "--disable-renderer-backgrounding",
  "--disable-sync",
  "--no-first-run",
  "--remote-debugging-port=0",
  "about:blank",
];

/** `launcher` is the executable that starts Chromium; see `prepareLocalBrowser`. */
export function localChromium(launcher: string): LocalChromium {
  const browsers = new Map<string, Promise<Browser>>();
  let isStopped = false;

  const acquire = async (): Promise<Response> => {
    if (isStopped) return new Response("the command is ending", { status: 500 });
    const sessionId = crypto.randomUUID();
    const starting = startBrowser(launcher);
    browsers.set(sessionId, starting);
    const forget = () => browsers.delete(sessionId);
    starting.then((browser) => browser.process()?.once("exit", forget), forget);
    await starting;
    return Response.json({ sessionId });
  };

  const fetch = async (address: string, { method = "GET" }: { method?: string } = {}): Promise<Response> => {
    if (method === "POST") return acquire();
    const browser = await browsers.get(new URL(address).pathname.split("/").at(-1) ?? "");
    if (method === "DELETE") {
      await browser?.close();
      return new Response(null, { status: browser ? 204 : 404 });
    }
    if (!browser) throw new Error("there is no such browser session");
    return upgraded(await connected(browser.wsEndpoint()));
  };

  return {
    binding: { fetch: fetch as BrowserBinding["fetch"] },
    async stop() {
      isStopped = true;
      await Promise.allSettled([...browsers.values()].map(async (starting) => (await starting).close()));
    },
  };
}

async function startBrowser(executablePath: string): Promise<Browser> {
  const signals = { handleSIGHUP: false, handleSIGINT: false, handleSIGTERM: false };
  const browser = await launch({
    executablePath,
    args: switches,
    ignoreDefaultArgs: true,
    waitForInitialPage: false,
    timeout: startTimeoutMs,
    ...signals,
  });
  // The pool has its own connection; a second one would follow every page that it opens.
  await browser.disconnect();
  return browser;
}

function connected(address: string): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address);
    socket.addEventListener("open", () => resolve(socket));
    socket.addEventListener("error", () => reject(new Error("Chromium refused the connection")));
  });
}

/** Returns what a Worker's `fetch` returns for an upgraded connection. Node's `Response` cannot carry a WebSocket. */
function upgraded(socket: WebSocket): Response {
  return { webSocket: Object.assign(socket, { accept: () => {} }) } as unknown as Response;
}
