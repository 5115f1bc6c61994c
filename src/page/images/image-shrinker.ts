// Redraws images that are wider, in pixels, than the output can use. Other images keep their bytes, so that Chromium
// can copy a JPEG into a PDF unchanged.
import { createElement } from "../dom.ts";

const jpegQuality = 0.92;

export type ImageShrinker = {
  isTooWide(image: HTMLImageElement): boolean;
  /**
   * Returns the image at the maximum width as a `data:` URI, and its density: the new width divided by the original
   * width. At that density, the new image takes up the same space in a layout. The image passed in must already be decoded.
   */
  shrink(image: HTMLImageElement): { uri: string; density: number };
};

export function imageShrinker(maxWidthPx: number): ImageShrinker {
  const redrawn = new Map<string, string>();
  return {
    isTooWide: (image) => !isVector(image.currentSrc) && image.naturalWidth > maxWidthPx,
    shrink(image) {
      const density = maxWidthPx / image.naturalWidth;
      const uri = redrawn.get(image.currentSrc) ?? redraw(image, maxWidthPx);
      redrawn.set(image.currentSrc, uri);
      return { uri, density };
    },
  };
}

export function isVector(uri: string): boolean {
  return /^data:image\/svg/i.test(uri);
}

/**
 * Returns the redrawn image as a `data:` URI. A JPEG stays a JPEG. Every other image becomes a PNG, which is lossless
 * and keeps transparency.
 */
function redraw(image: HTMLImageElement, widthPx: number): string {
  const canvas = createElement("canvas");
  canvas.width = widthPx;
  canvas.height = Math.max(1, Math.round(image.naturalHeight * (widthPx / image.naturalWidth)));
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const isJpeg = /^data:image\/jpe?g/i.test(image.currentSrc);
  return isJpeg ? canvas.toDataURL("image/jpeg", jpegQuality) : canvas.toDataURL("image/png");
}
