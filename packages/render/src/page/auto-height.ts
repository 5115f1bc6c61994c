// Prints a document whose height is "auto": one page for each page file, as high as its content. The heights come from the
// layout on the screen. Layout on paper can differ, because text is shaped differently and content that is too wide is shrunk.
// So each page has marks at its beginning and end, with which the printed file shows whether its height is right. If not, the
// document is printed again.
import { autoHeightProblem } from "colophon-page/page-geometry";
import { pageMarks, rulerMarks, type AutoPages } from "colophon-page/prepared-page";
import { writtenDestinations, type WrittenDestination } from "colophon-pdf/destinations";
import type { PdfFile } from "colophon-pdf/open-pdf";
import { ptPerPx } from "colophon-pdf/page-tree";
import type { PageFunctions } from "./page-functions.ts";
import type { Failure, Printed } from "./printed-file.ts";

type Functions = Pick<PageFunctions, "setPageHeights">;

/** The heights between the margins, in CSS pixels of the layout, and the layout's width as a multiple of the page's. */
type Layout = { contentsPx: number[]; shrinkFactor: number };

/**
 * If the content of a page is lower than expected by this much or more, there is blank space below it. Chromium writes the
 * positions of destinations in whole pixels, so a measured height is off by less than a pixel.
 */
const minWhitePx = 1.1;
/**
 * Content can be higher than expected by this much without being cut off, because pages are rounded up to whole pixels. It is
 * higher if its styles make it as high as the page.
 */
const maxGrowthPx = 2.1;
/** A smaller shrink factor is a rounding error. */
const minShrinkFactor = 1.0005;
const maxAttempts = 5;

const notOnePage =
  'With `height`: "auto", each page file becomes one page, but the content of a page file takes several pages whatever the height. ' +
  "Possible causes are page breaks in the styles, and boxes that are as high as the page (`100vh`) next to other content. " +
  "Remove them, or give `height` in pixels.";

/**
 * Prints the document. `print` prints it with the heights that are set in the page; any outcome of `print` without a file is
 * returned.
 */
export async function printAtContentHeight(
  functions: Functions,
  auto: AutoPages,
  print: () => Promise<Printed | Failure>,
): Promise<Printed | Failure> {
  let layout: Layout = { contentsPx: auto.pages.map(({ contentPx }) => contentPx), shrinkFactor: 1 };
  let measurement: "none" | "wanted" | "done" = auto.isTooWide ? "wanted" : "none";
  let slackPx = 0;
  for (let attempts = 0; attempts < maxAttempts; attempts++) {
    if (measurement === "wanted") {
      const measured = await measuredOnPaper(functions, auto, print);
      if (!("contentsPx" in measured)) return measured;
      layout = measured;
      measurement = "done";
    }
    const contentsPx = layout.contentsPx.map((px) => Math.max(1, px) / layout.shrinkFactor + slackPx);
    const set = await functions.setPageHeights({ contentsPx });
    if (set.status === "impossible") return set;
    const problem = autoHeightProblem(Math.max(...set.heightsPx) - slackPx);
    if (problem) return { status: "impossible", message: problem };
    const printed = await print();
    if (printed.status !== "printed") return printed;
    const printedPx = printed.pages.length === auto.pages.length ? contentsOf(printed.file, auto) : null;
    if (printedPx && isSame(printedPx, layout.contentsPx)) return printed;
    if (printedPx) layout = { ...layout, contentsPx: printedPx };
    else if (measurement === "none") measurement = "wanted";
    else slackPx++;
  }
  return { status: "impossible", message: notOnePage };
}

/** Prints the document on the highest possible pages, and returns its layout. */
async function measuredOnPaper(
  functions: Functions,
  auto: AutoPages,
  print: () => Promise<Printed | Failure>,
): Promise<Layout | Failure> {
  const set = await functions.setPageHeights({ contentsPx: null });
  if (set.status === "impossible") return set;
  const printed = await print();
  if (printed.status !== "printed") return printed;
  const { file, pages } = printed;
  const contentsPx = pages.length === auto.pages.length + 1 ? contentsOf(file, auto) : null;
  if (!contentsPx) return { status: "impossible", message: notOnePage };
  const rulerPx = distance(writtenDestinations(file), rulerMarks);
  const shrinkFactor = rulerPx === null ? 1 : rulerPx / set.rulerTimes / auto.contentWidth;
  return { contentsPx, shrinkFactor: shrinkFactor < minShrinkFactor ? 1 : shrinkFactor };
}

/** Returns the heights between the margins in the printed file, or null if a page file is not on one page. */
function contentsOf(file: PdfFile, { pages }: AutoPages): number[] | null {
  const destinations = writtenDestinations(file);
  const contentsPx = pages.map(({ contentPx, outsidePx }, index) => {
    const marks = pageMarks(index);
    // A mark has no destination if the styles leave it no width. In that case, only the number of pages can be checked.
    if (!destinations.has(marks.start) || !destinations.has(marks.end)) return contentPx;
    const px = distance(destinations, marks);
    return px === null ? null : px + outsidePx;
  });
  return contentsPx.every((px) => px !== null) ? contentsPx : null;
}

/** Returns the distance between two marks in CSS pixels; null if they are not on the same page. */
function distance(destinations: Map<string, WrittenDestination>, marks: { start: string; end: string }): number | null {
  const [start, end] = [destinations.get(marks.start), destinations.get(marks.end)];
  if (!start || !end || start.page !== end.page || start.yPt === null || end.yPt === null) return null;
  // The end mark is one pixel high, and its destination is its upper edge.
  return (start.yPt - end.yPt) / ptPerPx + 1;
}

function isSame(measured: number[], expected: number[]): boolean {
  return measured.every((px, index) => {
    const growthPx = px - (expected[index] ?? 0);
    return growthPx > -minWhitePx && growthPx < maxGrowthPx;
  });
}
