// Prints the headers and footers of a document that has been printed, because its pages are known only then.
import { sheetsMark, type SentMargins, type SheetsOutcome } from "colophon-page/prepared-page";
import { temporaryLinkPages } from "colophon-pdf/annotations";
import { destinationPages } from "colophon-pdf/destinations";
import type { PdfFile } from "colophon-pdf/open-pdf";
import type { Sheets } from "colophon-pdf/sheets";
import { unstackSheets } from "colophon-pdf/unstack-sheets";
import { pageInfo } from "colophon-template-model/page-info";
import { openContent, type OpenedContent } from "../content/job-content.ts";
import { maxFileBytes } from "../file-metadata.ts";
import type { PagesOfPrint } from "./page-functions.ts";
import { print, impossible, opened, type Failure, type Printed, type PrintInput } from "./printed-file.ts";
import { renderWeight } from "./render-weight.ts";

export type PrintedSheets = {
  status: "sheets";
  sheets: Sheets | null;
  warnings: string[];
};

/**
 * Prints the headers and footers of a document, if there are any. While the browser prints them, calls `duringPrint` for work that needs
 * the processor. It is not called if there are no headers and footers.
 */
export async function printMargins(
  input: PrintInput,
  { file, pages }: Printed,
  duringPrint: () => void,
): Promise<PrintedSheets | Failure | { status: "margins_grew" }> {
  if (!input.prepared.hasMargins) return { status: "sheets", sheets: null, warnings: [] };
  const printOnce = async (isStacked: boolean, work: () => void): ReturnType<typeof printSheets> => {
    const margins = await marginMarkups(input, file, pages.length);
    if (margins.status !== "opened") return margins;
    try {
      // The finished file contains both.
      const maxBytes = maxFileBytes - file.bytes.length;
      const text = margins.opened?.text;
      // Section titles and Liquid may give headers characters that the document lacks.
      const fonts = text?.fonts ? await input.fonts.use(text.fonts) : null;
      const sheets = printSheets(input, { pages, margins: margins.opened, isStacked, maxBytes }, work);
      const [printed] = await Promise.all([sheets, fonts?.arrived]);
      return printed;
    } finally {
      margins.opened?.close();
    }
  };
  const stacked = await printOnce(true, duringPrint);
  if (stacked.status !== "inseparable") return stacked;
  // A stream can be read only once, so the headers and footers are rendered again.
  const single = await printOnce(false, () => {});
  return single.status === "inseparable" ? impossible(tooHighMargin) : single;
}

/** How long a pool waits for the headers and footers. The render usually has less time left. */
const readTimeoutMs = 10_000;

const tooHighMargin = "A header or footer does not fit on its page. Make it lower, or the page higher.";

/** The result is `inseparable` if sheets that were printed on the same page cannot be distinguished. */
async function printSheets(
  input: PrintInput,
  { maxBytes, ...printed }: PagesOfPrint & { maxBytes: number },
  duringPrint: () => void,
): Promise<PrintedSheets | Failure | { status: "margins_grew" } | { status: "inseparable" }> {
  const [outcome, firstPrint] = await whileWaiting(layOutAndPrint(input, printed, maxBytes), duringPrint);
  if (outcome.status !== "laid_out") return outcome;
  const { places, pageCount, sheetOfPage, warnings } = outcome;
  if (pageCount === 0) return { status: "sheets", sheets: null, warnings };
  const early = firstPrint && opened(firstPrint, maxBytes);
  const sheets = early && showsSheets(early) ? early : opened(await printShown(input, pageCount, maxBytes), maxBytes);
  if (sheets.status !== "printed") return sheets;
  const { file, pages } = sheets;
  const parts = pages.length === pageCount ? unstackSheets(file, places) : null;
  return parts
    ? { status: "sheets", sheets: { file, ofPage: sheetOfPage, parts }, warnings }
    : { status: "inseparable" };
}

/** Calls `work` after the commands of `waiting` have been sent. */
async function whileWaiting<T>(waiting: Promise<T>, work: () => void): Promise<T> {
  waiting.catch(() => {}); // If `work` throws an error, nothing awaits this promise.
  await new Promise((resolve) => setTimeout(resolve, 0));
  work();
  return waiting;
}

/**
 * Lays out the sheets and prints the page in one round trip, because the browser runs both commands in order. The print is null
 * or may show something else if the sheets must wait for images or fonts.
 */
async function layOutAndPrint(
  input: PrintInput,
  printed: PagesOfPrint,
  maxBytes: number,
): Promise<[SheetsOutcome, Uint8Array | null]> {
  const laidOut = input.functions.layOutSheets(printed);
  // Headers and footers that read `page` arrive as markup, and their images are not decoded yet.
  if (printed.margins) return [await laidOut, null];
  return Promise.all([laidOut, printShown(input, printed.pages.length, maxBytes)]);
}

/** Prints the sheets that the page shows. */
function printShown(input: PrintInput, maxSheets: number, maxBytes: number): Promise<Uint8Array> {
  return print(input, { isTagged: false, maxPages: maxSheets + 1, maxBytes });
}

/** Returns whether the page was ready and showed the sheets when the file was printed. */
function showsSheets(printed: Printed | Failure): boolean {
  return printed.status === "printed" && destinationPages(printed.file).has(sheetsMark);
}

/** Asks the Worker for the headers and footers of the printed pages. `opened` is null if none of them reads `page`. */
async function marginMarkups(
  { prepared, renderMargins, memory }: PrintInput,
  file: PdfFile,
  pageCount: number,
): Promise<{ status: "opened"; opened: OpenedContent<SentMargins> | null } | Failure> {
  if (!renderMargins) return { status: "opened", opened: null };
  const { sections, parts, values } = prepared.metadata;
  const destinations = destinationPages(file);
  // Only documents without tags have temporary links.
  const links =
    values.length > 0 && prepared.metadata.untagged !== null ? temporaryLinkPages(file) : new Map<string, number>();
  const printed = <Mark extends { name: string }>(marks: Mark[]) =>
    marks.flatMap((mark) => {
      const page = links.get(mark.name) ?? destinations.get(mark.name);
      return page === undefined ? [] : [{ ...mark, page }];
    });
  const starts = { sections: printed(sections), parts: printed(parts), values: printed(values) };
  const margins = await renderMargins(pageInfo(pageCount, starts));
  if (margins.status !== "ok") return margins;
  await memory.reserve(renderWeight(margins));
  return { status: "opened", opened: await openContent<SentMargins>(margins, Date.now() + readTimeoutMs) };
}
