// Captures a prepared page as a PNG, within the limits on pixels and bytes.
import type { CDPSession } from "@cloudflare/puppeteer";
import { pngSizeProblem } from "../../../core/rendering/png-size.ts";
import type { PreparedPage } from "../../../core/rendering/prepared-page.ts";
import type { RenderJob } from "../../../core/rendering/render-job.ts";
import { maxFileBytes, tooLarge, type PageOutcome } from "./page-outcome.ts";
import { paintsPixels } from "./pdf-size.ts";
import { decodeBase64 } from "./print-command.ts";

/**
 * The maximum number of pixels of a PNG that is captured without being measured first. An opaque pixel takes at most 3
 * bytes in a PNG, or 3.05 with the overhead of the format, so such a file cannot exceed `maxFileBytes`.
 */
const maxUnmeasuredPixels = maxFileBytes / 3.05;

export async function capturePng(
  page: CDPSession,
  job: RenderJob,
  { boxHeights, warnings }: PreparedPage,
): Promise<PageOutcome> {
  const { width } = job.page;
  const height = Math.round(boxHeights.reduce((sum, box) => sum + box, 0));
  const problem = pngSizeProblem(width, height, job.deviceScaleFactor);
  if (problem) return { status: "impossible", message: problem };
  const capture = async (y: number, rows: number) => {
    const { data } = await page.send("Page.captureScreenshot", {
      format: "png",
      captureBeyondViewport: job.page.height === "auto" || height > job.page.height,
      clip: { x: 0, y, width, height: rows, scale: 1 },
      optimizeForSpeed: false,
    });
    return data;
  };
  const unmeasuredRows = Math.max(1, Math.floor(maxUnmeasuredPixels / job.deviceScaleFactor ** 2 / width));
  if (height > unmeasuredRows && mayBeLargePng(job)) {
    // An image arrives in one message, and a message that is too large breaks the connection. Therefore the image is
    // first captured in strips, whose sizes are added up.
    let size = 0;
    for (let y = 0; y < height; y += unmeasuredRows) {
      size += Buffer.byteLength(await capture(y, Math.min(unmeasuredRows, height - y)), "base64");
      if (size > maxFileBytes) return tooLarge();
    }
  }
  const bytes = decodeBase64(await capture(0, height));
  return bytes.length > maxFileBytes
    ? tooLarge()
    : {
        status: "rendered",
        bytes,
        pageCount: boxHeights.length,
        width,
        height: Math.round(boxHeights[0] ?? 0),
        warnings,
      };
}

/**
 * Returns true for a document with pictures or effects, because they may not compress well. Text and shapes compress
 * well at any size.
 */
function mayBeLargePng({ html }: RenderJob): boolean {
  return /data:image|<svg/i.test(html) || paintsPixels.test(html);
}
