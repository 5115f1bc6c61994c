// Loads a document into a page in one round trip. If it has the same head as the previous document, only its content is sent.
import { maxImagePixels } from "colophon-images/image-guard";
import { maxAutoHeightPx } from "colophon-page/page-geometry";
import type { PrepareInput, RenderLimits } from "colophon-page/prepared-page";
import { isAccessible } from "colophon-pdf/conformance";
import { commonHeadElements } from "colophon-template-model/document-html";
import { openContent, type OpenedContent, type JobText, type PoolJob } from "../content/job-content.ts";
import { deviceMetrics, type DeviceMetrics } from "./device-metrics.ts";
import { earlyPrinter, type LoadedDocument } from "./early-print.ts";
import type { OpenedTarget } from "./open-target.ts";
import type { PageFonts } from "./page-fonts.ts";
import type { PageFunctions } from "./page-functions.ts";
import type { PagePatterns } from "./page-patterns.ts";
import type { OutputMemory } from "./render-weight.ts";

/**
 * The maximum number of elements in a tagged document, which is enough for 300 pages of prose or an invoice of 1,000 rows. The
 * processor time for tags grows faster than the document: it was 0.07 s for a table of 750 rows, and 0.9 s for 3,000 rows. Each
 * tag also adds about 280 bytes to the file.
 */
const maxTaggedElements = 10_000;

type LoaderInput = Pick<OpenedTarget, "page" | "window"> & {
  frameId: string;
  functions: PageFunctions;
  fonts: PageFonts;
  patterns: PagePatterns;
  /** The state of the page before its first document. */
  viewport: DeviceMetrics;
};

/**
 * What a page has kept from the previous document. `head` is its device scale factor, template hash and head, or empty if the
 * page's content is unknown. `styleChars` is the number of characters in the style files.
 */
type PageState = { head: string; styleChars: number; viewport: DeviceMetrics };

type LoadedContent = LoadedDocument & { attached: JobText["attached"] };

/** Returns a function that loads a document into the page in one round trip, and one that returns the size of its styles. */
export function documentLoader({ page, window, frameId, functions, fonts, patterns, viewport }: LoaderInput) {
  let state: PageState = { head: "", styleChars: 0, viewport };
  const prepareAndPrint = earlyPrinter(page);
  const loadContent = async (
    job: PoolJob,
    { text, filesOf }: OpenedContent<JobText>,
    memory: OutputMemory,
  ): Promise<LoadedContent> => {
    const { next, isLoaded, isSameViewport, sentFiles } = planLoad(state, job, text);
    // Until the document is prepared, the content of the page is unknown.
    state = { ...state, head: "", styleChars: next.styleChars };
    // Most documents have the same faces as the previous one, in which case this does not wait.
    const { arrived: fontsArrived, areNew } = await fonts.use(job.fonts);
    await patterns.send(job.hyphenation ?? []);
    const known = !isLoaded ? "nothing" : areNew || sentFiles.length > 0 ? "styles" : "styles and fonts";
    const { arrived: filesArrived } = await functions.sendFiles(filesOf(sentFiles));
    // The browser runs the commands of a session in order, so they are sent together in one round trip.
    const html = `${text.head}</head><body></body></html>`;
    // A new viewport always comes with a new head, so that the previous document, possibly of a PDF, is not painted in the size
    // of an image.
    const headLoaded = isLoaded ? null : page.send("Page.setDocumentContent", { frameId, html });
    const windowSet = window.setHidden(job.format === "pdf");
    const viewportSet = isSameViewport ? null : page.send("Emulation.setDeviceMetricsOverride", next.viewport);
    const isTagged = countTags(text.content) <= maxTaggedElements;
    const preparing = prepareAndPrint(job, { known, isTagged, memory }, async (preparedTitle) => {
      const preparation = await functions.preparePage(prepareInput(job, text, { hasStyles: isLoaded, preparedTitle }));
      memory.documentSent();
      return preparation;
    });
    const [loaded] = await Promise.all([preparing, fontsArrived, filesArrived, headLoaded, windowSet, viewportSet]);
    state = loaded.preparation.status === "prepared" ? next : { ...next, head: "" };
    return { ...loaded, attached: text.attached };
  };
  const load = async (job: PoolJob, memory: OutputMemory): Promise<LoadedContent> => {
    const content = await openContent<JobText>(job, Date.now() + job.timeoutMs - responseMs);
    try {
      return await loadContent(job, content, memory);
    } finally {
      content.close();
    }
  };
  return { load, styleChars: () => state.styleChars };
}

/** Returns the number of start tags, which is nearly the number of elements. */
function countTags(markup: string): number {
  return markup.match(/<[a-z]/gi)?.length ?? 0;
}

/** Compares a document with the previous one. `sentFiles` are the files that the page lacks. */
function planLoad(state: PageState, job: PoolJob, { head, files, styleFiles }: JobText) {
  const next: PageState = {
    head: `${job.deviceScaleFactor} ${job.templateHash} ${head}`,
    // Without a head, the next document does not use these styles.
    styleChars: head === "" ? 0 : styleFiles.reduce((sum, { chars }) => sum + chars, 0),
    viewport: deviceMetrics(job),
  };
  const isLoaded = state.head === next.head && head !== "";
  const isSameViewport = JSON.stringify(state.viewport) === JSON.stringify(next.viewport);
  return { next, isLoaded, isSameViewport, sentFiles: isLoaded ? files : [...files, ...styleFiles] };
}

/** A document that has not arrived this long before the deadline is abandoned, so that the page can still be used. */
const responseMs = 250;

function prepareInput(
  job: PoolJob,
  text: JobText,
  { hasStyles, preparedTitle }: { hasStyles: boolean; preparedTitle: string },
): PrepareInput {
  const { format, page, margin, deviceScaleFactor, hyphenation, valueNames } = job;
  const isPdf = format === "pdf";
  // An image has no tags, and does not contain the original images, so shrinking them would not make the file smaller.
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
    hyphenation,
    valueNames,
    files: text.files,
    styleFiles: hasStyles ? [] : text.styleFiles,
    preparedTitle,
    ...(isPdf && isAccessible(job.conformance ?? []) && { isAccessible: true }),
  };
}
