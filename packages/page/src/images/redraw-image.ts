// Redraws images with fewer pixels, and stores photos as JPEGs. A JPEG keeps its bytes if it would not become smaller.
import { base64Bytes } from "colophon-base/encoding";
import { encodingOf, type Encoding } from "colophon-images/pixel-encoding";
import { createElement } from "../dom.ts";
import { isDecodable } from "./decode-images.ts";
import { naturalSize } from "./image-places.ts";
import { keptImages, type Redraw, type Size } from "./kept-images.ts";

/** At this quality, the difference is invisible at the density of the displayed image. */
const jpegQuality = 0.8;
/**
 * How many base64 characters of a file are read, in two steps; both are multiples of four. Nearly every JPEG has its header
 * within the first step, but colour profiles and metadata can take more.
 */
const headerChars = [8_000, 400_000];

const keptRedraws = keptImages();

/** An image as a `data:` URI, in a different size from the original. */
export type RedrawnImage = { uri: string; size: Size };

/**
 * Redraws the image with at most `scale` times its pixels in each direction, if that makes the PDF smaller. The source
 * must be a loaded `data:` URI; it need not be decoded. Returns null if the image is not changed.
 */
export async function redrawImage(image: HTMLImageElement, scale: number): Promise<RedrawnImage | null> {
  // This string comes from the browser. A string cut out of a style sheet would keep the whole sheet in memory.
  const source = image.currentSrc;
  const encoding = encodingOfUri(source);
  if (scale >= 1 && (encoding.isCopied || !encoding.isLossy)) return null;
  const size = reducedSize(naturalSize(image), scale);
  const redraw = keptRedraws.find(source, size) ?? (await redrawn(image, size, encoding));
  return redraw && redraw.uri !== null ? { uri: redraw.uri, size } : null;
}

/** Returns null if the image cannot be decoded. */
async function redrawn(image: HTMLImageElement, size: Size, encoding: Encoding): Promise<Redraw | null> {
  const source = image.currentSrc;
  const canvas = await draw(image, size);
  if (!canvas) return null;
  const uri = encoded(canvas, encoding);
  canvas.width = 0; // The browser then frees the pixels immediately.
  const isSame = encoding.isCopied || !encoding.isLossy;
  const redraw = { size, uri: isSame && uri.length >= source.length ? null : uri };
  keptRedraws.keep(source, redraw);
  return redraw;
}

/** Returns whether Chromium copies the image into a PDF. */
export function isCopiedJpeg(uri: string): boolean {
  return encodingOfUri(uri).isCopied;
}

function encodingOfUri(uri: string): Encoding {
  let encoding = encodingOf(new Uint8Array());
  for (const chars of headerChars) {
    encoding = encodingOf(beginningOf(uri, chars));
    if (encoding.isCopied) break;
  }
  return encoding;
}

function beginningOf(uri: string, chars: number): Uint8Array {
  const comma = uri.indexOf(",");
  if (!/;\s*base64\s*$/i.test(uri.slice(0, comma))) return new Uint8Array();
  try {
    return base64Bytes(uri.slice(comma + 1, comma + 1 + chars));
  } catch {
    return new Uint8Array();
  }
}

function reducedSize({ width, height }: Size, scale: number): Size {
  const reduced = (pixels: number) => Math.max(1, Math.round(pixels * Math.min(1, scale)));
  return { width: reduced(width), height: reduced(height) };
}

/** Draws the image on a new canvas. Returns null if it cannot be decoded. */
async function draw(image: HTMLImageElement, size: Size): Promise<HTMLCanvasElement | null> {
  // The browser can decode a JPEG at an eighth, a quarter or half of its size, from which a canvas shrinks it more smoothly.
  const halvings = Math.min(3, Math.floor(Math.log2(image.naturalWidth / size.width)));
  const canvas = halvings > 0 ? drawn(drawn(image, partOf(image, halvings)), size) : drawn(image, size);
  const context = contextOf(canvas);
  // The browser leaves pixels that it cannot decode transparent, at least the last ones.
  const isWhole = isOpaque(context, { width: size.width, height: 1 }, size.height - 1);
  return isWhole || (await isDecodable(image)) ? canvas : null;
}

function partOf({ naturalWidth, naturalHeight }: HTMLImageElement, halvings: number): Size {
  return { width: Math.ceil(naturalWidth / 2 ** halvings), height: Math.ceil(naturalHeight / 2 ** halvings) };
}

function drawn(image: HTMLImageElement | HTMLCanvasElement, { width, height }: Size): HTMLCanvasElement {
  const canvas = createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = contextOf(canvas);
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, width, height);
  if (image instanceof HTMLCanvasElement) image.width = 0; // The browser then frees the pixels immediately.
  return canvas;
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  return canvas.getContext("2d", { willReadFrequently: true }) as CanvasRenderingContext2D;
}

function isOpaque(context: CanvasRenderingContext2D, { width, height }: Size, top = 0): boolean {
  const { data } = context.getImageData(0, top, width, height);
  for (let alpha = 3; alpha < data.length; alpha += 4) if (data[alpha] !== 255) return false;
  return true;
}

/** A drawing without shades is usually smaller as a PNG, and looks better. */
function encoded(canvas: HTMLCanvasElement, { isJpeg, isLossy }: Encoding): string {
  if (isJpeg) return canvas.toDataURL("image/jpeg", jpegQuality);
  const png = canvas.toDataURL("image/png");
  if (!isLossy || !isOpaque(contextOf(canvas), canvas)) return png;
  const jpeg = canvas.toDataURL("image/jpeg", jpegQuality);
  return jpeg.length < png.length ? jpeg : png;
}
