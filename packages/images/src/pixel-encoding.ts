// Reads how an image's pixels are stored from the beginning of its file. Chromium copies an ordinary JPEG into a PDF unchanged, and
// stores the pixels of any other image losslessly compressed.
import { exifOrientation, startsWith } from "./exif-orientation.ts";
import { imageInfo } from "./image-info.ts";

export type Encoding = {
  /** Whether the pixels already differ from the original, so that a lossy format loses little more. */
  isLossy: boolean;
  /** Whether Chromium copies the file into a PDF. */
  isCopied: boolean;
  isJpeg: boolean;
};

const lossless: Encoding = { isLossy: false, isCopied: false, isJpeg: false };
const lossy: Encoding = { ...lossless, isLossy: true };

/** Returns `lossless` when the beginning is too short to tell. */
export function encodingOf(beginning: Uint8Array): Encoding {
  const view = new DataView(beginning.buffer, beginning.byteOffset, beginning.byteLength);
  switch (imageInfo(beginning)?.type) {
    case "jpeg":
      return { isLossy: true, isJpeg: true, isCopied: isOrdinaryJpeg(view) };
    case "webp":
      return isLossyWebp(view) ? lossy : lossless;
    case "avif":
      return lossy;
    default:
      return lossless;
  }
}

/** Returns whether the JPEG is upright and in greyscale or the usual colour space. */
function isOrdinaryJpeg(view: DataView): boolean {
  let hasColorTransform = true;
  for (let at = 2; at + 4 <= view.byteLength;) {
    const marker = view.getUint8(at + 1);
    if (view.getUint8(at) !== 0xff || marker === 0xff) {
      at++;
      continue;
    }
    const length = view.getUint16(at + 2);
    const body = new DataView(
      view.buffer,
      view.byteOffset + at + 4,
      Math.max(0, Math.min(length - 2, view.byteLength - at - 4)),
    );
    if (marker === 0xe1 && exifOrientation(body) > 1) return false;
    if (marker === 0xee && startsWith(body, "Adobe"))
      hasColorTransform = body.byteLength < 12 || body.getUint8(11) !== 0;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const components = body.byteLength > 5 ? body.getUint8(5) : 0;
      return components === 1 || (components === 3 && hasColorTransform);
    }
    at += 2 + length;
  }
  return false;
}

/** Searches the chunks for the first frame. */
function isLossyWebp(view: DataView): boolean {
  for (let at = 12; at + 8 <= view.byteLength;) {
    const inAt = (name: string) => startsWith(new DataView(view.buffer, view.byteOffset + at), name);
    if (inAt("VP8 ")) return true;
    if (inAt("VP8L")) return false;
    // A frame of an animation contains chunks, after 16 bytes about its position.
    const size = inAt("ANMF") ? 16 : view.getUint32(at + 4, true);
    at += 8 + size + (size & 1);
  }
  return false;
}
