// Loads a document into a page in one round trip. If it has the head of the one before, only its content is sent.
import { maxImagePixels } from "colophon-images/image-guard";
import { maxAutoHeightPx } from "colophon-page/page-geometry";
import type { PrepareInput, RenderLimits } from "colophon-page/prepared-page";
import { commonHeadElements } from "colophon-template-model/document-html";
import { openContent, type OpenedContent, type JobText, type PoolJob } from "../content/job-content.ts";
import { deviceMetrics, type DeviceMetrics } from "./device-metrics.ts";
import { earlyPrinter, type LoadedDocument } from "./early-print.ts";
import type { OpenedTarget } from "./open-target.ts";
import type { PageFonts } from "./page-fonts.ts";
import type { PageFunctions } from "./page-functions.ts";
import type { OutputMemory } from "./render-weight.ts";

/**
 * The maximum number of elements in a tagged document. It is enough for 300 pages of prose or an invoice of 1,000 rows.
 * The CPU time for tags grows faster than the document: it was 0.07 s for a table of 750 rows, and 0.9 s for a table of
 * 3,000 rows. Each tag also adds about 280 bytes to the file.
 */
const maxTaggedElements = 10_000;

type LoaderInput = Pick<OpenedTarget, "page" | "window"> & {
  frameId: string;
  functions: PageFunctions;
  fonts: PageFonts;
  /** What the page has before its first document. */
  viewport: DeviceMetrics;
};

/**
 * What a page has from the document before. `head` is the device scale factor, the template's hash and the head of the document,
 * and empty when the content of the page is unknown. `styleChars` is how many characters the files of the styles have.
 */
type PageState = { head: string; styleChars: number; viewport: DeviceMetrics };

/** Returns a function that loads a document into the page in one round trip, and one that tells how large its styles are. */
export function documentLoader({ page, window, frameId, functions, fonts, viewport }: LoaderInput) {
  let state: PageState = { head: "", styleChars: 0, viewport };
  const prepareAndPrint = earlyPrinter(page);
  const loadContent = async (
    job: PoolJob,
    { text, filesOf }: OpenedContent<JobText>,
    memory: OutputMemory,
  ): Promise<LoadedDocument> => {
    const { next, isLoaded, isSameViewport, sentFiles } = planLoad(state, job, text);
    // Until the document is prepared, the content of the page is unknown.
    state = { ...state, head: "", styleChars: next.styleChars };
    // Most documents have the same faces as the one before, and then this waits for nothing.
    const { arrived: fontsArrived, areNew } = await fonts.use(job.fonts);
    const known = !isLoaded ? "nothing" : areNew || sentFiles.length > 0 ? "styles" : "styles and fonts";
    const { arrived: filesArrived } = await functions.sendFiles(filesOf(sentFiles));
    // The browser runs the commands of one session in order, so they are sent together and take one round trip.
    const html = `${text.head}</head><body></body></html>`;
    // A new viewport comes with a new head. The document before, of a PDF perhaps, must not be painted in the size of an image.
    const headLoaded = isLoaded ? null : page.send("Page.setDocumentContent", { frameId, html });
    const windowSet = window.setHidden(job.format === "pdf");
    const viewportSet = isSameViewport ? null : page.send("Emulation.setDeviceMetricsOverride", next.viewport);
    const preparing = prepareAndPrint(job, { known, memory }, async (preparedTitle) => {
      const preparation = await functions.preparePage(prepareInput(job, text, { hasStyles: isLoaded, preparedTitle }));
      memory.documentSent();
      return preparation;
    });
    const [loaded] = await Promise.all([preparing, fontsArrived, filesArrived, headLoaded, windowSet, viewportSet]);
    state = loaded.preparation.status === "prepared" ? next : { ...next, head: "" };
    return loaded;
  };
  const load = async (job: PoolJob, memory: OutputMemory): Promise<LoadedDocument> => {
    const content = await openContent<JobText>(job, Date.now() + job.timeoutMs - responseMs);
    try {
      return await loadContent(job, content, memory);
    } finally {
      content.close();
    }
  };
  return { load, styleChars: () => state.styleChars };
}

/** Compares a document with the one before. `sentFiles` are the files that the page lacks. */
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
