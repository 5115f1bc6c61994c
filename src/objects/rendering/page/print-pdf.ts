// Prints a prepared page as a PDF. The document is printed first, because only then are its pages known. Its headers and
// footers are printed after that, and put onto the pages.
import { deflateSync } from "node:zlib";
import type { CDPSession } from "@cloudflare/puppeteer";
import { assemblePdf } from "../../../core/pdf/assemble-pdf.ts";
import { destinations, type ContentArea } from "../../../core/pdf/file/destinations.ts";
import { openPdf, type PdfFile } from "../../../core/pdf/file/open-pdf.ts";
import { pageBoxes } from "../../../core/pdf/file/page-tree.ts";
import { pageFacts } from "../../../core/rendering/margins/page-facts.ts";
import type { MarginMarkups } from "../../../core/rendering/margins/page-margins.ts";
import {
  sheetsMark,
  type PreparedPage,
  type SheetSize,
  type SheetsOutcome,
} from "../../../core/rendering/prepared-page.ts";
import {
  maxPrints,
  movedTargets,
  targetPages,
  unsettledWarning,
  type TargetPages,
} from "../../../core/rendering/references/page-references.ts";
import { recordedSize } from "../../../core/rendering/recorded-size.ts";
import { removedLinksWarning } from "../../../core/rendering/removed-links.ts";
import type { JobText, PoolJob } from "../../../platform/rendering/job-content.ts";
import type { RenderMargins } from "../../../ports/rendering.ts";
import type { OutputMemory } from "../output-memory.ts";
import { printAtContentHeight } from "./auto-height.ts";
import type { PageFunctions, PagesOfPrint } from "./page-functions.ts";
import { maxFileBytes, tooLarge, type PageOutcome } from "./page-outcome.ts";
import { isSmallPdf, maxPagesInMessage } from "./pdf-size.ts";
import { print } from "./print-command.ts";

const maxPages = 500;
/** How often the margins may grow. After each time, the document is printed again. */
const maxGrowths = 3;

export type PrintInput = {
  page: CDPSession;
  functions: PageFunctions;
  job: PoolJob;
  text: JobText;
  prepared: PreparedPage;
  /** Null when neither the header nor the footer reads `page`. */
  renderMargins: RenderMargins | null;
  memory: OutputMemory;
};

/** `isSmall` is whether the document certainly makes a small PDF unless it has many pages. */
type SizedInput = PrintInput & { isSmall: boolean };

type Failure = Exclude<PageOutcome, { status: "rendered" }>;
type Impossible = Extract<PageOutcome, { status: "impossible" }>;
type Printed = { status: "printed"; file: PdfFile; pages: SheetSize[] };
/** `file` contains one page for each sheet. */
type PrintedSheets = {
  status: "sheets";
  sheets: { file: PdfFile; ofPage: (number | null)[] } | null;
  warnings: string[];
};

export async function printPdf(printInput: PrintInput): Promise<PageOutcome> {
  const { job, text, prepared } = printInput;
  const input = { ...printInput, isSmall: prepared.print !== null && isSmallPdf(job, text, prepared.print) };
  let numbers = prepared.targets.length === 0 ? settled : estimated;
  for (let growths = 0; growths <= maxGrowths;) {
    const printed = await printDocument(input, numbers);
    if (printed.status !== "printed") return printed;
    const next = await updateNumbers(input, printed.file, numbers);
    if (next.status === "impossible") return next;
    numbers = next;
    if (numbers.status === "changed") continue;
    const margins = await printMargins(input, printed);
    if (margins.status === "margins_grew") growths++;
    else return margins.status === "sheets" ? assembled(input, printed, { numbers, margins }) : margins;
  }
  return impossible(
    `The headers or footers became higher each time the document was printed, ${maxGrowths + 1} times in all. Their ` +
      "height must not depend on the number of pages.",
  );
}

/**
 * The numbers that the page references of the document show. `prints` is how many prints have been compared with them. They
 * are estimated before the first print. They have settled when a print shows its own pages, or when it is given up.
 */
type Numbers = {
  status: "estimated" | "changed" | "settled";
  shown: TargetPages;
  prints: number;
  warnings: string[];
};

const estimated: Numbers = { status: "estimated", shown: new Map(), prints: 0, warnings: [] };
const settled: Numbers = { ...estimated, status: "settled" };

/** Compares the numbers with the pages that were printed, and lets the page references show the new ones if they differ. */
async function updateNumbers(
  { functions, job, prepared }: PrintInput,
  file: PdfFile,
  numbers: Numbers,
): Promise<Numbers | Impossible> {
  const { targets } = prepared;
  if (targets.length === 0) return settled;
  const places = Array.from(destinations(file, contentArea(job)), ([name, { page }]) => [name, page] as const);
  const printed = targetPages(new Map(places), targets);
  const prints = numbers.prints + 1;
  const moved = movedTargets(numbers.shown, printed);
  if (numbers.status !== "estimated") {
    if (moved.length === 0) return { ...numbers, status: "settled", prints };
    if (prints >= maxPrints) {
      return { ...numbers, status: "settled", prints, warnings: [...numbers.warnings, unsettledWarning(moved)] };
    }
  }
  const { page, margin } = job;
  const outcome = await functions.setPageNumbers({ pages: [...printed], pageWidth: page.width, margin });
  if (outcome.status === "impossible") return outcome;
  return { status: "changed", shown: printed, prints, warnings: outcome.warnings };
}

