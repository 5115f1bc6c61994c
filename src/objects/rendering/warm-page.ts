// One hardened page in a browser context of its own. It renders for one account only, again and again: no launch, no
// navigation, no new page on the caller's path. No script of a template runs, and nothing is fetched (design: four layers,
// each with a hole that the others close).
import type { CDPSession } from "@cloudflare/puppeteer";
import { commonHeadElements } from "../../core/rendering/document-html.ts";
import { maxImagePixels } from "../../core/images/image-guard.ts";
import { paperGeometry } from "../../core/rendering/page-geometry.ts";
import type { PreparedPage, PrepareInput, RenderLimits } from "../../core/rendering/prepared-page.ts";
import type { RenderJob } from "../../core/rendering/render-job.ts";
import { capturePng, printPdf, type PageOutcome } from "./page-output.ts";
import { pageScript } from "./page-script.generated.ts";

/**
 * Elements of a document that is still tagged: more than 300 pages of prose, or an invoice of 1,000 rows. The cost of
 * tags grows faster than a table (CPU for 750, 1,500, 3,000 rows of five elements: 0.07, 0.26, 0.9 s; quadratic, up to
 * 4.7 s, with `role=presentation`), and each weighs some 280 bytes in the file.
 */
const maxTaggedElements = 10_000;

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
    page.send("Runtime.evaluate", { expression: pageScript }),
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

function unprepared(description: string): PageOutcome {
  const [reason = ""] = description.split("\n");
  return {
    status: "impossible",
    message: `The page could not be prepared for printing (${reason}); an element named like a member of a form or of the document may be why.`,
  };
}
