// Decides which size a document's record tells.
import type { PageGeometry } from "colophon-page/page-geometry";

/**
 * The maximum difference between a side of a page and the length that its styles ask for. Chromium rounds the sides of
 * pages to whole points and to 1/300 inch, and the sides of the job are rounded to whole pixels.
 */
const maxRoundingPx = 1.5;

/**
 * Returns the size of a page in whole CSS pixels. `real` may have fractions. A side that differs only by rounding from a
 * side of the wanted page, which may have been turned, gets the length of that side.
 */
export function recordedSize(
  real: { width: number; height: number },
  wanted: Pick<PageGeometry, "width" | "height">,
): { width: number; height: number } {
  const sides = wanted.height === "auto" ? [wanted.width] : [wanted.width, wanted.height];
  const recorded = (length: number) =>
    sides.find((side) => Math.abs(length - side) <= maxRoundingPx) ?? Math.round(length);
  return { width: recorded(real.width), height: recorded(real.height) };
}
