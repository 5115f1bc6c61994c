// Which images a document may show. A browser decodes a picture to four bytes a pixel whatever its file weighs, so the
// size in its header decides, before the browser is given it; one that is refused becomes an empty box and a warning.
import { imageInfo } from "./image-info.ts";

const maxSidePx = 16_384;
/** Of one image: 200 MB decoded, and more than a poster printed at 300 dots an inch needs. */
export const maxImagePixels = 50_000_000;
/** Of all the images in one document's data, each counted once. */
export const maxDocumentPixels = 100_000_000;
const maxSvgBytes = 2_000_000;
const maxWarnings = 20;

export type ImageCheck = { status: "ok"; pixels: number } | { status: "refused"; reason: string };

/** The bytes of an image file, however they came. An SVG counts the pictures inside it. */
export function checkImage(bytes: Uint8Array): ImageCheck {
  const info = imageInfo(bytes);
  if (!info) return refused("its bytes are no PNG, JPEG, WebP, GIF or SVG image");
  if (info.type === "svg") return checkSvg(bytes);
  const { width, height } = info;
  if (width <= maxSidePx && height <= maxSidePx && width * height <= maxImagePixels)
    return { status: "ok", pixels: width * height };
  const allowed = `${maxSidePx} a side and ${maxImagePixels / 1e6} megapixels in all`;
  return refused(`it is ${width} x ${height} pixels; an image may have at most ${allowed}`);
}

export function checkImageUri(uri: string): ImageCheck {
  const bytes = dataUriBytes(uri);
  return bytes ? checkImage(bytes) : refused("its `data:` URI is not well formed");
}

/** Data in which every `data:` URI of an image that is refused is an empty string, wherever it stands. */
export function withoutUnfitImages(data: Record<string, unknown>): {
  data: Record<string, unknown>;
  warnings: string[];
} {
  const warnings: string[] = [];
  const verdicts = new Map<string, ImageCheck>();
  let pixels = 0;
  const firstVerdict = (uri: string): ImageCheck => {
    const check = checkImageUri(uri);
    if (check.status === "refused") return check;
    const limit = `the images of one document may have ${maxDocumentPixels / 1e6} megapixels together`;
    if (pixels + check.pixels > maxDocumentPixels) return refused(limit);
    pixels += check.pixels;
    return check;
  };
  const cleaned = (value: unknown, path: string): unknown => {
    if (typeof value === "string") {
      if (!/^\s*data:image\//i.test(value)) return value;
      const verdict = verdicts.get(value) ?? firstVerdict(value);
      verdicts.set(value, verdict);
      if (verdict.status === "ok") return value;
      if (warnings.length < maxWarnings) warnings.push(`The image \`${path}\` was left empty: ${verdict.reason}.`);
      return "";
    }
    if (Array.isArray(value)) return value.map((item, index) => cleaned(item, `${path}.${index}`));
    return typeof value === "object" && value !== null ? cleanedObject(value, `${path}.`) : value;
  };
  const cleanedObject = (object: object, prefix: string): Record<string, unknown> =>
    Object.fromEntries(Object.entries(object).map(([key, value]) => [key, cleaned(value, prefix + key)]));
  return { data: cleanedObject(data, ""), warnings };
}

/** Scripts and fetches of an SVG are the browser's to refuse; pictures inside it are a way around the limits. */
function checkSvg(bytes: Uint8Array): ImageCheck {
  if (bytes.length > maxSvgBytes) return refused(`an SVG may have at most ${maxSvgBytes / 1e6} MB`);
  let pixels = 0;
  for (const [uri] of new TextDecoder().decode(bytes).matchAll(/data:image\/[^"'()\s<>]*/gi)) {
    const inside = checkImageUri(uri);
    if (inside.status === "refused") return refused(`of an image inside it: ${inside.reason}`);
    pixels += inside.pixels;
  }
  return pixels > maxImagePixels
    ? refused(`the images inside it have more than ${maxImagePixels / 1e6} megapixels`)
    : { status: "ok", pixels };
}

/** Read as browsers do: no line ends, percent signs first, then base64 with any spaces; what follows a `#` is no data. */
function dataUriBytes(given: string): Uint8Array | null {
  const uri = given.replace(/[\t\n\r]/g, "");
  const comma = uri.indexOf(",");
  const [body = ""] = comma < 0 ? [] : uri.slice(comma + 1).split("#", 1);
  const isBase64 = /;\s*base64\s*$/i.test(uri.slice(0, Math.max(0, comma)));
  if (!isBase64) return percentDecoded(body);
  const text = body.includes("%") ? new TextDecoder().decode(percentDecoded(body)) : body;
  const packed = text.replace(/\s+/g, "");
  return /^[A-Za-z0-9+/]*={0,2}$/.test(packed) ? Buffer.from(packed, "base64") : null;
}

function percentDecoded(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  const isHex = (byte: number | undefined) => byte !== undefined && /[0-9A-Fa-f]/.test(String.fromCharCode(byte));
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const isEscape = bytes[at] === 0x25 && isHex(bytes[at + 1]) && isHex(bytes[at + 2]);
    bytes[length++] = isEscape
      ? parseInt(String.fromCharCode(...bytes.subarray(at + 1, at + 3)), 16)
      : (bytes[at] ?? 0);
    if (isEscape) at += 2;
  }
  return bytes.subarray(0, length);
}

function refused(reason: string): ImageCheck {
  return { status: "refused", reason };
}
