// Captures a prepared page as a PNG, within the limits on pixels and bytes.
import type { CDPSession } from "@cloudflare/puppeteer";
import { pngSizeProblem } from "../../../core/rendering/png-size.ts";
import type { PreparedPage } from "../../../core/rendering/prepared-page.ts";
import type { PoolJob } from "../../../platform/rendering/job-content.ts";
import { decodeData } from "./large-data.ts";
import type { OutputMemory } from "../output-memory.ts";
import { maxFileBytes, tooLarge, type PageOutcome } from "./page-outcome.ts";

/** An opaque pixel takes at most 3 bytes in a PNG, or 3.05 with the overhead of the format. */
const maxBytesPerPixel = 3.05;

/** A PNG with at most this many pixels cannot exceed `maxFileBytes`, so it is captured without being measured first. */
const maxUnmeasuredPixels = maxFileBytes / maxBytesPerPixel;

/** `isSmall` is whether the PNG is small at any size; see `maxBytesInMessage`. */
export type CaptureInput = { job: PoolJob; prepared: PreparedPage; isSmall: boolean; memory: OutputMemory };

export async function capturePng(
  page: CDPSession,
  { job, prepared: { boxHeights, warnings }, isSmall, memory }: CaptureInput,
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
    return decodeData(data);
  };
  if (!isSmall) await memory.reserve(job.deviceScaleFactor ** 2 * width * height * maxBytesPerPixel);
  const unmeasuredRows = Math.max(1, Math.floor(maxUnmeasuredPixels / job.deviceScaleFactor ** 2 / width));
  if (height > unmeasuredRows && !isSmall) {
    // An image arrives in one message, and a message that is too large breaks the connection. Therefore the image is
    // first captured in strips, whose sizes are added up.
    let size = 0;
    for (let y = 0; y < height; y += unmeasuredRows) {
      size += (await capture(y, Math.min(unmeasuredRows, height - y))).length;
      if (size > maxFileBytes) return tooLarge();
    }
  }
  const bytes = await capture(0, height);
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
