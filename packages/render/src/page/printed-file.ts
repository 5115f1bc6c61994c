// Prints the page as it is now. Every PDF is read as a stream, because a message of more than 32 MiB breaks the connection of the whole
// session, and nothing tells how large a PDF will be.
import type { CDPSession } from "@cloudflare/puppeteer";
import { openPdf, type PdfFile } from "colophon-pdf/open-pdf";
import { pageBoxes } from "colophon-pdf/page-tree";
import type { PreparedPage, SheetSize } from "colophon-page/prepared-page";
import type { PoolJob } from "../content/job-content.ts";
import type { PoolMargins } from "../content/margin-content.ts";
import type { OutputMemory } from "./render-weight.ts";
import type { PageFonts } from "./page-fonts.ts";
import type { PageFunctions } from "./page-functions.ts";
import { tooLarge, type PageOutcome } from "../file-metadata.ts";
import { type PageGeometry, maxAutoHeightPx } from "colophon-page/page-geometry";
import { CodedError } from "colophon-base/loggable-error";

export type PrintInput = {
  page: CDPSession;
  functions: PageFunctions;
  fonts: PageFonts;
  job: PoolJob;
  prepared: PreparedPage;
  /** The print that was made while the page was being prepared, if it can be used. The first print takes it. */
  early: Printed[];
  /** Null when neither the header nor the footer reads `page`. */
  renderMargins: PoolMargins | null;
  memory: OutputMemory;
};

export type Failure = Exclude<PageOutcome, { status: "rendered" }>;
export type Impossible = Extract<PageOutcome, { status: "impossible" }>;
export type Printed = { status: "printed"; file: PdfFile; pages: SheetSize[] };

/** Fails if the PDF is larger than `maxBytes`. */
export function opened(bytes: Uint8Array, maxBytes: number): Printed | Failure {
  if (bytes.length > maxBytes) return tooLarge();
  const file = openPdf(bytes);
  const pages = pageBoxes(file).map(({ widthPt, heightPt }) => {
    return { width: widthPt / ptPerPx, height: heightPt / ptPerPx };
  });
  return { status: "printed", file, pages };
}

const ptPerPx = 0.75;

export function impossible(message: string): Impossible {
  return { status: "impossible", message };
}

/**
 * The maximum difference between a side of a page and the length that its styles ask for. Chromium rounds the sides of
 * pages to whole points and to 1/300 inch, and the sides of the job are rounded to whole pixels.
 */
const maxRoundingPx = 1.5;

/**
 * Returns the size of a page in whole CSS pixels. `real` may have fractions. A side that differs only by rounding from a
 * side of the wanted page, which may have been turned, gets the length of that side.
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
 * How many bytes a read asks for. A read may return fewer even in the middle of a file, if bytes there look like a part of a
 * character.
 */
const readBytes = 1_000_000;

/**
 * Only the read after the last bytes reports the end of the file. A file that ends like a PDF counts as complete; its
 * cross-reference table proves that later.
 */
const endOfPdf = /%%EOF\s*$/;

/** The paper size of the print command is in inches. */
const pxPerInch = 96;

/**
 * The margins come from the document's `@page`. Without these settings, Chromium refuses paper with a side of less than 76 pixels,
 * because the default margins of the command do not fit on it.
 */
const margins = { marginTop: 0, marginRight: 0, marginBottom: 0, marginLeft: 0 };

/** Printing ends after `maxPages`, and the file is read up to `maxBytes`. */
type PrintOptions = { isTagged: boolean; maxPages: number; maxBytes: number };

/** Returns the bytes of the PDF, or more than `maxBytes` bytes of it if it is larger than that. */
export async function print(
  { page, job, memory }: Pick<PrintInput, "page" | "job" | "memory">,
  { isTagged, maxPages, maxBytes }: PrintOptions,
): Promise<Uint8Array> {
  // The paper of styles that give pages an orientation but no lengths, as `@page { size: landscape }` does.
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
    await memory.reserve(size + readBytes); // A large file waits for its memory while the browser keeps it.
    const { base64Encoded, data, eof } = await page.send("IO.read", { handle: stream, size: readBytes });
    const chunk = Buffer.from(data, base64Encoded ? "base64" : "utf8");
    chunks.push(chunk);
    size += chunk.length;
    isOver = eof || endOfPdf.test(chunk.subarray(-8).toString("latin1"));
  }
  page.send("IO.close", { handle: stream }).catch(() => {}); // A page that is gone has already closed its streams.
  return Buffer.concat(chunks);
}
