// What printing a document and printing its headers and footers have in common: the input, and the file that the browser
// returns.
import type { CDPSession } from "@cloudflare/puppeteer";
import type { ContentArea } from "../../../core/pdf/file/destinations.ts";
import { openPdf, type PdfFile } from "../../../core/pdf/file/open-pdf.ts";
import { pageBoxes } from "../../../core/pdf/file/page-tree.ts";
import type { PreparedPage, SheetSize } from "../../../core/rendering/prepared-page.ts";
import type { JobText, PoolJob } from "../../../platform/rendering/job-content.ts";
import type { RenderMargins } from "../../../ports/rendering.ts";
import type { OutputMemory } from "../output-memory.ts";
import type { PageFunctions } from "./page-functions.ts";
import { maxFileBytes, tooLarge, type PageOutcome } from "./page-outcome.ts";

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
export type SizedInput = PrintInput & { isSmall: boolean };

export type Failure = Exclude<PageOutcome, { status: "rendered" }>;
export type Impossible = Extract<PageOutcome, { status: "impossible" }>;
export type Printed = { status: "printed"; file: PdfFile; pages: SheetSize[] };

export function opened(bytes: Uint8Array): Printed | Failure {
  if (bytes.length > maxFileBytes) return tooLarge();
  const file = openPdf(bytes);
  const pages = pageBoxes(file).map(({ widthPt, heightPt }) => ({ width: px(widthPt), height: px(heightPt) }));
  return { status: "printed", file, pages };
}

export function contentArea({ page, margin }: PoolJob): ContentArea {
  // Pages with automatic height have different heights, so shifted destinations on them stay where they are.
  if (page.height === "auto") return { contentHeightPt: 0 };
  return { contentHeightPt: (page.height - margin.top - margin.bottom) * ptPerPx };
}

const ptPerPx = 0.75;

function px(points: number): number {
  return points / ptPerPx;
}

export function impossible(message: string): Impossible {
  return { status: "impossible", message };
}
