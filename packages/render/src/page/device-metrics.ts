// The size and the pixel density of the viewport for a document.
import { minPagePx } from "colophon-page/page-geometry";
import type { PoolJob } from "../content/job-content.ts";

/**
 * The device scale factor for a PDF. Text in a PDF is vector graphics, but at a factor below 2, glyphs in headers and footers
 * are aligned to whole pixels.
 */
const paperDensity = 2;

/**
 * At this scale, the browser paints nothing when it loads a document for a PDF, which is laid out and printed but never shown. At
 * other scales, the document's layers could occupy the process that paints for all accounts.
 */
const unseen = { x: 0, y: 0, width: 1, height: 1, scale: 0 };

type Viewed = Pick<PoolJob, "format" | "page" | "margin" | "deviceScaleFactor">;

export type DeviceMetrics = ReturnType<typeof deviceMetrics>;

export function deviceMetrics({ format, page, margin, deviceScaleFactor }: Viewed) {
  // A PDF is measured as it will be laid out between its margins.
  const width = format === "pdf" ? page.width - margin.left - margin.right : page.width;
  // For the height "auto", a low viewport prevents lengths such as `100vh` from increasing the content's height.
  const height = page.height === "auto" ? minPagePx : page.height;
  return format === "pdf"
    ? { width, height, deviceScaleFactor: paperDensity, mobile: false, viewport: unseen }
    : { width, height, deviceScaleFactor, mobile: false };
}
