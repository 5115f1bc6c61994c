// Decides which images a document may show. A decoded image takes four bytes per pixel, however small its file is, so
// the width and height in its header are checked before the browser loads it. A refused image is left empty, and a
// warning gives the reason.
import { decodeXML } from "entities";
import { imageInfo } from "./image-info.ts";

const maxSidePx = 16_384;
/**
 * The maximum number of pixels in an image. Decoding that many takes 200 MB of memory. Even an A2 poster at 300 dots
 * per inch has only 35 million pixels.
 */
export const maxImagePixels = 50_000_000;
export const maxSvgBytes = 2_000_000;
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

/**
 * Returns why browsers do not show an image that passes the check. They recognize the types of other images by their bytes, but an SVG only
 * by the type in its URI and by its namespace.
 */
export function vectorUriProblem(uri: string): string | null {
  const bytes = dataUriBytes(uri) ?? new Uint8Array();
  const info = imageInfo(bytes);
  const isVector = /^data:\s*image\/svg\+xml\s*[;,]/i.test(uri);
  if (info && info.type !== "svg")
    return isVector ? `it is not an SVG, as its URI says, but of the type ${info.type}` : null;
  if (!info) return null;
  if (!isVector) return "it is an SVG, so its URI must begin with `data:image/svg+xml`";
  const text = new TextDecoder().decode(bytes);
  if (uri.includes("#") && !text.trimEnd().endsWith(">")) return "its `data:` URI ends at `#`; write `%23`";
  return text.includes("http://www.w3.org/2000/svg") ? null : 'its `<svg>` lacks `xmlns="http://www.w3.org/2000/svg"`';
}

/**
 * Checks the images inside an SVG, because they could otherwise bypass the limits. Scripts and requests in the SVG need
 * no check, because the browser blocks them.
 */
export function checkSvg(bytes: Uint8Array, depth = 0): ImageCheck {
  if (depth >= maxNestedSvgs) return refused(`SVGs are nested more than ${maxNestedSvgs} levels deep`);
  if (bytes.length > maxSvgBytes) return refused(`an SVG may be at most ${maxSvgBytes / 1e6} MB`);
  let pixels = 0;
  // XML may write any character of a URI as a character reference, and break its lines.
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
 * tabs and line breaks are removed, the URI ends at the first `#`, percent escapes are decoded before base64, and white
 * space in the base64 is ignored.
 */
function dataUriBytes(source: string): Uint8Array | null {
  const uri = source.replace(/[\t\n\r]/g, "");
  const comma = uri.indexOf(",");
  const [body = ""] = comma < 0 ? [] : uri.slice(comma + 1).split("#", 1);
  const isBase64 = /;\s*base64\s*$/i.test(uri.slice(0, Math.max(0, comma)));
  if (!isBase64) return percentDecoded(body);
  const text = body.includes("%") ? new TextDecoder().decode(percentDecoded(body)) : body;
  const packed = text.replace(/\s+/g, "");
  return /^[A-Za-z0-9+/]*={0,2}$/.test(packed) ? Buffer.from(packed, "base64") : null;
}

function percentDecoded(text: string): Uint8Array {
  const bytes: string = Buffer.from(text).toString("latin1");
  return Buffer.from(
    bytes.replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    "latin1",
  );
}

function refused(reason: string): ImageCheck {
  return { status: "refused", reason };
}
