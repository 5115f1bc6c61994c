// Paper sizes and the geometry of a page. An inch is 96 CSS pixels.

/** The width and height of each paper size in portrait orientation. They are CSS lengths, because browsers print these exactly. */
const paperSizes = {
  A3: ["297mm", "420mm"],
  A4: ["210mm", "297mm"],
  A5: ["148mm", "210mm"],
  A6: ["105mm", "148mm"],
  Letter: ["8.5in", "11in"],
  Legal: ["8.5in", "14in"],
  Tabloid: ["11in", "17in"],
  Ledger: ["17in", "11in"],
} as const;

export const pageSizeNames = Object.keys(paperSizes) as PaperSize[];
export type PaperSize = keyof typeof paperSizes;
export type PageSize = PaperSize | "Custom";
export type Orientation = "portrait" | "landscape";

export const minPagePx = 16;
export const maxPagePx = 5000;

/** Margins in whole CSS pixels. */
export type Margin = { top: number; right: number; bottom: number; left: number };

/** A height in whole CSS pixels, or `"auto"`: every page file becomes one page as high as its content. */
export type PageHeight = number | "auto";

/**
 * The maximum height of a page whose height is `"auto"`, in CSS pixels: 14,400 points. Chromium prints no higher pages,
 * and PDF readers show none.
 */
export const maxAutoHeightPx = 19_200;

/**
 * The size of a page. `width` and `height` are in whole CSS pixels; `cssWidth` and `cssHeight` are the exact CSS
 * lengths, or `auto`.
 */
export type PageGeometry = { width: number; height: PageHeight; cssWidth: string; cssHeight: string };

const pxPerUnit: Record<string, number> = { px: 1, in: 96, cm: 96 / 2.54, mm: 96 / 25.4, pt: 96 / 72 };

/** Converts a CSS length in px, mm, cm, in or pt to CSS pixels; null if the string is not a length of this kind. */
export function lengthPx(length: string): number | null {
  const match = /^(\d+(?:\.\d+)?)(px|mm|cm|in|pt)$/.exec(length);
  const perUnit = match?.[2] ? pxPerUnit[match[2]] : undefined;
  return match?.[1] && perUnit ? Number(match[1]) * perUnit : null;
}

/** An element with this attribute gets a smaller font, if its text is too long for its box. */
export const fitAttribute = "data-fit";

/** Returns the smallest font size that an element with `data-fit` may get, in CSS pixels; null if the value is not such a size. */
export function smallestSizePx(value: string): number | null {
  return lengthPx(value.trim().toLowerCase()) || null;
}

export function paperGeometry(size: PaperSize, orientation: Orientation): PageGeometry {
  const [width, height] = paperSizes[size];
  const [cssWidth, cssHeight] = orientation === "landscape" ? [height, width] : [width, height];
  return {
    width: Math.round(lengthPx(cssWidth) ?? 0),
    height: Math.round(lengthPx(cssHeight) ?? 0),
    cssWidth,
    cssHeight,
  };
}

export function customGeometry(width: number, height: PageHeight): PageGeometry {
  return { width, height, cssWidth: `${width}px`, cssHeight: cssHeightOf(height) };
}

function cssHeightOf(height: PageHeight): string {
  return height === "auto" ? "auto" : `${height}px`;
}

/** Returns the page with the width and height from `override`, in whole CSS pixels. A length that `override` lacks does not change. */
export function overrideGeometry(page: PageGeometry, override: { width?: number; height?: PageHeight }): PageGeometry {
  const width = override.width === undefined ? {} : { width: override.width, cssWidth: `${override.width}px` };
  const height =
    override.height === undefined ? {} : { height: override.height, cssHeight: cssHeightOf(override.height) };
  return { ...page, ...width, ...height };
}

/** Returns whether the margins leave space for content on the page. */
export function marginsFit(page: PageGeometry, margin: Margin): boolean {
  const height = page.height === "auto" ? maxAutoHeightPx : page.height;
  return page.width - margin.left - margin.right >= 1 && height - margin.top - margin.bottom >= 1;
}

/** The maximum number of pages of one document. */
export const maxPages = 500;
export const tooManyPages = `The document has more than ${maxPages} pages. Split it into several documents.`;

/** Returns a message for the caller if a page with the height `"auto"` would be too high; otherwise null. */
export function autoHeightProblem(heightPx: number): string | null {
  if (heightPx <= maxAutoHeightPx) return null;
  return (
    `The page would be ${Math.ceil(heightPx)} px high; with \`height\`: "auto", a PDF page may be at most ${maxAutoHeightPx} px ` +
    "(14,400 points) high. Shorten the content, split it into several page files, or give `height` in pixels, so that " +
    "the content flows onto several pages."
  );
}

const pxPerPoint = 96 / 72;
/** A bottom margin below this cannot be reduced, so the page must be as high as its content. */
const minAdjustablePx = 1;

/**
 * Returns the height of a page, and its bottom margin, for content of this height between the margins; all in CSS pixels.
 * Chromium rounds the height of a page to whole points, and rounds the same height up to whole pixels for the layout. The
 * returned height leads to the nearest number of points, and the bottom margin leaves exactly the pixels of the content, so the
 * real bottom margin differs from the intended one by at most two thirds of a pixel.
 */
export function autoPageHeight(contentPx: number, margin: Margin): { heightPx: number; bottomMarginPx: number } {
  const wantedPoints = (margin.top + contentPx + margin.bottom) / pxPerPoint;
  const points = margin.bottom < minAdjustablePx ? Math.ceil(wantedPoints - 0.25) : Math.round(wantedPoints);
  for (let height = points; ; height++) {
    // An addition of less than half a point does not change the number of points, but may give the layout an additional
    // pixel.
    const heightPx = (height + 0.45) * pxPerPoint;
    const bottomMarginPx = Math.ceil(heightPx) - margin.top - Math.ceil(contentPx - 1 / 64);
    if (bottomMarginPx >= 0) return { heightPx, bottomMarginPx };
  }
}
