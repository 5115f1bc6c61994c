// One hardened page in a browser context of its own. It renders for one account only, again and again: no launch, no
// navigation, no new page on the caller's path. No script of a template runs, and nothing is fetched (design: four layers,
// each with a hole that the others close).
import type { CDPSession } from "@cloudflare/puppeteer";
import { describeDocument, findMissingGlyphs, fitImages, preparePage, replaceContent } from "#in-page";
import { commonHeadElements } from "../core/document-html.ts";
import { maxImagePixels } from "../core/image-guard.ts";
import { paperGeometry } from "../core/page-geometry.ts";
import { withMetadata } from "../core/pdf-metadata.ts";
import { pdfPageCount } from "../core/pdf-pages.ts";
import { pngSizeProblem } from "../core/png-size.ts";
import type { PreparedPage, PrepareInput, RenderLimits } from "../core/prepared-page.ts";
import type { RenderJob } from "../ports.ts";

export const maxPages = 500;
export const maxFileBytes = 25_000_000;
/**
 * Elements of a document that is still tagged: more than 300 pages of prose, or an invoice of 1,000 rows. The cost of
 * tags grows faster than a table (CPU for 750, 1,500, 3,000 rows of five elements: 0.07, 0.26, 0.9 s; quadratic, up to
 * 4.7 s, with `role=presentation`), and each weighs some 280 bytes in the file.
 */
const maxTaggedElements = 10_000;
/** From so much markup on the PDF comes as a stream: one message would hold it several times over. */
const streamFromMarkupChars = 300_000;
/** The same with inlined files, which a document may show again and again. */
const streamFromHtmlChars = 2_000_000;
const streamChunkBytes = 1_000_000;

const paintsPixels = /filter|turbulence|shadow|mask|blend|gradient|perspective|rotate/i;
/** An opaque pixel of a PNG takes three bytes at most, and a little. */
const maxUnweighedPixels = maxFileBytes / 3.05;

export type RenderedFile = { bytes: Uint8Array<ArrayBuffer>; pageCount: number; warnings: string[] };
export type PageOutcome = ({ status: "rendered" } & RenderedFile) | { status: "impossible"; message: string };

export type WarmPage = {
  /** Rejects when the browser or the page's process fails; the page is of no use then. */
  render(job: RenderJob): Promise<PageOutcome>;
  close(): Promise<void>;
};

