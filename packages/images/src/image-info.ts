// Reads the type and size of an image from the beginning of its file, without decoding it. So a file of a few kilobytes
// that would decode to gigabytes is refused before a decoder reads it. The file's name is ignored.

export type RasterType = "png" | "jpeg" | "gif" | "webp" | "avif";

/**
 * The type of an image, and the width and height in pixels for which a decoder would allocate memory. An SVG has no
 * size in pixels.
 */
export type ImageInfo = { type: RasterType; width: number; height: number } | { type: "svg" };

/**
 * Returns the type and size of an image. Returns null when the bytes are not a PNG, JPEG, GIF, WebP, still AVIF or SVG, or when
 * they end before the size.
 */
export function imageInfo(bytes: Uint8Array): ImageInfo | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts = (signature: string, at = 0) => ascii(bytes, at, signature.length) === signature;
  try {
    if (starts("\x89PNG\r\n\x1a\n")) return pngInfo(view, bytes);
    if (starts("\xff\xd8\xff")) return jpegInfo(view);
    if (starts("GIF87a") || starts("GIF89a")) return gifInfo(view);
    if (isAvif(view)) return avifInfo(view);
    if (starts("RIFF") && starts("WEBP", 8)) return webpInfo(view, ascii(bytes, 12, 4));
  } catch (error) {
    if (error instanceof RangeError) return null; // The bytes end within the header.
    throw error;
  }
  return isSvg(bytes) ? { type: "svg" } : null;
}

function sized(type: RasterType, width: number, height: number): ImageInfo | null {
  return width > 0 && height > 0 ? { type, width, height } : null;
}

function pngInfo(view: DataView, bytes: Uint8Array): ImageInfo | null {
  return ascii(bytes, 12, 4) === "IHDR" ? sized("png", view.getUint32(16), view.getUint32(20)) : null;
}

/** Reads the size from the first frame header. Skips the segments before it, including a preview image in the EXIF data. */
function jpegInfo(view: DataView): ImageInfo | null {
  for (let at = 2; ;) {
    if (view.getUint8(at) !== 0xff) return null;
    while (view.getUint8(at) === 0xff) at++; // Any number of fill bytes may precede a marker.
    const marker = view.getUint8(at++);
    const hasNoBody = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    if (hasNoBody) continue;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return sized("jpeg", view.getUint16(at + 5), view.getUint16(at + 3));
    if (marker === 0xd9 || marker === 0xda) return null;
    at += view.getUint16(at);
  }
}

/**
 * Returns the size of the logical screen. If the first frame extends beyond the screen, the size includes the whole
 * frame, because browsers do the same.
 */
function gifInfo(view: DataView): ImageInfo | null {
  const skipTable = (at: number, flags: number) => at + (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
  let at = skipTable(13, view.getUint8(10));
  while (view.getUint8(at) === 0x21) {
    at += 2;
    while (view.getUint8(at) > 0) at += view.getUint8(at) + 1;
    at++;
  }
  if (view.getUint8(at) !== 0x2c) return null;
  const across = (offset: number, screen: number) =>
    Math.max(view.getUint16(screen, true), view.getUint16(at + offset, true) + view.getUint16(at + offset + 4, true));
  return sized("gif", across(1, 6), across(3, 8));
}

function webpInfo(view: DataView, chunk: string): ImageInfo | null {
  const int24 = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
  switch (chunk) {
    case "VP8 ": // The upper two bits of the width and the height are a scaling hint.
      return sized("webp", view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
    case "VP8L": {
      const packed = view.getUint32(21, true);
      return sized("webp", (packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1);
    }
    case "VP8X":
      return sized("webp", int24(24) + 1, int24(27) + 1);
    default:
      return null;
  }
}

/**
 * Animations are not supported: Chromium decodes their frames, which can be larger than the still image that the header
 * describes.
 */
function isAvif(view: DataView): boolean {
  return view.byteLength >= 12 && nameAt(view, 4) === "ftyp" && nameAt(view, 8) === "avif";
}

/** Returns a size that no image in the file exceeds, because an image may be composed of others; null if the file states none. */
function avifInfo(view: DataView): ImageInfo | null {
  const size = largestIn(view, { start: 0, end: view.byteLength, level: 0 });
  return size && sized("avif", size.width, size.height);
}

type Size = { width: number; height: number };

/** The boxes that enclose a size. `headerBytes` precede the inner boxes; in `meta`, they are a version and flags. */
const levels = [
  { name: "meta", headerBytes: 4 },
  { name: "iprp", headerBytes: 0 },
  { name: "ipco", headerBytes: 0 },
];

function largestIn(view: DataView, { start, end, level }: { start: number; end: number; level: number }): Size | null {
  const around = levels[level];
  let largest: Size | null = null;
  for (let at = start; at + 8 <= end;) {
    const [length, name] = [view.getUint32(at), nameAt(view, at + 4)];
    // The last box of a file may have the length 0. A box over 4 GB has the length 1; no relevant box is that long.
    if (length < 8) break;
    if (name === (around?.name ?? "ispe")) {
      if (at + length > view.byteLength) throw new RangeError("the box is incomplete");
      const inner = { start: at + 8 + (around?.headerBytes ?? 0), end: Math.min(end, at + length), level: level + 1 };
      largest = larger(largest, around ? largestIn(view, inner) : sizeAt(view, at + 8));
    }
    at += length;
  }
  return largest;
}

/** The size follows a version and flags. */
function sizeAt(view: DataView, at: number): Size {
  return { width: view.getUint32(at + 4), height: view.getUint32(at + 8) };
}

function larger(one: Size | null, other: Size | null): Size | null {
  if (!one || !other) return one ?? other;
  return { width: Math.max(one.width, other.width), height: Math.max(one.height, other.height) };
}

function nameAt(view: DataView, at: number): string {
  return String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));
}

const xmlPreamble = /^\s*(?:<\?[^]*?\?>|<!--[^]*?-->|<!DOCTYPE[^[>]*(?:\[[^\]]*\])?[^>]*>)/i;

/**
 * Returns whether the root element is `svg`. Declarations and comments before it are removed one by one, because a
 * single pattern for all of them could backtrack for a long time.
 */
function isSvg(bytes: Uint8Array): boolean {
  let head = new TextDecoder().decode(bytes.subarray(0, 4_096));
  for (let piece = xmlPreamble.exec(head); piece; piece = xmlPreamble.exec(head)) head = head.slice(piece[0].length);
  return /^\s*<(?:\w+:)?svg[\s>/]/i.test(head);
}

function ascii(bytes: Uint8Array, from: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(from, from + length));
}
