// Paper sizes and the geometry of a page. An inch is 96 CSS pixels.

/**
 * The width and height of each paper size in portrait orientation. They are CSS lengths, because browsers print such
 * lengths exactly.
 */
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

/**
 * The size of a page. `width` and `height` are in whole CSS pixels; `cssWidth` and `cssHeight` are the exact CSS
 * lengths.
 */
export type PageGeometry = { width: number; height: number; cssWidth: string; cssHeight: string };

const pxPerUnit: Record<string, number> = { px: 1, in: 96, cm: 96 / 2.54, mm: 96 / 25.4, pt: 96 / 72 };

/** Converts a CSS length in px, mm, cm, in or pt to CSS pixels; null when the text is not such a length. */
export function lengthPx(length: string): number | null {
  const match = /^(\d+(?:\.\d+)?)(px|mm|cm|in|pt)$/.exec(length);
  const perUnit = match?.[2] ? pxPerUnit[match[2]] : undefined;
  return match?.[1] && perUnit ? Number(match[1]) * perUnit : null;
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

export function customGeometry(width: number, height: number): PageGeometry {
  return { width, height, cssWidth: `${width}px`, cssHeight: `${height}px` };
}

/**
 * Returns the template's page with the width and height that the request gives, in whole CSS pixels. If the request
 * gives only one of them, the other stays that of the template.
 */
export function overrideGeometry(page: PageGeometry, override: { width?: number; height?: number }): PageGeometry {
  const width = override.width === undefined ? {} : { width: override.width, cssWidth: `${override.width}px` };
  const height = override.height === undefined ? {} : { height: override.height, cssHeight: `${override.height}px` };
  return { ...page, ...width, ...height };
}

/** Whether the margins leave room for content on the page. */
export function marginsFit(page: PageGeometry, margin: Margin): boolean {
  return page.width - margin.left - margin.right >= 1 && page.height - margin.top - margin.bottom >= 1;
}
