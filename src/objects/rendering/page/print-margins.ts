// Prints the headers and footers of a document that has been printed, because only then are its pages known.
import { deflateSync, inflateSync } from "node:zlib";
import { destinations } from "../../../core/pdf/file/destinations.ts";
import type { PdfFile } from "../../../core/pdf/file/open-pdf.ts";
import type { Sheets } from "../../../core/pdf/parts/sheets.ts";
import { unstackSheets, type Compression } from "../../../core/pdf/parts/unstack-sheets.ts";
import { pageFacts } from "../../../core/rendering/margins/page-facts.ts";
import type { MarginMarkups } from "../../../core/rendering/margins/page-margins.ts";
import { sheetsMark, type SheetsOutcome } from "../../../core/rendering/prepared-page.ts";
import type { PagesOfPrint } from "./page-functions.ts";
import { maxPagesInMessage } from "./pdf-size.ts";
import { print } from "./print-command.ts";
import {
  contentArea,
  impossible,
  opened,
  type Failure,
  type Printed,
  type PrintInput,
  type SizedInput,
} from "./printed-file.ts";

export type PrintedSheets = {
  status: "sheets";
  sheets: Sheets | null;
  warnings: string[];
};

/**
 * Prints the headers and footers of a document, if there are any. Calls `meanwhile` while the browser is at work on them, for
 * work that needs the processor. It is not called if there are no headers and footers.
 */
export async function printMargins(
  input: SizedInput,
  { file, pages }: Printed,
  meanwhile: () => void,
): Promise<PrintedSheets | Failure | { status: "margins_grew" }> {
  if (!input.prepared.hasMargins) return { status: "sheets", sheets: null, warnings: [] };
  const margins = await marginMarkups(input, file, pages.length);
  if (margins && margins.status !== "ok") return margins;
  const stacked = await printSheets(input, { pages, margins, isStacked: true }, meanwhile);
  return stacked.status === "inseparable" ? printUnstacked(input, { pages, margins, isStacked: false }) : stacked;
}

async function printUnstacked(input: SizedInput, pages: PagesOfPrint) {
  const printed = await printSheets(input, pages, () => {});
  return printed.status === "inseparable" ? impossible(tooHighMargin) : printed;
}

const tooHighMargin = "A header or footer does not fit on its page. Make it lower, or the page higher.";

/** The result is `inseparable` if sheets that were printed on the same page cannot be told apart. */
async function printSheets(
  input: SizedInput,
  printed: PagesOfPrint,
  meanwhile: () => void,
): Promise<PrintedSheets | Failure | { status: "margins_grew" } | { status: "inseparable" }> {
  const [outcome, firstPrint] = await whileWaiting(layOutAndPrint(input, printed), meanwhile);
  if (outcome.status !== "laid_out") return outcome;
  const { places, pageCount, sheetOfPage, warnings } = outcome;
  if (pageCount === 0) return { status: "sheets", sheets: null, warnings };
  const early = firstPrint && opened(firstPrint);
  const sheets = early && showsSheets(early) ? early : opened(await printShown(input, pageCount));
  if (sheets.status !== "printed") return sheets;
  const { file, pages } = sheets;
  const parts = pages.length === pageCount ? unstackSheets(file, places, compression) : null;
  return parts
    ? { status: "sheets", sheets: { file, ofPage: sheetOfPage, parts }, warnings }
    : { status: "inseparable" };
}

/** Calls `work` after the commands of `waiting` have been sent. */
async function whileWaiting<T>(waiting: Promise<T>, work: () => void): Promise<T> {
  waiting.catch(() => {}); // If `work` throws an error, nobody waits for this promise.
  await new Promise((resolve) => setTimeout(resolve, 0));
  work();
  return waiting;
}

const compression: Compression = {
  deflate: deflateSync,
  inflate(bytes, maxBytes) {
    try {
      return inflateSync(bytes, { maxOutputLength: maxBytes });
    } catch {
      return null;
    }
  },
};

/**
 * Lays out the sheets and prints the page in one round trip, because the browser runs both commands in this order. The
 * result of the print is null, or may show something else, when the sheets have to wait for images or fonts.
 */
async function layOutAndPrint(input: SizedInput, printed: PagesOfPrint): Promise<[SheetsOutcome, Uint8Array | null]> {
  const laidOut = input.functions.layOutSheets(printed);
  // Headers and footers that read `page` arrive as markup, whose images are not decoded yet.
  if (printed.margins) return [await laidOut, null];
  return Promise.all([laidOut, printShown(input, printed.pages.length)]);
}

/** Prints the sheets that the page shows. */
function printShown({ page, job, isSmall, memory }: SizedInput, maxSheets: number): Promise<Uint8Array> {
  const isSmallPrint = isSmall && maxSheets < maxPagesInMessage;
  return print(page, { paper: job.page, isTagged: false, maxPages: maxSheets + 1, isSmall: isSmallPrint, memory });
}

/** Whether the page showed the sheets, ready to be printed, when the file was printed. */
function showsSheets(printed: Printed | Failure): boolean {
  return printed.status === "printed" && destinations(printed.file, { contentHeightPt: 0 }).has(sheetsMark);
}

async function marginMarkups(
  { job, prepared, renderMargins }: PrintInput,
  file: PdfFile,
  pageCount: number,
): Promise<({ status: "ok" } & MarginMarkups) | Failure | null> {
  if (!renderMargins) return null;
  const starts = destinations(file, contentArea(job));
  const sections = prepared.metadata.sections.flatMap(({ title, name }) => {
    const page = starts.get(name)?.page;
    return page === undefined ? [] : { title, page };
  });
  return renderMargins(pageFacts(pageCount, sections));
}
