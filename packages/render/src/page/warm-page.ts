// A hardened page in its own browser context. It renders one document after another for one account, so a render does
// not have to launch a browser, open a page or navigate. No script of a template runs in the page, and the page fetches
// nothing.
import type { CDPSession } from "@cloudflare/puppeteer";
import { maxImagePixels } from "colophon-images/image-guard";
import { CodedError, loggableReason } from "colophon-base/loggable-error";
import { blockedRequestsWarning, hardenPage } from "./harden-page.ts";
import { commonHeadElements } from "colophon-template-model/document-html";
import { maxAutoHeightPx, paperGeometry } from "colophon-page/page-geometry";
import type { PrepareInput, RenderLimits } from "colophon-page/prepared-page";
import { ContentError, openContent, type OpenedContent, type JobText, type PoolJob } from "../content/job-content.ts";
import type { PoolMargins } from "../content/margin-content.ts";
import { unlimitedMemory, type OutputMemory } from "./render-weight.ts";
import type { FontFiles } from "../fonts/font-library.ts";
import { FontError, pageFonts, type PageFonts } from "./page-fonts.ts";
import { deviceMetrics, type DeviceMetrics } from "./device-metrics.ts";
import { pageFunctions, type PageFunctions } from "./page-functions.ts";
import { earlyPrinter, type LoadedDocument } from "./early-print.ts";
import { imageFile } from "./image-file.ts";
import { openTarget, type PageWindow } from "./open-target.ts";
import type { PageOutcome } from "../file-metadata.ts";
import { printPdf } from "./print-pdf.ts";
import { pageScript } from "colophon-page/bundle";

/**
 * The maximum number of elements in a tagged document. It is enough for 300 pages of prose or an invoice of 1,000 rows.
 * The CPU time for tags grows faster than the document: it was 0.07 s for a table of 750 rows, and 0.9 s for a table of
 * 3,000 rows. Each tag also adds about 280 bytes to the file.
 */
const maxTaggedElements = 10_000;

export type WarmPage = {
  /**
   * Renders a document. Only one call may run at a time. Rejects when the browser or the page's process fails;
   * the page cannot be used after that. `renderMargins` is null when neither the header nor the footer reads `page`. The
   * caller releases `memory` when it has stored the file.
   */
  render(job: PoolJob, renderMargins?: PoolMargins | null, memory?: OutputMemory): Promise<PageOutcome>;
  /** The number of characters in the files of the loaded styles, which stay in the page for the next document. */
  styleChars(): number;
  close(): Promise<void>;
};

/** For pages whose documents have all fonts that they need. */
const noFonts: FontFiles = { load: async function* () {} };

/**
 * Opens a page. `root` is the DevTools session with the browser itself. Opening takes four round trips, so pages are
 * opened before they are needed.
 */
export async function openWarmPage(root: CDPSession, files: FontFiles = noFonts): Promise<WarmPage> {
  const { page, window, browserContextId } = await openTarget(root);
  const crashes = watchCrashes(page);
  // Most documents use this paper size and these margins, so the viewport rarely has to change for the first document.
  const viewport = deviceMetrics({
    format: "pdf",
    page: paperGeometry("A4", "portrait"),
    margin: { top: 48, right: 48, bottom: 48, left: 48 },
    deviceScaleFactor: 1,
  });
  const [{ frameTree }, script, blockedUrls] = await Promise.all([
    page.send("Page.getFrameTree"),
    page.send("Runtime.evaluate", { expression: pageScript }),
    hardenPage(page),
    page.send("Emulation.setDeviceMetricsOverride", viewport),
    page.send("Inspector.enable"),
    page.send("Emulation.setEmulatedMedia", { media: "print" }),
    moveMouseAway(page),
    window.setHidden(true),
    root.send("Browser.setDownloadBehavior", { behavior: "deny", browserContextId }),
  ]);
  const functions = pageFunctions(page, script.result.objectId);
  const fonts = pageFonts(files, functions);
  const { prepare, styleChars } = documentPreparer(page, {
    frameId: frameTree.frame.id,
    functions,
    fonts,
    viewport,
    window,
  });
  const render = async (
    job: PoolJob,
    renderMargins: PoolMargins | null,
    memory: OutputMemory,
  ): Promise<PageOutcome> => {
    blockedUrls.clear();
    const { preparation, early } = await prepare(job, memory);
    if (preparation.status !== "prepared") return preparation;
    const { prepared } = preparation;
    const outcome =
      job.format === "pdf"
        ? await printPdf({ page, functions, fonts, job, prepared, early, renderMargins, memory })
        : await imageFile(page, { job: { ...job, format: job.format }, prepared, memory, prepare });
    const warning = blockedRequestsWarning(blockedUrls);
    if (outcome.status === "rendered" && warning) outcome.warnings.push(warning);
    return outcome;
  };
  return {
    render: (job, renderMargins = null, memory = unlimitedMemory) =>
      crashes.guard(() => render(job, renderMargins, memory).catch(crashedWithoutContent)),
    styleChars,
    async close() {
      await root.send("Target.disposeBrowserContext", { browserContextId });
    },
  };
}

/** Returns the outcome if a font, or what the Worker sends, did not arrive. The page can still be used. */
function crashedWithoutContent(cause: unknown): PageOutcome {
  if (cause instanceof ContentError || cause instanceof FontError)
    return { status: "crashed", reason: loggableReason(cause) };
  throw cause;
}