/** `root` is a session with the browser itself. Takes four round trips, so pages are made ahead of need. */
export async function openWarmPage(root: CDPSession): Promise<WarmPage> {
  const { browserContextId } = await root.send("Target.createBrowserContext", { disposeOnDetach: true });
  const { targetId } = await root.send("Target.createTarget", { url: "about:blank", browserContextId });
  const { sessionId } = await root.send("Target.attachToTarget", { targetId, flatten: true });
  const page = root.connection()?.session(sessionId);
  if (!page) throw new Error("the browser closed a page while it was opened");
  const blocked = { requests: 0 };
  // A render under way would never hear of it. (A promise raced in every render would keep what each of them came to.)
  let failRender: ((cause: Error) => void) | null = null;
  let crash: Error | null = null;
  page.once("Inspector.targetCrashed", () => {
    crash = new Error("the page's process ended");
    failRender?.(crash);
  });
  // The policy inside the document stops nearly all; it is reported here. What it cannot stop is intercepted below.
  page.on("Audits.issueAdded", ({ issue }) => {
    const directive = issue.details.contentSecurityPolicyIssueDetails?.violatedDirective;
    // A refused `base` asks nothing of anybody.
    if (directive !== undefined && directive !== "base-uri") blocked.requests++;
  });
  page.on("Fetch.requestPaused", ({ requestId, resourceType }) => {
    blocked.requests++;
    // A navigation answered with 204 leaves the document as it is; a failed one would replace it with an error page.
    const refusal =
      resourceType === "Document"
        ? page.send("Fetch.fulfillRequest", { requestId, responseCode: 204 })
        : page.send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
    refusal.catch(() => {}); // The page is gone; so is the request.
  });
  // The most usual paper: the first document mostly finds it as it needs it.
  let viewport = deviceMetrics({ format: "pdf", page: paperGeometry("A4", "portrait"), deviceScaleFactor: 1 });
  const [{ frameTree }, prepare] = await Promise.all([
    page.send("Page.getFrameTree"),
    page.send("Runtime.evaluate", { expression: `(${pageScript})` }),
    page.send("Emulation.setDeviceMetricsOverride", viewport),
    page.send("Audits.enable"),
    page.send("Inspector.enable"),
    page.send("Emulation.setScriptExecutionDisabled", { value: true }),
    page.send("Emulation.setEmulatedMedia", { media: "print" }),
    page.send("Network.emulateNetworkConditions", {
      offline: true,
      latency: 0,
      downloadThroughput: 0,
      uploadThroughput: 0,
    }),
    page.send("Fetch.enable", { patterns: [{ urlPattern: "*" }] }),
    root.send("Browser.setDownloadBehavior", { behavior: "deny", browserContextId }),
  ]);
  /** The head of the document that is loaded, and what else its styles were made to fit; empty when that is unknown. */
  let loaded = "";
  const renderDocument = async (job: RenderJob): Promise<PageOutcome> => {
    blocked.requests = 0;
    const head = `${job.deviceScaleFactor} ${job.html.slice(0, job.headChars)}`;
    const isLoaded = loaded === head && job.headChars > 0;
    loaded = "";
    const wanted = deviceMetrics(job);
    const isSameViewport = JSON.stringify(viewport) === JSON.stringify(wanted);
    // Commands of one session run in order: sent together they cost one round trip.
    const [, , { result, exceptionDetails }] = await Promise.all([
      isSameViewport ? null : page.send("Emulation.setDeviceMetricsOverride", wanted),
      isLoaded ? null : page.send("Page.setDocumentContent", { frameId: frameTree.frame.id, html: emptyDocument(job) }),
      page.send("Runtime.callFunctionOn", {
        ...{ objectId: prepare.result.objectId, functionDeclaration: "function (input) { return this(input); }" },
        ...{ arguments: [{ value: prepareInput(job) }], awaitPromise: true, returnByValue: true },
      }),
    ]);
    viewport = wanted;
    // Only the document's own markup can do that, by elements named like members of forms: the browser is well.
    if (exceptionDetails) return unprepared(exceptionDetails.exception?.description ?? exceptionDetails.text);
    const prepared = result.value as PreparedPage;
    loaded = head;
    const outcome = job.format === "pdf" ? await printPdf(page, job, prepared) : await capturePng(page, job, prepared);
    if (outcome.status === "rendered" && blocked.requests > 0) {
      outcome.warnings.push(
        `Requests to other places, which were blocked because a render has no network: ${blocked.requests}.`,
      );
    }
    return outcome;
  };
  return {
    render: (job) =>
      new Promise<PageOutcome>((resolve, reject) => {
        if (crash) return reject(crash);
        failRender = reject;
        renderDocument(job).then(resolve, reject);
      }).finally(() => (failRender = null)),
    async close() {
      await root.send("Target.disposeBrowserContext", { browserContextId });
    },
  };
}

/** On paper, text is free of pixels: at a density below 2 the glyphs of header and footer would keep to them. */
const paperDensity = 2;

/** Paper is laid out and printed, and never painted on a screen: one pixel of it is. */
const unseen = { x: 0, y: 0, width: 1, height: 1, scale: 1 };

function deviceMetrics({ format, page, deviceScaleFactor }: Pick<RenderJob, "format" | "page" | "deviceScaleFactor">) {
  const { width, height } = page;
  return format === "pdf"
    ? { width, height, deviceScaleFactor: paperDensity, mobile: false, viewport: unseen }
    : { width, height, deviceScaleFactor, mobile: false };
}

/** The head alone: the content follows with the page script. */
function emptyDocument({ html, headChars }: RenderJob): string {
  return `${html.slice(0, headChars)}</head><body></body></html>`;
}

/** The page script as text. Bundlers wrap functions in a helper that does not exist in the page: it is given one. */
const pageScript = `function (input) {
  const __name = (f) => f;
  const parts = { describeDocument: ${describeDocument}, findMissingGlyphs: ${findMissingGlyphs}, fitImages: ${fitImages}, replaceContent: ${replaceContent} };
  return (${preparePage})(input, parts);
}`;

function prepareInput({ html, headChars, format, page, margin, deviceScaleFactor }: RenderJob): PrepareInput {
  const isPdf = format === "pdf";
  // A PNG has no tags, and shows images at the density of its own pixels.
  const limits: RenderLimits = {
    maxImagePixels,
    maxImageWidthPx: isPdf ? page.width * deviceScaleFactor : null,
    maxTaggedElements: isPdf ? maxTaggedElements : null,
  };
  return { format, pageWidth: page.width, margin, limits, content: html.slice(headChars), commonHeadElements };
}

