// Prepares the images of the document: empties those that cannot be shown or would decode to too many pixels, shrinks
// those with more pixels than a PDF can show, and waits until all remaining images are decoded.
import type { PrepareInput } from "../prepared-page.ts";
import { counted } from "colophon-base/counted";
import { findInTrees, type Tree } from "../dom.ts";
import { decodeImages, isVector } from "./decode-images.ts";
import { showEmptyBox } from "./empty-box.ts";
import { unusableImages, type ImageProblem } from "./other-images.ts";
import { shrinkImages } from "./shrink-images.ts";

/** Returns the warnings for the document. `rules` are the rules of the style sheets of `trees`. */
export async function prepareImages(trees: readonly Tree[], rules: CSSRule[], input: PrepareInput): Promise<string[]> {
  const { maxImagePixels, imageDensity } = input.limits;
  const images = findInTrees(trees, "img").filter((image) => image instanceof HTMLImageElement);
  const isOversized = (image: HTMLImageElement) =>
    !isVector(image.currentSrc) && image.naturalWidth * image.naturalHeight > maxImagePixels;
  const missing = images.filter((image) => !isInlined(image) && isDisplayed(image));
  const inlined = images.filter(isInlined);
  // So far the browser has read only the header of each image, which contains the size, and has decoded nothing.
  const oversized = inlined.filter(isOversized);
  const shown = inlined.filter((image) => !isOversized(image));
  for (const image of [...missing, ...oversized]) showEmptyBox(image);
  if (imageDensity !== null) {
    await shrinkImages({ trees, rules, images: shown, isOversized, density: imageDensity }, input);
  }
  const undecodable = await decodeImages(shown);
  for (const image of undecodable) showEmptyBox(image);
  const others = await unusableImages(trees, isOversized);
  for (const { element } of others) showEmptyBox(element);
  // The browser draws its icon until the source of an empty box is loaded.
  await decodeImages([...missing, ...oversized, ...undecodable]);
  const othersWith = (wanted: ImageProblem) => others.filter(({ problem }) => problem === wanted).length;
  return imageWarnings({
    oversized: oversized.length + othersWith("oversized"),
    undecodable: undecodable.length + othersWith("undecodable"),
    maxImagePixels,
  });
}

type Emptied = { oversized: number; undecodable: number; maxImagePixels: number };

function imageWarnings({ oversized, undecodable, maxImagePixels }: Emptied): string[] {
  const megapixels = `${maxImagePixels / 1e6} megapixels`;
  const warnings: string[] = [];
  if (oversized > 0)
    warnings.push(`Left ${counted(oversized, "image")} empty: an image may have at most ${megapixels}.`);
  if (undecodable > 0) warnings.push(`Left ${counted(undecodable, "image")} empty: decoding failed.`);
  return warnings;
}

/**
 * Whether the browser has chosen a `data:` URI as the source. Every other image is missing: its source is empty on
 * purpose, or it is blocked and reported elsewhere.
 */
function isInlined(image: HTMLImageElement): boolean {
  return /^data:/i.test(image.currentSrc);
}

/** Whether the element has a box. A template may hide missing images, for example with `img[src=""]`. */
function isDisplayed(image: Element): boolean {
  return getComputedStyle(image).display !== "none";
}
