// Prints with a fake page, whose layout on paper differs from the layout on the screen in ways that a real browser rarely shows.
import { expect, it } from "vitest";
import type { AutoPages, ContentHeights } from "colophon-page/prepared-page";
import { openPdf } from "colophon-pdf/open-pdf";
import { pdf } from "colophon-test-kit/pdf";
import { printAtContentHeight } from "../../src/page/auto-height.ts";

function autoPages(contentsPx: number[], rest: Partial<AutoPages> = {}): AutoPages {
  const pages = contentsPx.map((contentPx) => ({ contentPx, outsidePx: 0 }));
  return { contentWidth: 300, isTooWide: false, pages, ...rest };
}

type Paper = {
  /** Returns the height of the content on paper, in pixels of the layout, for a page with room for `roomPx` pixels. */
  contentPx: (roomPx: number) => number;
  shrinkFactor?: number;
  /** Whether to print like Chromium 127, which shifts the destinations of all pages except the first. */
  isShifted?: boolean;
};

const [marginsPx, rulerTimes, maxPx] = [40, 60, 19_200];

/** Returns a fake page, and prints on it. `set` are the heights between the margins that were set in the page. */
function fakePage({ contentPx, shrinkFactor = 1, isShifted = false }: Paper) {
  const set: (number[] | null)[] = [];
  let pageCountSet = 1;
  const setPageHeights = async ({ contentsPx }: ContentHeights) => {
    set.push(contentsPx);
    pageCountSet = contentsPx?.length ?? pageCountSet;
    const heightsPx = (contentsPx ?? []).map((px) => px + marginsPx);
    return { status: "set" as const, heightsPx, rulerTimes };
  };
  const print = async () => {
    const contentsPx = set.at(-1) ?? null;
    const rooms = contentsPx ?? Array.from({ length: pageCountSet }, () => maxPx - marginsPx);
    const destinations: string[] = [];
    let pageCount = 0;
    let shiftPx = 0;
    const mark = (name: string, page: number, px: number) =>
      destinations.push(`/${name} [${4 + page} 0 R /XYZ 0 ${(Math.floor(-px) - shiftPx) * 0.75} 0]`);
    for (const [index, room] of rooms.entries()) {
      const roomPx = Math.ceil(room) * shrinkFactor;
      const px = contentPx(roomPx);
      mark(`colophon-page-${index + 1}-start`, pageCount, 0);
      pageCount += Math.ceil(px / roomPx);
      mark(`colophon-page-${index + 1}-end`, pageCount - 1, px - 1);
      if (isShifted) shiftPx += roomPx;
    }
    if (!contentsPx) {
      mark("colophon-ruler-start", pageCount, 0);
      mark("colophon-ruler-end", pageCount, 300 * rulerTimes * shrinkFactor - 1);
      pageCount++;
    }
    const page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>";
    const pages = Array.from({ length: pageCount }, () => page);
    const kids = pages.map((_, index) => `${4 + index} 0 R`).join(" ");
    const catalog = "<< /Type /Catalog /Pages 2 0 R /Dests 3 0 R >>";
    const root = `<< /Type /Pages /Count ${pageCount} /Kids [${kids}] >>`;
    const file = openPdf(pdf([catalog, root, `<< ${destinations.join("\n")} >>`, ...pages]));
    return { blankBefore: [], status: "printed" as const, file, pages: pages.map(() => ({ width: 12, height: 12 })) };
  };
  return { set, print, functions: { setPageHeights } };
}

async function printed(paper: Paper, auto: AutoPages) {
  const { functions, print, set } = fakePage(paper);
  const outcome = await printAtContentHeight(functions, auto, print);
  const heights = set.map((contentsPx) => contentsPx?.map((px) => px + marginsPx) ?? "measured");
  const pageCount = outcome.status === "printed" ? outcome.pages.length : null;
  return { outcome, pageCount, heights, prints: set.length };
}

it("a document whose height is auto is printed once if the paper agrees with the screen", async () => {
  const { outcome, heights } = await printed({ contentPx: () => 100.5 }, autoPages([100.5]));

  expect(outcome.status).toBe("printed");
  expect(heights).toEqual([[140.5]]);
});

it("a document whose height is auto is printed again on lower pages if it would have white space below its content", async () => {
  const { outcome, heights } = await printed({ contentPx: () => 80 }, autoPages([100]));

  expect(outcome.status).toBe("printed");
  expect(heights).toEqual([[140], [120]]);
});

it("a document whose height is auto is measured on paper if its content takes more than one page", async () => {
  const { pageCount, heights } = await printed({ contentPx: () => 120 }, autoPages([100]));

  expect(pageCount).toBe(1);
  expect(heights).toEqual([[140], "measured", [160]]);
});

it("a document whose height is auto gets the height of its shrunk content if the content is too wide", async () => {
  const paper = { contentPx: () => 600, shrinkFactor: 1.25 };

  const { pageCount, heights } = await printed(paper, autoPages([900], { isTooWide: true }));

  expect(pageCount).toBe(1);
  expect(heights).toEqual(["measured", [520]]);
});

it("a document whose height is auto may grow into the fraction of a pixel by which its page was rounded up", async () => {
  const { outcome, prints } = await printed({ contentPx: (roomPx) => roomPx }, autoPages([100.5]));

  expect([outcome.status, prints]).toEqual(["printed", 1]);
});

it.each([false, true])("a document of automatic height is checked on every page (shifted: %s)", async (isShifted) => {
  const { outcome, heights } = await printed({ contentPx: () => 80, isShifted }, autoPages([80, 120, 80]));

  expect(outcome.status).toBe("printed");
  expect(heights).toEqual([
    [120, 160, 120],
    [120, 120, 120],
  ]);
});

it("a document whose height is auto is refused if a page file needs several pages at every height", async () => {
  const { outcome } = await printed({ contentPx: (roomPx) => roomPx + 50 }, autoPages([66]));

  expect(outcome).toEqual({ status: "impossible", message: expect.stringContaining("whatever the height") });
});

it("a document whose height is auto is refused after a limited number of prints if its height changes with every print", async () => {
  let printCount = 0;
  const { outcome, prints } = await printed({ contentPx: () => 500 - 50 * printCount++ }, autoPages([900]));

  expect(outcome.status).toBe("impossible");
  expect(prints).toBeLessThanOrEqual(6);
});

it("a document whose height is auto is not printed if it would be too high", async () => {
  const { outcome } = await printed({ contentPx: () => 19_161 }, autoPages([19_161]));

  expect(outcome).toEqual({
    status: "impossible",
    message: expect.stringMatching(/^The page would be 19201 px high.*19200 px/),
  });
});
