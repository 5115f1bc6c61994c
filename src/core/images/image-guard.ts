// Decides which images a document may show. A decoded image takes four bytes per pixel, however small its file is.
// Before the browser loads an image, this module therefore checks the width and height in the image's header. A refused
// image is left empty, and a warning gives the reason.
import { decodeXML } from "entities";
import { isImageUri, type ImageSlot } from "../templates/template-data.ts";
import { checkPublicUrl } from "../public-url.ts";
import { imageInfo } from "./image-info.ts";
import { leftEmpty, resolveImages } from "./resolve-images.ts";

const maxSidePx = 16_384;
/**
 * The maximum number of pixels in one image. Decoding that many pixels takes 200 MB of memory. Even an A2 poster at 300
 * dots per inch has only 35 million pixels.
 */
export const maxImagePixels = 50_000_000;
/**
 * The maximum total number of pixels for the images in a document's data. An image that is shown several times counts
 * once.
 */
export const maxDocumentPixels = 100_000_000;
const maxSvgBytes = 2_000_000;
/** The maximum number of SVGs nested inside one another. Each level decodes all levels inside it. */
const maxNestedSvgs = 4;

/** The reason given when the bytes of a file are not an image. */
export const notAnImage = "its content is not a PNG, JPEG, WebP, AVIF, GIF or SVG image";

export type ImageCheck = { status: "ok"; pixels: number } | { status: "refused"; reason: string };

/** Checks the bytes of an image file. For an SVG, `pixels` is the total number of pixels in the images inside it. */
export function checkImage(bytes: Uint8Array): ImageCheck {
  return checkNested(bytes, 0);
}

/** `depth` is the number of SVGs that enclose the image. */
function checkNested(bytes: Uint8Array, depth: number): ImageCheck {
  const info = imageInfo(bytes);
  if (!info) return refused(notAnImage);
  if (info.type === "svg") return checkSvg(bytes, depth);
  const { width, height } = info;
  if (width <= maxSidePx && height <= maxSidePx && width * height <= maxImagePixels)
    return { status: "ok", pixels: width * height };
  const allowed = `${maxSidePx} pixels per side and ${maxImagePixels / 1e6} megapixels in total`;
  return refused(`it is ${width} x ${height} pixels; an image may have at most ${allowed}`);
}

/** Checks an image in a `data:` URI. `depth` is the number of SVGs that enclose the image. */
export function checkImageUri(uri: string, depth = 0): ImageCheck {
  const bytes = dataUriBytes(uri);
  return bytes ? checkNested(bytes, depth) : refused("its `data:` URI is not well formed");
}

/** The results of checks by the `data:` URIs of the images. */
export type ImageChecks = ReadonlyMap<string, ImageCheck>;

/**
 * Checks the images of a document and leaves each refused image empty. Returns all images, and a warning for each of
 * the first 20 refused images. `known` are checks of bytes whose URIs contain nothing else.
 */
export function withoutUnfitImages(
  images: ImageSlot[],
  known: ImageChecks = new Map(),
): { images: ImageSlot[]; warnings: string[] } {
  const check = documentCheck(known);
  return resolveImages(images, ({ source }) => {
    const checked = isImageUri(source) ? check(source) : null;
    return checked?.status === "refused" ? leftEmpty(checked.reason) : { status: "ok", source };
  });
}

/**
 * Returns the images that a document would leave empty, with the reasons. A URL is not fetched; only its form is
 * checked.
 */
export function imageProblems(images: ImageSlot[]): { path: string; reason: string }[] {
  const check = documentCheck();
  return images.flatMap(({ path, source }) => {
    const checked = isImageUri(source) ? check(source) : checkPublicUrl(source, anyPublicHost);
    return checked.status === "refused" ? [{ path, reason: checked.reason }] : [];
  });
}

const anyPublicHost = { allowedOrigins: new Set<string>(), ownHosts: new Set<string>() };

/**
 * Returns a function that checks one image of a document after another, and also limits their total number of pixels.
 * An image that is shown several times counts once.
 */
function documentCheck(known: ImageChecks = new Map()): (uri: string) => ImageCheck {
  const checks = new Map<string, ImageCheck>();
  let pixels = 0;
  const firstCheck = (uri: string): ImageCheck => {
    const check = known.get(uri) ?? checkImageUri(uri);
    if (check.status === "refused") return check;
    if (pixels + check.pixels > maxDocumentPixels) {
      return refused(`the images of one document may have at most ${maxDocumentPixels / 1e6} megapixels in total`);
    }
    pixels += check.pixels;
    return check;
  };
  return (uri) => {
    const check = checks.get(uri) ?? firstCheck(uri);
    checks.set(uri, check);
    return check;
  };
}

/**
 * Checks the images inside an SVG, because they could otherwise bypass the limits. Scripts and requests in the SVG need
 * no check, because the browser blocks them.
 */
export function checkSvg(bytes: Uint8Array, depth = 0): ImageCheck {
  if (depth >= maxNestedSvgs) return refused(`SVGs are nested more than ${maxNestedSvgs} levels deep`);
  if (bytes.length > maxSvgBytes) return refused(`an SVG may be at most ${maxSvgBytes / 1e6} MB`);
  let pixels = 0;
  // XML may write any character of a URI as a reference, and break its lines.
  for (const [uri] of decodeXML(new TextDecoder().decode(bytes)).matchAll(/data:image\/[^"'()<>]*/gi)) {
    const inside = checkImageUri(uri, depth + 1);
    if (inside.status === "refused") return refused(`an image inside it cannot be used: ${inside.reason}`);
    pixels += inside.pixels;
  }
  return pixels > maxImagePixels
    ? refused(`the images inside it have more than ${maxImagePixels / 1e6} megapixels`)
    : { status: "ok", pixels };
}

/**
 * Returns the bytes that a browser would read from a `data:` URI, or null if its base64 is malformed. As in a browser,
 * tabs and line ends are removed, and the URI ends at the first `#`. Percent escapes are decoded before base64, and
 * white space in the base64 is ignored.
 */
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
