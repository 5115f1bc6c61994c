// Rotates WebPs by their EXIF orientation, which the browser applies only to other formats. This happens before they are in the document,
// so that all styles see the same size.
import { base64Bytes } from "colophon-base/encoding";
import { webpOrientation } from "colophon-images/exif-orientation";
import { encodingOf } from "colophon-images/pixel-encoding";
import { resolveFiles, type InlinedFile } from "../content/resolve-files.ts";
import { createElement } from "../dom.ts";
import { isDecodable } from "./decode-images.ts";
import { naturalSize } from "./image-places.ts";
import { keptImages, type Size } from "./kept-images.ts";

/** A `data:` URI that begins with `RIFF`. Its type may be wrong. */
const webps = /data:image\/[a-z+-]+;base64,UklGR[\w+/]*={0,2}/gi;

const anySize: Size = { width: 0, height: 0 };
const keptWebps = keptImages();

/** Like `resolveFiles`, with all WebPs upright. Waits only if the text has WebPs. */
export async function resolveUpright(markup: string, files: readonly InlinedFile[]): Promise<string> {
  const text = resolveFiles(markup, files);
  if (!text.includes(";base64,UklGR")) return text;
  const upright = new Map<string, string>();
  for (const uri of new Set(text.match(webps))) if (orientationOf(uri) > 1) upright.set(uri, await uprightUri(uri));
  return upright.size === 0 ? text : text.replace(webps, (uri) => upright.get(uri) ?? uri);
}

function orientationOf(uri: string): number {
  try {
    const orientation = hasExif(uri) ? webpOrientation(bytesOf(uri)) : 1;
    return orientation <= 8 ? orientation : 1;
  } catch {
    return 1; // It is not base64.
  }
}

/** Returns whether the header of an extended WebP announces EXIF data, which is cheaper than decoding the whole file. */
function hasExif(uri: string): boolean {
  const header = bytesOf(uri, 32);
  return String.fromCharCode(...header.subarray(12, 16)) === "VP8X" && ((header[20] ?? 0) & 0x08) !== 0;
}

function bytesOf(uri: string, chars = Infinity): Uint8Array {
  const from = uri.indexOf(",") + 1;
  return base64Bytes(uri.slice(from, from + chars));
}

/** Returns the URI itself if the image cannot be decoded. */
async function uprightUri(uri: string): Promise<string> {
  const kept = keptWebps.find(uri, anySize);
  if (kept) return kept.uri ?? uri;
  const image = new Image();
  image.src = uri;
  // The browser loads a `data:` URI in a microtask.
  await Promise.resolve();
  const turned = (await isDecodable(image))
    ? turnedUri(image, orientationOf(uri), encodingOf(bytesOf(uri)).isLossy)
    : null;
  keptWebps.keep(uri, { size: anySize, uri: turned });
  return turned ?? uri;
}

/** For each orientation, the matrix that rotates a picture of one unit and moves it into view. */
const matrices: [number, number, number, number][] = [
  [-1, 0, 0, 1],
  [-1, 0, 0, -1],
  [1, 0, 0, -1],
  [0, 1, 1, 0],
  [0, 1, -1, 0],
  [0, -1, -1, 0],
  [0, -1, 1, 0],
];
/** A lossy WebP stays lossy. At quality 1, the browser writes a WebP losslessly. */
const lossyQuality = 0.92;

function turnedUri(image: HTMLImageElement, orientation: number, isLossy: boolean): string {
  const { width, height } = naturalSize(image);
  const [a, b, c, d] = matrices[orientation - 2] ?? [1, 0, 0, 1];
  const canvas = createElement("canvas");
  [canvas.width, canvas.height] = a === 0 ? [height, width] : [width, height];
  const context = canvas.getContext("2d");
  const [moveX, moveY] = [a + c < 0 ? canvas.width : 0, b + d < 0 ? canvas.height : 0];
  context?.setTransform(a, b, c, d, moveX, moveY);
  context?.drawImage(image, 0, 0);
  const uri = canvas.toDataURL("image/webp", isLossy ? lossyQuality : 1);
  canvas.width = 0; // The browser frees the pixels immediately.
  return uri;
}
