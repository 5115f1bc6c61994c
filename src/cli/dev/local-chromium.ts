// A Chromium on this machine that is called like Cloudflare's Browser Rendering, so that `template dev` renders with the
// service's own browser pool and without the Workers runtime. One browser belongs to one session.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { browserPlatform } from "../../objects/rendering/browser-platform.ts";

/** What `browserPlatform` calls. */
type BrowserBinding = Parameters<typeof browserPlatform>[0];

export type LocalChromium = {
  binding: BrowserBinding;
  /** Ends all browsers, and resolves when their processes have ended. No browser can be started afterwards. */
  stop(): Promise<void>;
};

type Browser = { process: ChildProcess; address: string; profile: string };

const startTimeoutMs = 20_000;
/** How long a browser may take to end by itself before it is killed. */
const endTimeoutMs = 2_000;

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
];

/** `launcher` is the executable that starts Chromium; see `prepareLocalBrowser`. */
export function localChromium(launcher: Promise<string>): LocalChromium {
  const browsers = new Map<string, Browser>();
  const starting = new Set<Promise<Browser>>();
  let isStopped = false;

  const acquire = async (): Promise<Response> => {
    if (isStopped) return new Response("the command is ending", { status: 500 });
    const started = launcher.then(startBrowser);
    starting.add(started);
    try {
      const id = crypto.randomUUID();
      const browser = await started;
      browsers.set(id, browser);
      browser.process.once("exit", () => browsers.delete(id));
      return Response.json({ sessionId: id });
    } finally {
      starting.delete(started);
    }
  };

  const end = async (id: string): Promise<Response> => {
    const browser = browsers.get(id);
    if (browser) await endBrowser(browser);
    return new Response(null, { status: browser ? 204 : 404 });
  };

  const fetch = async (address: string, { method = "GET" }: { method?: string } = {}): Promise<Response> => {
    if (method === "POST") return acquire();
    const id = new URL(address).pathname.split("/").at(-1) ?? "";
    if (method === "DELETE") return end(id);
    const browser = browsers.get(id);
    if (!browser) throw new Error("there is no such browser session");
    return upgraded(await connected(browser.address));
  };

  return {
    binding: { fetch: fetch as BrowserBinding["fetch"] },
    async stop() {
      isStopped = true;
      const started = await Promise.allSettled(starting);
      const late = started.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
      await Promise.all([...new Set([...browsers.values(), ...late])].map(endBrowser));
    },
  };
}

async function startBrowser(launcher: string): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), "colophon-dev-"));
  const child = spawn(launcher, [...switches, `--user-data-dir=${profile}`, "about:blank"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  child.once("exit", () => {
    // A process that outlives a killed launcher may keep the pipe open, which would keep this process running.
    child.stderr.destroy();
    void rm(profile, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
  });
  try {
    return { process: child, address: await devToolsAddress(child, child.stderr), profile };
  } catch (cause) {
    child.kill("SIGTERM");
    await rm(profile, { recursive: true, force: true });
    throw cause;
  }
}

/** Resolves with the WebSocket address that Chromium writes to stderr when it is ready. */
function devToolsAddress(child: ChildProcess, stderr: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("Chromium did not start in time")), startTimeoutMs);
    child.once("error", (cause) => reject(new Error("Chromium cannot be started", { cause })));
    child.once("exit", (code) => reject(new Error(`Chromium ended with code ${code} before it was ready`)));
    createInterface(stderr).on("line", (line) => {
      const address = /DevTools listening on (ws:\/\/\S+)/.exec(line)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    });
  });
}

/** The launcher ends Chromium when it gets SIGTERM. A launcher that is killed cannot do that, but its watchdog does. */
async function endBrowser({ process: child, profile }: Browser): Promise<void> {
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  if (child.exitCode === null && child.signalCode === null) {
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), endTimeoutMs);
    await ended;
    clearTimeout(timer);
  }
  await rm(profile, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
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
