// Prints a prepared page as a PDF, or captures it as a PNG, within the limits on pages and bytes.
import type { CDPSession } from "@cloudflare/puppeteer";
import { withMetadata } from "../../core/pdf/pdf-metadata.ts";
import { pdfPageCount } from "../../core/pdf/pdf-pages.ts";
import { pngSizeProblem } from "../../core/rendering/png-size.ts";
import type { PreparedPage } from "../../core/rendering/prepared-page.ts";
import type { RenderJob } from "../../core/rendering/render-job.ts";

const maxPages = 500;
const maxFileBytes = 25_000_000;
/** With more markup than this, the PDF is read as a stream: in a single message, it would be in memory several times. */
const streamFromMarkupChars = 300_000;
/** The same limit for markup with inlined files, each of which a document may show many times. */
const streamFromHtmlChars = 2_000_000;
const streamChunkBytes = 1_000_000;
const paintsPixels = /filter|turbulence|shadow|mask|blend|gradient|perspective|rotate/i;
/**
 * An opaque pixel takes at most three bytes and a little overhead in a PNG, so the size of an image with no more pixels
 * than this is not measured first.
 */
const maxUnmeasuredPixels = maxFileBytes / 3.05;

export type RenderedFile = { bytes: Uint8Array<ArrayBuffer>; pageCount: number; warnings: string[] };
export type PageOutcome = ({ status: "rendered" } & RenderedFile) | { status: "impossible"; message: string };

export async function printPdf(
  page: CDPSession,
  job: RenderJob,
  { metadata, warnings }: PreparedPage,
): Promise<PageOutcome> {
  const transferMode = mayBeLargePdf(job) ? "ReturnAsStream" : "ReturnAsBase64";
  const printed = await page.send("Page.printToPDF", {
    printBackground: true,
    preferCSSPageSize: true,
    generateTaggedPDF: metadata.isTagged,
    generateDocumentOutline: metadata.isTagged,
    // One page more than allowed is enough to detect a document that is too long, without printing all of it.
    pageRanges: `1-${maxPages + 1}`,
    transferMode,
  });
  const bytes = printed.stream ? await readStream(page, printed.stream) : decodeBase64(printed.data);
  if (bytes.length > maxFileBytes) return tooLarge();
  const pageCount = pdfPageCount(bytes);
  if (pageCount > maxPages) {
    return {
      status: "impossible",
      message: `The document has more than ${maxPages} pages. Split it into several documents.`,
    };
  }
  return { status: "rendered", bytes: withMetadata(bytes, { ...job.metadata, ...metadata }), pageCount, warnings };
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
    // An image arrives in one message, and a message that is too large breaks the connection, so the image is first
    // measured in strips.
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
 * True for much markup, many inlined bytes or effects such as filters, which go into a PDF as pixels. After one PDF of 47
 * MB arrived in one message, the connection no longer responded.
 */
function mayBeLargePdf({ html, markupChars }: RenderJob): boolean {
  return markupChars > streamFromMarkupChars || html.length > streamFromHtmlChars || paintsPixels.test(html);
}

/** True for pictures and effects, which may not compress well. Text and shapes do, however many pixels they have. */
function mayBeLargePng({ html }: RenderJob): boolean {
  return /data:image|<svg/i.test(html) || paintsPixels.test(html);
}

async function readStream(page: CDPSession, handle: string): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let eof = false; !eof && size <= maxFileBytes;) {
    // Two reads at a time: only the read after the last bytes reports the end, and it must not cost an extra round trip.
    const read = () => page.send("IO.read", { handle, size: streamChunkBytes });
    for (const chunk of await Promise.all([read(), read()])) {
      const bytes = chunk.base64Encoded ? decodeBase64(chunk.data) : new TextEncoder().encode(chunk.data);
      chunks.push(bytes);
      size += bytes.length;
      eof = chunk.eof;
    }
  }
  page.send("IO.close", { handle }).catch(() => {}); // Nothing depends on it, and a page that is gone has closed its streams.
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