async function printPdf(page: CDPSession, job: RenderJob, { facts, warnings }: PreparedPage): Promise<PageOutcome> {
  const transferMode = mayBeLarge(job) ? "ReturnAsStream" : "ReturnAsBase64";
  const printed = await page.send("Page.printToPDF", {
    printBackground: true,
    preferCSSPageSize: true,
    generateTaggedPDF: facts.isTagged,
    generateDocumentOutline: facts.isTagged,
    // One page more than allowed: enough to tell, without printing a bomb to its end.
    pageRanges: `1-${maxPages + 1}`,
    transferMode,
  });
  const bytes = printed.stream ? await readStream(page, printed.stream) : decodeBase64(printed.data);
  if (bytes.length > maxFileBytes) return tooLarge();
  const pageCount = pdfPageCount(bytes);
  if (pageCount > maxPages) {
    return { status: "impossible", message: `The document has more than ${maxPages} pages; split it.` };
  }
  return { status: "rendered", bytes: withMetadata(bytes, { ...job.metadata, ...facts }), pageCount, warnings };
}

async function capturePng(
  page: CDPSession,
  job: RenderJob,
  { boxHeights, warnings }: PreparedPage,
): Promise<PageOutcome> {
  const { width } = job.page;
  const height = Math.round(boxHeights.reduce((sum, box) => sum + box, 0));
  const problem = pngSizeProblem(width, height, job.deviceScaleFactor);
  if (problem) return { status: "impossible", message: problem };
  const capture = async (y: number, stripHeight: number) => {
    const { data } = await page.send("Page.captureScreenshot", {
      format: "png",
      captureBeyondViewport: height > job.page.height,
      clip: { x: 0, y, width, height: stripHeight, scale: 1 },
      optimizeForSpeed: false,
    });
    return decodeBase64(data);
  };
  // An image comes as one message, and a message that is too large breaks the connection: its parts are weighed before.
  const stripHeight = Math.max(1, Math.floor(maxUnweighedPixels / job.deviceScaleFactor ** 2 / width));
  let weight = 0;
  for (let y = 0; stripHeight < height && mayBeHeavy(job) && y < height; y += stripHeight) {
    weight += (await capture(y, Math.min(stripHeight, height - y))).length;
    if (weight > maxFileBytes) return tooLarge();
  }
  const bytes = await capture(0, height);
  return bytes.length > maxFileBytes
    ? tooLarge()
    : { status: "rendered", bytes, pageCount: boxHeights.length, warnings };
}

/** What filters and the like paint goes into a PDF as pixels; one message of 47 MB was seen to silence the connection. */
function mayBeLarge({ html, markupChars }: RenderJob): boolean {
  return markupChars > streamFromMarkupChars || html.length > streamFromHtmlChars || paintsPixels.test(html);
}

/** Text and shapes compress well however many pixels they have; pictures and effects may not. */
function mayBeHeavy({ html }: RenderJob): boolean {
  return /data:image|<svg/i.test(html) || paintsPixels.test(html);
}

async function readStream(page: CDPSession, handle: string): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let eof = false; !eof && size <= maxFileBytes;) {
    // Two at a time: the end shows only in the read behind the last bytes, and must not cost a round trip of its own.
    const read = () => page.send("IO.read", { handle, size: streamChunkBytes });
    for (const chunk of await Promise.all([read(), read()])) {
      const bytes = chunk.base64Encoded ? decodeBase64(chunk.data) : new TextEncoder().encode(chunk.data);
      chunks.push(bytes);
      size += bytes.length;
      eof = chunk.eof;
    }
  }
  page.send("IO.close", { handle }).catch(() => {}); // Nobody waits for it, and a page that is gone has closed it.
  return Buffer.concat(chunks);
}

function decodeBase64(data: string): Uint8Array<ArrayBuffer> {
  return Buffer.from(data, "base64");
}

function unprepared(description: string): PageOutcome {
  const [reason = ""] = description.split("\n");
  return {
    status: "impossible",
    message: `The page could not be prepared for printing (${reason}); an element named like a member of a form or of the document may be why.`,
  };
}

function tooLarge(): PageOutcome {
  return {
    status: "impossible",
    message: `The file would be larger than ${maxFileBytes / 1e6} MB; use smaller images or split it.`,
  };
}
