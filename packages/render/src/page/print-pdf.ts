// Prints a prepared page as a PDF. The document is printed first, because only then are its pages known. Its headers and
// footers are printed afterwards, and placed on the pages.
import { formatCounter, type CounterStyle } from "colophon-page/counter-styles";
import { maxPages, tooManyPages } from "colophon-page/page-geometry";
import {
  maxPrints,
  movedTargets,
  targetPages,
  unsettledWarning,
  type TargetPages,
} from "colophon-page/page-references";
import type { DocumentPart, Overflow } from "colophon-page/prepared-page";
import { removedLinksWarning } from "colophon-page/removed-links";
import { correctBody, correctSheets } from "colophon-pdf-conformance/correct-body";
import type { ConformanceProblem } from "colophon-pdf-conformance/problem";
import { startAssembly, type Assembly } from "colophon-pdf/assemble-pdf";
import { destinationPages, readDestinations } from "colophon-pdf/destinations";
import type { PageLabel } from "colophon-pdf/metadata";
import type { PdfFile } from "colophon-pdf/open-pdf";
import { ptPerPx, readPages } from "colophon-pdf/page-tree";
import { maxFileBytes, tooLarge, type PageOutcome } from "../file-metadata.ts";
import { printAtContentHeight } from "./auto-height.ts";
import { updateBoxes, withBlankPages, type Boxes } from "./blank-pages.ts";
import { conformanceFailure, withPages } from "./conformance-failure.ts";
import { printMargins, type PrintedSheets } from "./print-margins.ts";
import {
  recordedSize,
  impossible,
  opened,
  type Failure,
  type Impossible,
  type Printed,
  type PrintInput,
  print,
} from "./printed-file.ts";

/** How many times the margins may grow. Each time, the document is printed again. */
const maxGrowths = 3;

export async function printPdf(input: PrintInput): Promise<PageOutcome> {
  let shown: Shown = {
    numbers: input.prepared.targets.length === 0 ? settled : estimated,
    boxes: { before: [], changes: 0 },
  };
  for (let growths = 0; growths <= maxGrowths;) {
    const outcome = await printOnce(input, shown);
    if (outcome.status !== "print_again") return outcome;
    shown = outcome.shown;
    if (outcome.haveMarginsGrown) growths++;
  }
  return impossible(
    `The headers or footers became higher each time the document was printed, ${maxGrowths + 1} times in all. Their ` +
      "height must not depend on the number of pages.",
  );
}

type Shown = { numbers: Numbers; boxes: Boxes };

/**
 * Creates the file, unless the document's page references, blank pages or margins change when it is printed. This is a separate function, so
 * that a print is no longer in memory when the next one arrives.
 */
async function printOnce(
  input: PrintInput,
  shown: Shown,
): Promise<PageOutcome | { status: "print_again"; shown: Shown; haveMarginsGrown: boolean }> {
  const printed = await printDocument(input, shown.numbers);
  if (printed.status !== "printed") return printed;
  const numbers = await updateNumbers(input, printed.file, shown.numbers);
  if (numbers.status === "impossible") return numbers;
  const boxes = await updateBoxes(input, printed, shown.boxes);
  if (boxes?.status === "impossible") return boxes;
  const next = { numbers, boxes: boxes ?? shown.boxes };
  if (numbers.status === "changed" || boxes) return { status: "print_again", shown: next, haveMarginsGrown: false };
  const start = assemblyOf(input, printed);
  const margins = await printMargins(input, printed, start);
  if (margins.status === "margins_grew") return { status: "print_again", shown: next, haveMarginsGrown: true };
  return margins.status === "sheets" ? assembled(input, printed, { numbers, margins, started: start() }) : margins;
}

/**
 * The numbers that the document's page references show. `prints` is the number of prints that have been compared with them.
 * Before the first print, the numbers are estimates. They have settled when a print shows the numbers of its own pages, or when
 * the maximum number of prints is reached.
 */
type Numbers = {
  status: "estimated" | "changed" | "settled";
  shown: TargetPages;
  prints: number;
  warnings: string[];
};

const estimated: Numbers = { status: "estimated", shown: new Map(), prints: 0, warnings: [] };
const settled: Numbers = { ...estimated, status: "settled" };

/** Compares the numbers with the printed pages. If they differ, updates the page references. */
async function updateNumbers(
  { functions, job, prepared }: PrintInput,
  file: PdfFile,
  numbers: Numbers,
): Promise<Numbers | Impossible> {
  const { targets, metadata } = prepared;
  if (targets.length === 0) return settled;
  const destinations = destinationPages(file);
  // A label changes if its part moves, even if its target does not.
  const printed = targetPages(destinations, [...targets, ...metadata.parts.map(({ name }) => name)]);
  const prints = numbers.prints + 1;
  const moved = movedTargets(numbers.shown, printed);
  if (numbers.status !== "estimated") {
    if (moved.length === 0) return { ...numbers, status: "settled", prints };
    if (prints >= maxPrints) {
      return { ...numbers, status: "settled", prints, warnings: [...numbers.warnings, unsettledWarning(moved)] };
    }
  }
  const { page, margin } = job;
  const outcome = await functions.setPageNumbers({
    pages: [...printed],
    labels: metadata.parts.length > 0 ? targetLabels(printed, pageLabels(destinations, metadata.parts)) : [],
    pageWidth: page.width,
    margin,
  });
  if (outcome.status === "impossible") return outcome;
  return { status: "changed", shown: printed, prints, warnings: outcome.warnings };
}

/** Prints the document. If its height is "auto", each of its page files is on one page. */
async function printDocument(input: PrintInput, numbers: Numbers): Promise<Printed | Failure> {
  const { autoPages } = input.prepared;
  const printAll = () => printPages(input, numbers);
  return autoPages ? printAtContentHeight(input.functions, autoPages, printAll) : printAll();
}

