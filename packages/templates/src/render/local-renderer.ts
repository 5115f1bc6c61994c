// Renders with a Chromium on this machine, one document at a time on one warm page. A page that fails is not reused: the next render
// starts a new browser.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CDPSession } from "@cloudflare/puppeteer";
import { launch, type Browser } from "puppeteer-core";
import { DeadlineError, withDeadline } from "colophon-base/deadline";
import { sha256Hex } from "colophon-base/encoding";
import type { Log } from "colophon-base/log";
import { loggableReason } from "colophon-base/loggable-error";
import { buildFonts } from "colophon-fonts/build-fonts";
import { patternsText } from "colophon-page/build-patterns";
import { fontLibrary, type FontCatalog, type FontFiles } from "colophon-render/font-library";
import { poolJob } from "colophon-render/job-content";
import { poolMargins } from "colophon-render/margin-content";
import type { RenderJob, RenderOutcome } from "colophon-render/render-job";
import type { RenderCalls, Renderer } from "colophon-render/render-services";
import { openWarmPage, type WarmPage } from "colophon-render/warm-page";

export type LocalFile = { bytes: Uint8Array; browserMs: number; browserVersion: string };

export type LocalRenderer = Renderer & {
  /** Returns the file of a successful render and forgets it; null if there is none. */
  take(fileKey: string): LocalFile | null;
  /** Starts the browser in advance. */
  start(): Promise<void>;
  /** Ends the browser, and resolves when its process has ended. Afterwards, no browser can be started. */
  stop(): Promise<void>;
};

type Session = { browser: Browser; version: string; page: WarmPage };

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
export function localRenderer(launcher: string, fonts: FontFiles, log: Log): LocalRenderer {
  const files = new Map<string, LocalFile>();
  let session: Promise<Session> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let isStopped = false;

  const open = (): Promise<Session> => {
    if (isStopped) throw new Error("the renderer has been stopped");
    return (session ??= openSession(launcher, fonts));
  };
  const close = async (): Promise<void> => {
    const closing = session;
    session = null;
    await closing?.then(({ browser }) => browser.close()).catch(() => {}); // The browser may not have started.
  };

  const renderNow = async (job: RenderJob, { renderMargins }: RenderCalls): Promise<RenderOutcome> => {
    const startedMs = performance.now();
    try {
      const { page, version } = await open();
      const rendering = page.render(poolJob(job), renderMargins ? poolMargins(renderMargins) : null);
      const outcome = await withDeadline("the render", job.timeoutMs, rendering);
      if (outcome.status !== "rendered") return outcome;
      const { bytes, ...about } = outcome;
      files.set(job.fileKey, { bytes, browserMs: performance.now() - startedMs, browserVersion: version });
      return { ...about, fileSize: bytes.length, sha256: await sha256Hex(bytes) };
    } catch (cause) {
      log("warn", { event: "render.failed", reason: loggableReason(cause), cause });
      await close();
      if (cause instanceof DeadlineError) return { status: "timed_out" };
      return { status: "crashed", reason: loggableReason(cause) };
    }
  };

  return {
    render(job, calls = {}) {
      const rendering = last.then(() => renderNow(job, calls));
      last = rendering;
      return rendering;
    },
    take(fileKey) {
      const file = files.get(fileKey) ?? null;
      files.delete(fileKey);
      return file;
    },
    start: async () => void (await open()),
    async stop() {
      isStopped = true;
      await close();
    },
  };
}

async function openSession(executablePath: string, fonts: FontFiles): Promise<Session> {
  const signals = { handleSIGHUP: false, handleSIGINT: false, handleSIGTERM: false };
  const browser = await launch({
    executablePath,
    args: switches,
    ignoreDefaultArgs: true,
    waitForInitialPage: false,
    timeout: startTimeoutMs,
    ...signals,
  });
  try {
    const root = await rootSession(browser);
    return { browser, version: await browser.version(), page: await openWarmPage(root, fonts) };
  } catch (cause) {
    await browser.close().catch(() => {}); // The original failure is more important.
    throw cause;
  }
}

/** Returns a DevTools session with the browser, and stops puppeteer from following new pages. */
async function rootSession(browser: Browser): Promise<CDPSession> {
  const root = await browser.target().createCDPSession();
  const connection = root.connection();
  await connection?.send("Target.setAutoAttach", { autoAttach: false, waitForDebuggerOnStart: false, flatten: true });
  await connection?.send("Target.setDiscoverTargets", { discover: false });
  // Cloudflare's puppeteer is a copy of this one, with different names for the same types.
  return root as unknown as CDPSession;
}

/** The files must have been built (`build-files.ts`), because a read has a deadline and building can take longer. */
export function diskFonts(log: Log): FontCatalog & FontFiles {
  let built: ReturnType<typeof buildFonts> | null = null;
  const read = async (path: string) => {
    const [, language] = /^hyphenation\/(.*)\.txt$/.exec(path) ?? [];
    if (language) return Buffer.from(patternsText(language));
    return readFile(join((await (built ??= buildFonts())).folder, path));
  };
  return fontLibrary(read, log);
}
