// A hardened page in its own browser context. It renders one document after another for one account, so a render need not
// launch a browser, open a page or navigate. Templates' scripts never run in the page, and the page fetches nothing.
import type { CDPSession } from "@cloudflare/puppeteer";
import { CodedError, loggableReason } from "colophon-base/loggable-error";
import { shortened } from "colophon-base/text";
import { pageScript } from "colophon-page/bundle";
import { paperGeometry } from "colophon-page/page-geometry";
import { startEncryption, type FileEncryption } from "colophon-pdf/encryption";
import { ContentError, type PoolJob } from "../content/job-content.ts";
import type { PoolMargins } from "../content/margin-content.ts";
import type { PageOutcome } from "../file-metadata.ts";
import type { FontFiles } from "../fonts/font-library.ts";
import { deviceMetrics } from "./device-metrics.ts";
import { blockedRequestsWarning, hardenPage } from "./harden-page.ts";
import { imageFile } from "./image-file.ts";
import { documentLoader } from "./load-document.ts";
import { openTarget, type OpenedTarget } from "./open-target.ts";
import { FontError, pageFonts } from "./page-fonts.ts";
import { pageFunctions } from "./page-functions.ts";
import { pagePatterns } from "./page-patterns.ts";
import { printPdf } from "./print-pdf.ts";
import { unlimitedMemory, type OutputMemory } from "./render-weight.ts";

export type WarmPage = {
  /**
   * Renders a document. Only one call may run at a time. Rejects if the browser or the page's process fails; the page is then
   * unusable. `renderMargins` is null if neither the header nor the footer reads `page`. The caller releases `memory` after
   * storing the file.
   */
  render(job: PoolJob, renderMargins?: PoolMargins | null, memory?: OutputMemory): Promise<PageOutcome>;
  /** The number of characters in the files of the loaded styles, which stay in the page for the next document. */
  styleChars(): number;
  close(): Promise<void>;
};

/** For pages whose documents already contain all their fonts. */
const noFonts: FontFiles = { load: async function* () {}, patterns: async () => null };

/**
 * Opens a page. `root` is the DevTools session with the browser itself. Opening takes four round trips, so pages are
 * opened before they are needed.
 */
export async function openWarmPage(root: CDPSession, files: FontFiles = noFonts): Promise<WarmPage> {
  const { page, window, browserContextId } = await openTarget(root);
  const crashes = watchCrashes(page);
  const [{ frameTree }, script, blockedUrls] = await Promise.all([
    page.send("Page.getFrameTree"),
    page.send("Runtime.evaluate", { expression: pageScript }),
    hardenPage(page),
    setUp(root, { page, window, browserContextId }),
  ]);
  const functions = pageFunctions(page, script.result.objectId);
  const fonts = pageFonts(files, functions);
  const patterns = pagePatterns(files, functions);
  const opened = { page, window, frameId: frameTree.frame.id, viewport: firstViewport };
  const { load, styleChars } = documentLoader({ ...opened, functions, fonts, patterns });
  const render = async (
    job: PoolJob,
    renderMargins: PoolMargins | null,
    memory: OutputMemory,
  ): Promise<PageOutcome> => {
    blockedUrls.clear();
    const encryption = job.encryption ? startEncryption(job.encryption) : null;
    const deriving = encryption && deriveKeys(encryption);
    const { preparation, early, attached } = await load(job, memory);
    if (preparation.status !== "prepared") return preparation;
    if (attached) await memory.reserve(job.textBytes);
    const { prepared } = preparation;
    const outcome =
      job.format === "pdf"
        ? await printPdf({ page, functions, fonts, job, prepared, early, encryption, attached, renderMargins, memory })
        : await imageFile(page, { job: { ...job, format: job.format }, prepared, memory, prepare: load });
    const warning = blockedRequestsWarning(blockedUrls);
    if (outcome.status === "rendered" && warning) outcome.warnings.push(warning);
    await deriving;
    return outcome;
  };
  return {
    render: (job, renderMargins = null, memory = unlimitedMemory) =>
      crashes.guard(() => render(job, renderMargins, memory).then(withShortMessages, crashedWithoutContent)),
    styleChars,
    async close() {
      await root.send("Target.disposeBrowserContext", { browserContextId });
    },
  };
}

/** Derives the keys between the browser's responses. The assembly takes the steps that are left. */
async function deriveKeys({ derive }: FileEncryption): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, 0));
  while (derive() === null);
}

/** Warnings are stored with the document. They quote its content, such as names of elements, which can be a megabyte long. */
const maxMessageChars = 1_000;

function withShortMessages(outcome: PageOutcome): PageOutcome {
  const short = (text: string) => shortened(text, maxMessageChars);
  if (outcome.status === "rendered") return { ...outcome, warnings: outcome.warnings.map(short) };
  return outcome.status === "impossible" ? { ...outcome, message: short(outcome.message) } : outcome;
}

/** Most documents use this paper size and these margins, so the first document rarely has to change the viewport. */
const firstViewport = deviceMetrics({
  format: "pdf",
  page: paperGeometry("A4", "portrait"),
  margin: { top: 48, right: 48, bottom: 48, left: 48 },
  deviceScaleFactor: 1,
});

/** Sends the commands whose responses contain nothing useful. */
async function setUp(root: CDPSession, { page, window, browserContextId }: OpenedTarget): Promise<void> {
  await Promise.all([
    page.send("Emulation.setDeviceMetricsOverride", firstViewport),
    page.send("Inspector.enable"),
    page.send("Emulation.setEmulatedMedia", { media: "print" }),
    // The mouse starts at the top left corner. Shortly after a document is loaded, the browser would apply `:hover` styles to the
    // element there.
    page.send("Input.dispatchMouseEvent", { type: "mouseMoved", x: -10, y: -10 }),
    window.setHidden(true),
    root.send("Browser.setDownloadBehavior", { behavior: "deny", browserContextId }),
  ]);
}

/** Returns the outcome if a font or the Worker's content did not arrive. The page can still be used. */
function crashedWithoutContent(cause: unknown): PageOutcome {
  if (cause instanceof ContentError || cause instanceof FontError)
    return { status: "crashed", reason: loggableReason(cause) };
  throw cause;
}

/**
 * Returns `guard`, which rejects a render when the page's process ends. Without it, the render would wait forever, because a
 * command to a page without a process gets no response.
 */
function watchCrashes(page: CDPSession) {
  let failRender: ((cause: Error) => void) | null = null;
  let crash: Error | null = null;
  page.once("Inspector.targetCrashed", () => {
    crash = new CodedError("page.process_ended");
    failRender?.(crash);
  });
  return {
    // Each render gets its own promise. If every render were raced against a single promise, it would keep the results of all
    // renders in memory.
    guard: (render: () => Promise<PageOutcome>) =>
      new Promise<PageOutcome>((resolve, reject) => {
        if (crash) return reject(crash);
        failRender = reject;
        render().then(resolve, reject);
      }).finally(() => (failRender = null)),
  };
}