/**
 * A print that only determines the pages for page references has no tags, because tags do not affect the layout and take time.
 */
async function printPages(input: PrintInput, numbers: Numbers): Promise<Printed | Failure> {
  const isTagged = input.prepared.metadata.untagged === null && numbers.status !== "estimated";
  const body = input.early.pop() ?? (await printBody(input, isTagged));
  if (body.status !== "printed") return body;
  const printed = withBlankPages(body, input.prepared.sideBreaks);
  if (printed.pages.length > maxPages) {
    return impossible(tooManyPages);
  }
  return printed;
}

/** Prints the document. One page more than allowed is printed, which is enough to detect a document that is too long. */
export async function printBody(
  input: Pick<PrintInput, "page" | "job" | "memory">,
  isTagged: boolean,
): Promise<Printed | Failure> {
  return opened(await print(input, { isTagged, maxPages: maxPages + 1, maxBytes: maxFileBytes }), maxFileBytes);
}

/** `problems` are why the document cannot conform to its standards. */
type Started = { assembly: Assembly; problems: ConformanceProblem[] };

/** Returns a function that starts the assembly of the file at its first call, and returns it. */
function assemblyOf(
  { job: { conformance = [] }, prepared: { elements = [] }, encryption }: PrintInput,
  { file }: Printed,
): () => Started {
  let started: Started | null = null;
  const start = (): Started => {
    const corrected = correctBody(file, conformance, withPages(elements, file));
    const assembly = startAssembly({ body: file, corrected, conformance, encryption });
    return { assembly, problems: corrected?.problems ?? [] };
  };
  return () => (started ??= start());
}

function assembled(
  { job, prepared, attached }: PrintInput,
  { file, pages }: Printed,
  { numbers, margins, started }: { numbers: Numbers; margins: PrintedSheets; started: Started },
): PageOutcome {
  const { outline, parts, ...metadata } = prepared.metadata;
  const { conformance } = job;
  const { sheets } = margins;
  const { bytes, removedLinks } = started.assembly.finish({
    sheets: sheets && { ...sheets, streams: correctSheets(sheets.file, conformance ?? []) },
    metadata: { ...job.metadata, ...metadata },
    headings: outline,
    labels: parts.length > 0 ? pageLabels(destinationPages(file), parts) : [],
    isBlank: pages.map(({ isBlank = false }) => isBlank),
    isTest: job.isTest,
    attached,
  });
  if (bytes.length > maxFileBytes) return tooLarge();
  const isAnyFound = prepared.overflows.length + prepared.hints.length > 0;
  const places = isAnyFound ? destinationPages(file) : new Map<string, number>();
  const overflows = overflowMessages(prepared.overflows, places);
  if (job.overflow === "error" && overflows[0]) return impossible(overflows[0]);
  const warnings = new Set([
    ...overflows,
    ...overflowMessages(confirmedHints(prepared.hints, { file, marginPx: job.margin.bottom }), places),
    ...prepared.warnings,
    ...numbers.warnings,
    ...margins.warnings,
    ...removedLinksWarning(removedLinks),
  ]);
  const found = { warnings: [...warnings], problems: started.problems, untagged: metadata.untagged };
  const failure = conformance && conformanceFailure(bytes, conformance, found);
  if (failure) return failure;
  const size = recordedSize(pages[0] ?? { width: 0, height: 0 }, job.page);
  const about = { pageCount: pages.length, ...size, imageSize: null, ...(conformance && { conformance }) };
  return { status: "rendered", bytes, ...about, warnings: [...warnings] };
}

/** If several parts start on one page, the numbering of the first one applies. The pages before the first part have ordinary numbers. */
function pageLabels(pages: ReadonlyMap<string, number>, parts: readonly DocumentPart[]): PageLabel[] {
  const labels = new Map([[0, "decimal" as CounterStyle]]);
  const starts = parts.flatMap(({ name, numbering }) => ({ page: pages.get(name) ?? 0, numbering }));
  for (const { page, numbering } of starts.toReversed()) labels.set(page, numbering);
  return [...labels].map(([page, numbering]) => ({ page, numbering })).sort((a, b) => a.page - b.page);
}

/** `labels` are in the order of their pages. */
function targetLabels(targets: TargetPages, labels: readonly PageLabel[]): [target: string, label: string][] {
  return Array.from(targets, ([target, number]) => {
    const part = labels.findLast(({ page }) => page < number);
    return [target, part ? formatCounter(number - part.page, part.numbering) : String(number)];
  });
}

const maxGroupHints = 5;

/** Leaves out the hints about the position of a group on the pages, unless the print has put the group there. */
function confirmedHints(
  hints: readonly Overflow[],
  { file, marginPx }: { file: PdfFile; marginPx: number },
): Overflow[] {
  const others = hints.filter(({ next }) => !next);
  if (others.length === hints.length) return others;
  const pages = readPages(file);
  const places = readDestinations(file, pages);
  const groups = hints.filter(({ name, next }) => {
    const [end, start] = [places.get(name), places.get(next?.name ?? "")];
    if (!next || !end || !start || end.page >= start.page || (next.isOnFirst && end.page > 0)) return false;
    const emptyPt = end.yPt - (pages[end.page]?.box.bottom ?? 0) - marginPx * ptPerPx;
    return emptyPt >= next.emptyPx * ptPerPx;
  });
  return [...others, ...groups.slice(0, maxGroupHints)];
}

/** An element without a destination is above the first page. */
function overflowMessages(overflows: readonly Overflow[], places: Map<string, number>): string[] {
  return overflows.map(({ name, message }) => `Page ${(places.get(name) ?? 0) + 1}: ${message}`);
}
