// Captures a prepared page as an image, within the limits on pixels and bytes.
import type { CDPSession } from "@cloudflare/puppeteer";
import { withinTime } from "colophon-base/deadline";
import { CodedError } from "colophon-base/loggable-error";
import type { ImageFormat } from "colophon-page/document-format";
import type { PreparedPage } from "colophon-page/prepared-page";
import type { PoolJob } from "../content/job-content.ts";
import { maxFileBytes, tooLarge, type PageOutcome } from "../file-metadata.ts";
import { devicePixels, imageSizeProblem, maxBytesPerPixel } from "../image-limits.ts";
import { maxSmallFileBytes, type OutputMemory } from "./render-weight.ts";

/** The browser does not respond while it compresses a strip. */
const maxStripPixels = 4_000_000;
/**
 * A plain image takes a fraction of this time, unless the browser is painting another account's expensive document. In that case, the
 * image is rendered again in a new session.
 */
const maxSilenceMs = 5_000;
/** A tenth of the allowed effects. */
const maxPlainMegapixels = 5;

/**
 * After its strips, the complete image is compressed. Compared with the strips together, a JPEG was up to 1.2 % larger, a
 * lossless WebP 0.2 %, and a PNG not at all.
 */
function maxStripBytes(format: ImageFormat): number {
  return format === "png" ? maxFileBytes : 0.97 * maxFileBytes;
}

export type ImageJob = PoolJob & { format: ImageFormat };

export type CaptureInput = { job: ImageJob; prepared: PreparedPage; memory: OutputMemory };

/** Captures a region that is as wide as the page. Its top and height are in CSS pixels. */
type Capture = (y: number, rows: number) => Promise<Uint8Array<ArrayBuffer>>;

export async function captureImage(page: CDPSession, { job, prepared, memory }: CaptureInput): Promise<PageOutcome> {
  const { boxHeights, effectMegapixels, overflows, hints, warnings } = prepared;
  const height = imageHeight(prepared);
  const size = { width: job.page.width, height, deviceScaleFactor: job.deviceScaleFactor };
  const messages = overflows.map(({ message }) => message);
  const problem = imageSizeProblem(job.format, size) ?? (job.overflow === "error" ? messages[0] : null);
  if (problem) return { status: "impossible", message: problem };
  const imageSize = devicePixels(size);
  const isPlain = effectMegapixels <= maxPlainMegapixels && imageSize.width * imageSize.height <= maxStripPixels;
  const isRetried = isPlain && job.mayRetry && job.timeoutMs > 2 * maxSilenceMs;
  const capture = captureOf(page, job, { height, maxMs: isRetried ? maxSilenceMs : job.timeoutMs });
  const maxBytes = imageSize.width * imageSize.height * maxBytesPerPixel(job);
  await memory.reserve(maxBytes);
  const rows = Math.floor(maxStripPixels / imageSize.width / job.deviceScaleFactor);
  if (maxBytes > maxFileBytes && (await areStripsTooLarge(job.format, capture, { height, rows }))) return tooLarge();
  const bytes = await capture(0, height);
  if (bytes.length > maxFileBytes) return tooLarge();
  if (bytes.length <= maxSmallFileBytes) memory.release();
  const firstBox = { width: size.width, height: Math.round(boxHeights[0] ?? 0) };
  return {
    status: "rendered",
    bytes,
    pageCount: boxHeights.length,
    ...firstBox,
    imageSize,
    warnings: [...messages, ...hints.map(({ message }) => message), ...warnings],
  };
}

/** Returns the height of the complete image in CSS pixels. */
export function imageHeight({ boxHeights }: PreparedPage): number {
  return Math.round(boxHeights.reduce((sum, box) => sum + box, 0));
}

type CaptureLimits = { height: number; maxMs: number };

function captureOf(page: CDPSession, job: ImageJob, { height, maxMs }: CaptureLimits): Capture {
  const { format, imageQuality, page: paper } = job;
  return async (y, rows) => {
    const capturing = page.send("Page.captureScreenshot", {
      format,
      ...(imageQuality ? { quality: imageQuality } : {}),
      captureBeyondViewport: paper.height === "auto" || height > paper.height,
      clip: { x: 0, y, width: paper.width, height: rows, scale: 1 },
      optimizeForSpeed: false,
    });
    const { data } = await withinTime(maxMs, capturing, () => {
      throw new CodedError("page.silent");
    });
    return Buffer.from(data, "base64");
  };
}

/**
 * Returns whether the file would be too large. An image arrives in one message, and a message that is too large breaks the
 * connection. So the image is first captured in strips, and their sizes are added up.
 */
async function areStripsTooLarge(
  format: ImageFormat,
  capture: Capture,
  { height, rows }: { height: number; rows: number },
): Promise<boolean> {
  let bytes = 0;
  for (let y = 0; y < height; y += rows) {
    bytes += (await capture(y, Math.min(rows, height - y))).length;
    if (bytes > maxStripBytes(format)) return true;
  }
  return false;
}
