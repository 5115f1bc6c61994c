// Captures a prepared page as a PNG, within the limits on pixels and bytes.
import type { CDPSession } from "@cloudflare/puppeteer";
import { pngSizeProblem } from "../../../core/rendering/png-size.ts";
import type { PreparedPage } from "../../../core/rendering/prepared-page.ts";
import type { JobText, PoolJob } from "../../../platform/rendering/job-content.ts";
import type { OutputMemory } from "../output-memory.ts";
import { maxFileBytes, tooLarge, type PageOutcome } from "./page-outcome.ts";
import { paintsPixels } from "./pdf-size.ts";
import { decodeBase64 } from "./print-command.ts";

/** An opaque pixel takes at most 3 bytes in a PNG, or 3.05 with the overhead of the format. */
const maxBytesPerPixel = 3.05;

/** A PNG with at most this many pixels cannot exceed `maxFileBytes`, so it is captured without being measured first. */
const maxUnmeasuredPixels = maxFileBytes / maxBytesPerPixel;

export type CaptureInput = { job: PoolJob; text: JobText; prepared: PreparedPage; memory: OutputMemory };

export async function capturePng(
  page: CDPSession,
  { job, text, prepared: { boxHeights, warnings }, memory }: CaptureInput,
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
  if (height > unmeasuredRows && mayBeLargePng(text)) {
    // An image arrives in one message, and a message that is too large breaks the connection. Therefore the image is
    // first captured in strips, whose sizes are added up.
    let size = 0;
    for (let y = 0; y < height; y += unmeasuredRows) {
      size += Buffer.byteLength(await capture(y, Math.min(unmeasuredRows, height - y)), "base64");
      if (size > maxFileBytes) return tooLarge();
    }
  }
  if (mayBeLargePng(text)) await memory.reserve(job.deviceScaleFactor ** 2 * width * height * maxBytesPerPixel);
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
function mayBeLargePng({ head, css, content, files, styleFiles }: JobText): boolean {
  const showsImage = [...files, ...styleFiles].some(({ type }) => /^data:image/i.test(type));
  return showsImage || [head, css, content].some((part) => /data:image|<svg/i.test(part) || paintsPixels.test(part));
}
