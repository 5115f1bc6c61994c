// Prints the page as it is now. Every PDF is read as a stream, because a message of more than 32 MiB breaks the session's connection,
// and the size of a PDF is not known in advance.
import type { CDPSession } from "@cloudflare/puppeteer";
import { CodedError } from "colophon-base/loggable-error";
import { type PageGeometry, maxAutoHeightPx } from "colophon-page/page-geometry";
import type { PreparedPage, PrintedPage } from "colophon-page/prepared-page";
import type { AttachedFiles } from "colophon-pdf/attachments";
import type { FileEncryption } from "colophon-pdf/encryption";
import { openPdf, type PdfFile } from "colophon-pdf/open-pdf";
import { pageBoxes, ptPerPx } from "colophon-pdf/page-tree";
import type { PoolJob } from "../content/job-content.ts";
import type { PoolMargins } from "../content/margin-content.ts";
import { tooLarge, type PageOutcome } from "../file-metadata.ts";
import type { PageFonts } from "./page-fonts.ts";
import type { PageFunctions } from "./page-functions.ts";
import type { OutputMemory } from "./render-weight.ts";

export type PrintInput = {
  page: CDPSession;
  functions: PageFunctions;
  fonts: PageFonts;
  job: PoolJob;
  prepared: PreparedPage;
  /** The usable print that was made while the page was being prepared, if any. The first print uses it. */
  early: Printed[];
  /** Null if the file is not encrypted. */
  encryption: FileEncryption | null;
  attached: AttachedFiles | undefined;
  /** Null if neither the header nor the footer reads `page`. */
  renderMargins: PoolMargins | null;
  memory: OutputMemory;
};

export type Failure = Exclude<PageOutcome, { status: "rendered" }>;
export type Impossible = Extract<PageOutcome, { status: "impossible" }>;
/** `blankBefore` contains the names of the breaks that need a blank page. */
export type Printed = { status: "printed"; file: PdfFile; pages: PrintedPage[]; blankBefore: string[] };

/** Fails if the PDF is larger than `maxBytes`. */
export function opened(bytes: Uint8Array, maxBytes: number): Printed | Failure {
  return bytes.length > maxBytes ? tooLarge() : printedFile(openPdf(bytes));
}

export function printedFile(file: PdfFile): Printed {
  const pages = pageBoxes(file).map(({ widthPt, heightPt }) => {
    return { width: widthPt / ptPerPx, height: heightPt / ptPerPx };
  });
  return { status: "printed", file, pages, blankBefore: [] };
}

export function impossible(message: string): Impossible {
  return { status: "impossible", message };
}

/**
 * The maximum difference between a side of a page and the length in its styles. Chromium rounds the sides of pages to whole
 * points and to 1/300 inch, and the job's sides are rounded to whole pixels.
 */
const maxRoundingPx = 1.5;

/**
 * Returns the size of a page in whole CSS pixels. `real` may have fractions. If a side differs only by rounding from a side of
 * the intended page, which may have been rotated, it gets that length.
 */
export function recordedSize(
  real: { width: number; height: number },
  wanted: Pick<PageGeometry, "width" | "height">,
): { width: number; height: number } {
  const sides = wanted.height === "auto" ? [wanted.width] : [wanted.width, wanted.height];
  const recorded = (length: number) =>
    sides.find((side) => Math.abs(length - side) <= maxRoundingPx) ?? Math.round(length);
  return { width: recorded(real.width), height: recorded(real.height) };
}

/**
 * The number of bytes that a read asks for. A read may return fewer, even in the middle of a file, if the bytes there look like
 * a part of a character.
 */
const readBytes = 1_000_000;

/**
 * The stream of a small file is closed when the response has usually been sent. On one machine, closing it earlier took a twentieth of
 * the time of a document of one line.
 */
const afterResponseMs = 10;

/**
 * The end of the file is reported only by the read after the last bytes. A file that ends like a PDF counts as complete, which
 * its cross-reference table later proves.
 */
const endOfPdf = /%%EOF\s*$/;

/** The paper size of the print command is in inches. */
const pxPerInch = 96;

/**
 * The margins come from the document's `@page`. Without these settings, Chromium refuses paper with a side under 76 pixels,
 * because the command's default margins do not fit on it.
 */
const margins = { marginTop: 0, marginRight: 0, marginBottom: 0, marginLeft: 0 };

/** Printing stops after `maxPages`, and the file is read up to `maxBytes`. */
type PrintOptions = { isTagged: boolean; maxPages: number; maxBytes: number };

/** Returns the bytes of the PDF or, if it is larger than `maxBytes`, somewhat more than that many bytes of it. */
export async function print(
  { page, job, memory }: Pick<PrintInput, "page" | "job" | "memory">,
  { isTagged, maxPages, maxBytes }: PrintOptions,
): Promise<Uint8Array> {
  // The paper for styles that set an orientation but no lengths, such as `@page { size: landscape }`.
  const { width, height } = job.page;
  const { stream } = await page.send("Page.printToPDF", {
    printBackground: true,
    preferCSSPageSize: true,
    generateTaggedPDF: isTagged,
    ...margins,
    paperWidth: width / pxPerInch,
    paperHeight: (height === "auto" ? maxAutoHeightPx : height) / pxPerInch,
    pageRanges: `1-${maxPages}`,
    transferMode: "ReturnAsStream",
  });
  if (!stream) throw new CodedError("browser.no_stream");
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let isOver = false; !isOver && size <= maxBytes;) {
    await memory.reserve(size + readBytes); // A large file stays in the browser while it waits for memory.
    const { base64Encoded, data, eof } = await page.send("IO.read", { handle: stream, size: readBytes });
    const chunk = Buffer.from(data, base64Encoded ? "base64" : "utf8");
    chunks.push(chunk);
    size += chunk.length;
    isOver = eof || endOfPdf.test(chunk.subarray(-8).toString("latin1"));
  }
  const isSmall = chunks.length === 1;
  const responded = isSmall ? new Promise((resolve) => setTimeout(resolve, afterResponseMs)) : Promise.resolve();
  const closed = responded.then(() => page.send("IO.close", { handle: stream }));
  closed.catch(() => {}); // A page that has been closed has already closed its streams.
  return Buffer.concat(chunks);
}
