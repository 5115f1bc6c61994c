// The limits on the size and quality of images. A request that exceeds them is rejected before it is rendered. If the size is known only after the
// layout, the render fails.
import type { ImageFormat, DocumentFormat } from "colophon-page/document-format";

/** The sides and the area are in device pixels. */
type SizeLimit = { name: string; maxSidePx: number; maxAreaPx: number };

/**
 * Chromium repeats a part of an image with a side over 16,384 pixels, which a WebP cannot have at all. While it compresses an
 * image, the browser does not respond to other renders. A megapixel of text takes 0.2 s of processor time as a WebP, and 0.03 s
 * as a PNG or JPEG; noise takes 0.4 s as a WebP, 0.3 s as a PNG and 0.03 s as a JPEG.
 */
const sizeLimits: Record<ImageFormat, SizeLimit> = {
  png: { name: "PNG", maxSidePx: 16_384, maxAreaPx: 40_000_000 },
  jpeg: { name: "JPEG", maxSidePx: 16_384, maxAreaPx: 40_000_000 },
  webp: { name: "WebP", maxSidePx: 16_383, maxAreaPx: 12_000_000 },
};

/** The size of a complete image. `width` and `height` are in CSS pixels. */
export type ImageSize = { width: number; height: number; deviceScaleFactor: number };

/** Returns a message for the caller if an image of this size is not possible; otherwise null. */
export function imageSizeProblem(format: ImageFormat, size: ImageSize): string | null {
  const { name, maxSidePx, maxAreaPx } = sizeLimits[format];
  const { width, height } = devicePixels(size);
  if (!(width >= 1 && height >= 1))
    return "The image would be empty, because the pages of the template have no height.";
  if (width <= maxSidePx && height <= maxSidePx && width * height <= maxAreaPx) return null;
  return (
    `The image would be ${width} x ${height} pixels; a ${name} may have at most ${maxSidePx} pixels per side and ` +
    `${maxAreaPx / 1e6} megapixels in total. ${remedy(size)}`
  );
}

/**
 * A density of 1 cannot be reduced. Reducing the width or the height may be unwanted, because it cuts off or squeezes the content.
 */
function remedy({ deviceScaleFactor }: ImageSize): string {
  if (deviceScaleFactor > 1) return "Lower `deviceScaleFactor`, `width` or `height`.";
  return 'Lower `width` or `height`, shorten the content, or choose the format "pdf".';
}

export function devicePixels({ width, height, deviceScaleFactor }: ImageSize): { width: number; height: number } {
  return { width: width * deviceScaleFactor, height: height * deviceScaleFactor };
}

type Compression = { imageQuality: number | null; format: ImageFormat };

/**
 * Returns the maximum number of bytes per pixel. An opaque pixel has 3 bytes, or 3.05 with the overhead of a PNG. Noise in which
 * every channel is 0 or 255 took 1.56 bytes in a JPEG of quality 100 and 1.28 in a WebP of quality 99; other noise cannot take
 * much more.
 */
export function maxBytesPerPixel({ format, imageQuality }: Compression): number {
  // Chromium stores a WebP of quality 100 losslessly.
  return format === "webp" && imageQuality === 100 ? losslessBytesPerPixel : bytesPerPixel[format];
}

const losslessBytesPerPixel = 3.05;
const bytesPerPixel: Record<ImageFormat, number> = { png: losslessBytesPerPixel, jpeg: 1.8, webp: 1.5 };

/** A PNG has no quality setting, because its compression is lossless. */
export const imageQualityRange = { min: 1, max: 100 };

/** At this quality, photos look like the originals and have about a third of the bytes of quality 100. */
export const defaultImageQuality = 85;

export function hasImageQuality(format: DocumentFormat): boolean {
  return format === "jpeg" || format === "webp";
}
