// Prepares the images of the document: empties those that would decode to too many pixels, shrinks those that are wider
// than the output can use, and waits until all remaining images are decoded.
import type { RenderLimits } from "../../core/rendering/prepared-page.ts";
import { counted } from "../../core/counted.ts";
import { attributeOf, findInTrees, type Tree } from "../dom.ts";
import { decodeImages, isDecodable } from "./decode-images.ts";
import { imageShrinker, isVector } from "./image-shrinker.ts";
import { shrinkBackgrounds } from "./shrink-backgrounds.ts";

/** Returns the warnings for the document. `rules` are the rules of the style sheets of `trees`. */
export async function prepareImages(
  trees: readonly Tree[],
  rules: CSSRule[],
  { maxImagePixels, maxImageWidthPx }: RenderLimits,
): Promise<string[]> {
  const images = inlinedImages(trees);
  const shrinker = imageShrinker(maxImageWidthPx ?? Infinity);
  const shown: HTMLImageElement[] = [];
  for (const image of images) {
    // So far the browser has read only the image's header, which contains the size, and has decoded nothing.
    if (isOversized(image, maxImagePixels)) {
      image.removeAttribute("srcset");
      image.removeAttribute("src");
      continue;
    }
    shown.push(image);
    if (shrinker.isTooWide(image) && (await isDecodable(image))) setSource(image, shrinker.shrink(image));
  }
  if (maxImageWidthPx !== null) await shrinkBackgrounds(trees, rules, shrinker);
  const oversized = images.length - shown.length;
  const undecodable = await decodeImages(shown);
  const megapixels = `${maxImagePixels / 1e6} megapixels`;
  const warnings: string[] = [];
  if (oversized > 0)
    warnings.push(`Left ${counted(oversized, "image")} empty: an image may have at most ${megapixels}.`);
  if (undecodable > 0) warnings.push(`Left ${counted(undecodable, "image")} empty: decoding failed.`);
  return warnings;
}

/**
 * Returns the images whose source is a `data:` URI. Other images need no preparation: an image without a source was
 * emptied on purpose, and an image with any other URL is blocked and reported elsewhere.
 */
function inlinedImages(trees: readonly Tree[]): HTMLImageElement[] {
  const images = findInTrees(trees, "img") as HTMLImageElement[];
  return images.filter((image) => /^data:/i.test(attributeOf(image, "src") ?? ""));
}

function isOversized(image: HTMLImageElement, maxPixels: number): boolean {
  return !isVector(image.currentSrc) && image.naturalWidth * image.naturalHeight > maxPixels;
}

/**
 * Makes `uri` the only source of the image. The browser could otherwise choose `src` or a source of the surrounding
 * `picture`.
 */
function setSource(image: HTMLImageElement, { uri, density }: { uri: string; density: number }): void {
  for (const other of image.closest("picture")?.querySelectorAll("source") ?? []) other.remove();
  image.srcset = `${uri} ${density}x`;
  image.removeAttribute("src");
}
