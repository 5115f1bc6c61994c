// The size and the pixel density of the viewport for a document.
import { minPagePx } from "colophon-page/page-geometry";
import type { PoolJob } from "../content/job-content.ts";

/**
 * The device scale factor for a PDF. Text in a PDF is vector graphics, but at a factor below 2, the glyphs of headers
 * and footers are aligned to whole pixels.
 */
const paperDensity = 2;

/**
 * At this scale, the browser paints nothing when it loads a document for a PDF, which is laid out and printed but never shown. At
 * any other scale, the layers of a document could occupy the process that paints for all accounts.
 */
const unseen = { x: 0, y: 0, width: 1, height: 1, scale: 0 };

type Viewed = Pick<PoolJob, "format" | "page" | "margin" | "deviceScaleFactor">;

export type DeviceMetrics = ReturnType<typeof deviceMetrics>;

export function deviceMetrics({ format, page, margin, deviceScaleFactor }: Viewed) {
  // A PDF is measured as it will be laid out between its margins.
  const width = format === "pdf" ? page.width - margin.left - margin.right : page.width;
  // For a height of "auto", a low viewport keeps lengths such as `100vh` from adding to the height of the content.
  const height = page.height === "auto" ? minPagePx : page.height;
  return format === "pdf"
    ? { width, height, deviceScaleFactor: paperDensity, mobile: false, viewport: unseen }
    : { width, height, deviceScaleFactor, mobile: false };
}
