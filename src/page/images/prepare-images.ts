// Prepares the images of the document: empties those that would decode to too many pixels, shrinks those that have more
// pixels across than the output can use, and waits until the others are decoded.
import type { RenderLimits } from "../../core/rendering/prepared-page.ts";
import { counted } from "../../core/counted.ts";
import { attributeOf, findInDocument } from "../dom.ts";
import { decodeImages, isDecodable } from "./decode-images.ts";
import { imageShrinker, isVector } from "./image-shrinker.ts";
import { shrinkBackgrounds } from "./shrink-backgrounds.ts";

/** `rules` are those of the page's own style sheets. Returns the warnings for the document. */
export async function prepareImages(
  rules: CSSRule[],
  { maxImagePixels, maxImageWidthPx }: RenderLimits,
): Promise<string[]> {
  const images = inlinedImages();
  const shrinker = imageShrinker(maxImageWidthPx ?? Infinity);
  const shown: HTMLImageElement[] = [];
  for (const image of images) {
    // So far only the image's header has been read, and it contains the size; nothing has been decoded.
    if (isOversized(image, maxImagePixels)) {
      image.removeAttribute("srcset");
      image.removeAttribute("src");
      continue;
    }
    shown.push(image);
    if (shrinker.isTooWide(image) && (await isDecodable(image))) setSource(image, shrinker.shrink(image));
  }
  if (maxImageWidthPx !== null) await shrinkBackgrounds(rules, shrinker);
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
 * Returns the images whose source is a `data:` URI. An image without a source was emptied on purpose, and one from another
 * origin is reported as blocked.
 */
function inlinedImages(): HTMLImageElement[] {
  const images = findInDocument("img") as HTMLImageElement[];
  return images.filter((image) => /^data:/i.test(attributeOf(image, "src") ?? ""));
}

function isOversized(image: HTMLImageElement, maxPixels: number): boolean {
  return !isVector(image.currentSrc) && image.naturalWidth * image.naturalHeight > maxPixels;
}

/** Removes `src` and the sources of a `picture`, which would otherwise win over the given one. */
function setSource(image: HTMLImageElement, { uri, density }: { uri: string; density: number }): void {
  for (const other of image.closest("picture")?.querySelectorAll("source") ?? []) other.remove();
  image.srcset = `${uri} ${density}x`;
  image.removeAttribute("src");
}
