// Prints a prepared page as a PDF, or captures it as a PNG, within the limits on pages and bytes.
import type { CDPSession } from "@cloudflare/puppeteer";
import { deflateSync } from "node:zlib";
import { assemblePdf } from "../../core/pdf/assemble-pdf.ts";
import type { ContentArea } from "../../core/pdf/file/destinations.ts";
import { openPdf, type PdfFile } from "../../core/pdf/file/open-pdf.ts";
import { pageBoxes } from "../../core/pdf/file/page-tree.ts";
import { removedLinksWarning } from "../../core/rendering/removed-links.ts";
import { pngSizeProblem } from "../../core/rendering/png-size.ts";
import type { PreparedPage } from "../../core/rendering/prepared-page.ts";
import type { RenderJob } from "../../core/rendering/render-job.ts";
import { isSmallPdf, maxPagesInMessage, paintsPixels } from "./pdf-size.ts";

const maxPages = 500;
const maxFileBytes = 25_000_000;
const streamChunkBytes = 1_000_000;
/**
 * The maximum number of pixels of a PNG that is captured without being measured first. An opaque pixel takes at most 3
 * bytes in a PNG, or 3.05 with the overhead of the format, so such a file cannot exceed `maxFileBytes`.
 */
const maxUnmeasuredPixels = maxFileBytes / 3.05;

export type RenderedFile = { bytes: Uint8Array<ArrayBuffer>; pageCount: number; warnings: string[] };
/** The outcomes without a file are those of a render whose page is still usable. */
export type PageOutcome =
  | ({ status: "rendered" } & RenderedFile)
  | { status: "impossible"; message: string }
  /** The headers and footers that read `page` were not available; see `PageMargins`. */
  | { status: "timed_out" }
  | { status: "crashed"; reason: string };

export async function printPdf(page: CDPSession, job: RenderJob, prepared: PreparedPage): Promise<PageOutcome> {
  const printed = await print(page, job, prepared);
  if (printed === null) return tooLarge();
  const { body, pageCount } = printed;
  if (pageCount > maxPages) {
    return {
      status: "impossible",
      message: `The document has more than ${maxPages} pages. Split it into several documents.`,
    };
  }
  const { metadata, warnings } = prepared;
  const { bytes, removedLinks } = assemblePdf({
    body,
    sheets: null,
    metadata: { ...job.metadata, ...metadata },
    headings: metadata.outline,
    area: contentArea(job),
    deflate: deflateSync,
  });
  if (bytes.length > maxFileBytes) return tooLarge();
  return { status: "rendered", bytes, pageCount, warnings: [...warnings, ...removedLinksWarning(removedLinks)] };
}

/** The browser lays pages out in whole CSS pixels. A point is 3/4 of a CSS pixel. */
function contentArea({ page, margin }: RenderJob): ContentArea {
  return { contentHeightPt: (page.height - margin.top - margin.bottom) * 0.75 };
}

type Printed = { body: PdfFile; pageCount: number };

/**
 * Prints at most one page more than allowed, which is enough to detect a document that is too long. A small document
 * arrives in one message; anything else is read as a stream, which takes one more round trip. Returns null for a file
 * that is too large.
 */
async function print(
  page: CDPSession,
  job: RenderJob,
  { metadata, print: estimate }: PreparedPage,
): Promise<Printed | null> {
  const command = {
    printBackground: true,
    preferCSSPageSize: true,
    generateTaggedPDF: metadata.isTagged,
    generateDocumentOutline: false,
  };
  if (estimate && isSmallPdf(job, estimate)) {
    const pageRanges = `1-${maxPagesInMessage}`;
    const { data } = await page.send("Page.printToPDF", { ...command, pageRanges, transferMode: "ReturnAsBase64" });
    const printed = opened(decodeBase64(data));
    // Page breaks can make a document much longer than its layout. Then it is printed again, with all of its pages.
    if (printed === null || printed.pageCount < maxPagesInMessage) return printed;
  }
  const pageRanges = `1-${maxPages + 1}`;
  const { stream } = await page.send("Page.printToPDF", { ...command, pageRanges, transferMode: "ReturnAsStream" });
  if (!stream) throw new Error("the browser returned no stream");
  return opened(await readStream(page, stream));
}

function opened(bytes: Uint8Array): Printed | null {
  if (bytes.length > maxFileBytes) return null;
  const body = openPdf(bytes);
  return { body, pageCount: pageBoxes(body).length };
}

export async function capturePng(
  page: CDPSession,
  job: RenderJob,
  { boxHeights, warnings }: PreparedPage,
): Promise<PageOutcome> {
  const { width } = job.page;
  const height = Math.round(boxHeights.reduce((sum, box) => sum + box, 0));
  const problem = pngSizeProblem(width, height, job.deviceScaleFactor);
  if (problem) return { status: "impossible", message: problem };
  const capture = async (y: number, rows: number) => {
    const { data } = await page.send("Page.captureScreenshot", {
      format: "png",
      captureBeyondViewport: height > job.page.height,
      clip: { x: 0, y, width, height: rows, scale: 1 },
      optimizeForSpeed: false,
    });
    return data;
  };
  const unmeasuredRows = Math.max(1, Math.floor(maxUnmeasuredPixels / job.deviceScaleFactor ** 2 / width));
  if (height > unmeasuredRows && mayBeLargePng(job)) {
    // An image arrives in one message, and a message that is too large breaks the connection. Therefore the image is
    // first captured in strips, whose sizes are added up.
    let size = 0;
    for (let y = 0; y < height; y += unmeasuredRows) {
      size += Buffer.byteLength(await capture(y, Math.min(unmeasuredRows, height - y)), "base64");
      if (size > maxFileBytes) return tooLarge();
    }
  }
  const bytes = decodeBase64(await capture(0, height));
  return bytes.length > maxFileBytes
    ? tooLarge()
    : { status: "rendered", bytes, pageCount: boxHeights.length, warnings };
}

/**
 * Returns true for a document with pictures or effects, because they may not compress well. Text and shapes compress
 * well at any size.
 */
function mayBeLargePng({ html }: RenderJob): boolean {
  return /data:image|<svg/i.test(html) || paintsPixels.test(html);
}

async function readStream(page: CDPSession, handle: string): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let eof = false; !eof && size <= maxFileBytes;) {
    // Only the read after the last bytes reports the end of the stream. Two reads are sent together, so that this last
    // read does not cost an extra round trip.
    const read = () => page.send("IO.read", { handle, size: streamChunkBytes });
    for (const chunk of await Promise.all([read(), read()])) {
      const bytes = chunk.base64Encoded ? decodeBase64(chunk.data) : new TextEncoder().encode(chunk.data);
      chunks.push(bytes);
      size += bytes.length;
      eof = chunk.eof;
    }
  }
  page.send("IO.close", { handle }).catch(() => {}); // A page that is gone has already closed its streams.
  return Buffer.concat(chunks);
}

function decodeBase64(data: string): Uint8Array<ArrayBuffer> {
  return Buffer.from(data, "base64");
}

function tooLarge(): PageOutcome {
  return {
    status: "impossible",
    message: `The file would be larger than ${maxFileBytes / 1e6} MB. Use smaller images or split the document.`,
  };
}