/**
 * Moves the mouse out of the page. It begins at the top left corner, and a fraction of a second after a document is
 * loaded, the browser paints what lies there with its `:hover` styles.
 */
function moveMouseAway(page: CDPSession): Promise<unknown> {
  return page.send("Input.dispatchMouseEvent", { type: "mouseMoved", x: -10, y: -10 });
}

/**
 * Returns `guard`, which rejects a render when the page's process ends. The crash event must reject the render, because
 * a command to a page without a process never gets a response.
 */
function watchCrashes(page: CDPSession) {
  let failRender: ((cause: Error) => void) | null = null;
  let crash: Error | null = null;
  page.once("Inspector.targetCrashed", () => {
    crash = new CodedError("page.process_ended");
    failRender?.(crash);
  });
  return {
    // Each render gets its own promise. If a single promise for crashes were raced against every render, it would keep
    // the results of all renders in memory.
    guard: (render: () => Promise<PageOutcome>) =>
      new Promise<PageOutcome>((resolve, reject) => {
        if (crash) return reject(crash);
        failRender = reject;
        render().then(resolve, reject);
      }).finally(() => (failRender = null)),
  };
}

type Opened = {
  frameId: string;
  functions: PageFunctions;
  fonts: PageFonts;
  viewport: DeviceMetrics;
  window: PageWindow;
};

/** Returns a function that loads a document into the page in one round trip, and one that tells how large its styles are. */
function documentPreparer(page: CDPSession, { frameId, functions, fonts, viewport: initial, window }: Opened) {
  let viewport = initial;
  /**
   * The device scale factor, the template's hash and the head of the loaded document, for comparison with the next
   * document. Empty when the content of the page is unknown.
   */
  let loaded = "";
  let styleChars = 0;
  const prepareAndPrint = earlyPrinter(page);
  const load = async (
    job: PoolJob,
    { text, filesOf }: OpenedContent<JobText>,
    memory: OutputMemory,
  ): Promise<LoadedDocument> => {
    const head = `${job.deviceScaleFactor} ${job.templateHash} ${text.head}`;
    const isLoaded = loaded === head && text.head !== "";
    loaded = "";
    // Without a head, the next document does not use these styles.
    styleChars = text.head === "" ? 0 : text.styleFiles.reduce((sum, { chars }) => sum + chars, 0);
    const wanted = deviceMetrics(job);
    const isSameViewport = JSON.stringify(viewport) === JSON.stringify(wanted);
    const sentFiles = isLoaded ? text.files : [...text.files, ...text.styleFiles];
    // The page script inserts the content into the body.
    const emptyDocument = `${text.head}</head><body></body></html>`;
    // Most documents have the same faces as the previous one. This waits for nothing then.
    const { arrived: fontsArrived, areNew } = await fonts.use(job.fonts);
    const known = !isLoaded ? "nothing" : areNew || sentFiles.length > 0 ? "styles" : "styles and fonts";
    const { arrived: filesArrived } = await functions.sendFiles(filesOf(sentFiles));
    const preparePage = async (preparedTitle: string) => {
      const preparation = await functions.preparePage(prepareInput(job, text, { hasStyles: isLoaded, preparedTitle }));
      memory.documentSent();
      return preparation;
    };
    // The browser runs the commands of one session in order, so they are sent together and take one round trip.
    const [, , , , , loadedDocument] = await Promise.all([
      fontsArrived,
      filesArrived,
      // A new viewport comes with a new head. The previous document, which may be for a PDF, must not be painted in the size of an
      // image.
      isLoaded ? null : page.send("Page.setDocumentContent", { frameId, html: emptyDocument }),
      window.setHidden(job.format === "pdf"),
      isSameViewport ? null : page.send("Emulation.setDeviceMetricsOverride", wanted),
      prepareAndPrint(job, { known, memory }, preparePage),
    ]);
    viewport = wanted;
    if (loadedDocument.preparation.status === "prepared") loaded = head;
    return loadedDocument;
  };
  const prepare = async (job: PoolJob, memory: OutputMemory): Promise<LoadedDocument> => {
    let content: OpenedContent<JobText> | null = null;
    try {
      content = await openContent<JobText>(job, Date.now() + job.timeoutMs - responseMs);
      return await load(job, content, memory);
    } finally {
      content?.close();
    }
  };
  return { prepare, styleChars: () => styleChars };
}

/** A document that has not arrived this long before the deadline is given up, because then the page can still be used. */
const responseMs = 250;

function prepareInput(
  job: PoolJob,
  text: JobText,
  { hasStyles, preparedTitle }: { hasStyles: boolean; preparedTitle: string },
): PrepareInput {
  const { format, page, margin, deviceScaleFactor, valueNames } = job;
  const isPdf = format === "pdf";
  // An image has no tags. It does not contain the original images either, so shrinking them would not make the file
  // smaller.
  const limits: RenderLimits = {
    maxImagePixels,
    imageDensity: isPdf ? deviceScaleFactor : null,
    maxTaggedElements: isPdf ? maxTaggedElements : null,
  };
  return {
    format,
    pageWidth: page.width,
    pageHeight: page.height === "auto" ? maxAutoHeightPx : page.height,
    autoHeight: page.height === "auto" ? page.cssWidth : null,
    margin,
    limits,
    css: hasStyles ? null : text.css,
    content: text.content,
    commonHeadElements,
    marginContents: text.marginContents,
    valueNames,
    files: text.files,
    styleFiles: hasStyles ? [] : text.styleFiles,
    preparedTitle,
  };
}
