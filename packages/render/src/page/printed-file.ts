// What printing a document and printing its headers and footers have in common: the input, and the file that the browser
// returns.
import type { CDPSession } from "@cloudflare/puppeteer";
import type { ContentArea } from "colophon-pdf/destinations";
import { openPdf, type PdfFile } from "colophon-pdf/open-pdf";
import { pageBoxes } from "colophon-pdf/page-tree";
import type { PreparedPage, SheetSize } from "colophon-page/prepared-page";
import type { PoolJob } from "../content/job-content.ts";
import type { PoolMargins } from "../content/margin-content.ts";
import type { OutputMemory } from "./output-memory.ts";
import type { PageFonts } from "./page-fonts.ts";
import type { PageFunctions } from "./page-functions.ts";
import { tooLarge, type PageOutcome } from "./page-outcome.ts";

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