/** Prints the document. If its height is "auto", each of its page files is on one page. */
async function printDocument(input: SizedInput, numbers: Numbers): Promise<Printed | Failure> {
  const { autoPages } = input.prepared;
  const printOnce = () => printPages(input, numbers);
  return autoPages ? printAtContentHeight(input.functions, autoPages, printOnce) : printOnce();
}

/** A print that only finds the pages for page references has no tags, because tags move nothing and take time. */
async function printPages(input: SizedInput, numbers: Numbers): Promise<Printed | Failure> {
  const { page, job, prepared, isSmall, memory } = input;
  const isTagged = prepared.metadata.isTagged && numbers.status !== "estimated";
  // One page more than allowed is enough to detect a document that is too long.
  const options = { paper: job.page, isTagged, maxPages: maxPages + 1, memory };
  let printed = opened(await print(page, { ...options, isSmall }));
  // Page breaks can make a document much longer than its layout. Then it is printed again, with all of its pages.
  if (isSmall && printed.status === "printed" && printed.pages.length >= maxPagesInMessage) {
    printed = opened(await print(page, { ...options, isSmall: false }));
  }
  if (printed.status === "printed" && printed.pages.length > maxPages) {
    return impossible(`The document has more than ${maxPages} pages. Split it into several documents.`);
  }
  return printed;
}

function opened(bytes: Uint8Array): Printed | Failure {
  if (bytes.length > maxFileBytes) return tooLarge();
  const file = openPdf(bytes);
  const pages = pageBoxes(file).map(({ widthPt, heightPt }) => ({ width: px(widthPt), height: px(heightPt) }));
  return { status: "printed", file, pages };
}

/** Prints the sheets, if there are any. */
async function printMargins(
  input: SizedInput,
  { file, pages }: Printed,
): Promise<PrintedSheets | Failure | { status: "margins_grew" }> {
  if (!input.prepared.hasMargins) return { status: "sheets", sheets: null, warnings: [] };
  const margins = await marginMarkups(input, file, pages.length);
  if (margins && margins.status !== "ok") return margins;
  const [outcome, firstPrint] = await layOutAndPrint(input, { pages, margins });
  if (outcome.status !== "laid_out") return outcome;
  const { sheetCount, sheetOfPage, warnings } = outcome;
  if (sheetCount === 0) return { status: "sheets", sheets: null, warnings };
  const early = firstPrint && opened(firstPrint);
  const sheets = early && showsSheets(early) ? early : opened(await printSheets(input, sheetCount));
  if (sheets.status !== "printed") return sheets;
  if (sheets.pages.length !== sheetCount) {
    return impossible("A header or footer does not fit on its page. Make it lower, or the page higher.");
  }
  return { status: "sheets", sheets: { file: sheets.file, ofPage: sheetOfPage }, warnings };
}

/**
 * Lays out the sheets and prints the page in one round trip, because the browser runs both commands in this order. The
 * result of the print is null, or may show something else, when the sheets have to wait for images or fonts.
 */
async function layOutAndPrint(input: SizedInput, printed: PagesOfPrint): Promise<[SheetsOutcome, Uint8Array | null]> {
  const laidOut = input.functions.layOutSheets(printed);
  // Headers and footers that read `page` arrive as markup, whose images are not decoded yet.
  if (printed.margins) return [await laidOut, null];
  return Promise.all([laidOut, printSheets(input, printed.pages.length)]);
}

function printSheets({ page, job, isSmall, memory }: SizedInput, maxSheets: number): Promise<Uint8Array> {
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

function assembled(
  { job, prepared }: PrintInput,
  { file, pages }: Printed,
  { numbers, margins }: { numbers: Numbers; margins: PrintedSheets },
): PageOutcome {
  const { outline, ...metadata } = prepared.metadata;
  const { bytes, removedLinks } = assemblePdf({
    body: file,
    sheets: margins.sheets,
    metadata: { ...job.metadata, ...metadata },
    headings: outline,
    area: contentArea(job),
    deflate: deflateSync,
  });
  if (bytes.length > maxFileBytes) return tooLarge();
  const warnings = new Set([
    ...prepared.warnings,
    ...numbers.warnings,
    ...margins.warnings,
    ...removedLinksWarning(removedLinks),
  ]);
  const size = recordedSize(pages[0] ?? { width: 0, height: 0 }, job.page);
  return { status: "rendered", bytes, pageCount: pages.length, ...size, warnings: [...warnings] };
}

function contentArea({ page, margin }: PoolJob): ContentArea {
  // Pages with automatic height have different heights, so shifted destinations on them stay where they are.
  if (page.height === "auto") return { contentHeightPt: 0 };
  return { contentHeightPt: (page.height - margin.top - margin.bottom) * ptPerPx };
}

const ptPerPx = 0.75;

function px(points: number): number {
  return points / ptPerPx;
}

function impossible(message: string): Impossible {
  return { status: "impossible", message };
}
