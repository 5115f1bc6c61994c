// Prepares a document's images: replaces images that cannot be displayed or have too many pixels with empty boxes, shrinks images with
// more pixels than a PDF can show, and waits until all remaining images are decoded.
import { counted } from "colophon-base/text";
import { attributeOf, findInTrees, type Tree } from "../dom.ts";
import type { PrepareInput } from "../prepared-page.ts";
import { decodeImages, isDecodable, isVector } from "./decode-images.ts";
import { removeOtherSources } from "./image-places.ts";
import { shrinkImages } from "./shrink-images.ts";

/** Returns the warnings for the document. `rules` are the rules of the style sheets of `trees`. */
export async function prepareImages(trees: readonly Tree[], rules: CSSRule[], input: PrepareInput): Promise<string[]> {
  const { maxImagePixels, imageDensity } = input.limits;
  const images = findInTrees(trees, "img").filter((image) => image instanceof HTMLImageElement);
  const isOversized = (image: HTMLImageElement) =>
    !isVector(image.currentSrc) && image.naturalWidth * image.naturalHeight > maxImagePixels;
  const missing = images.filter((image) => !isInlined(image) && isDisplayed(image));
  const inlined = images.filter(isInlined);
  // At this point, the browser has read only the header of each image, which contains the size, and has decoded
  // nothing.
  const oversized = inlined.filter(isOversized);
  const shown = inlined.filter((image) => !isOversized(image));
  for (const image of [...missing, ...oversized]) showEmptyBox(image);
  if (imageDensity !== null) {
    await shrinkImages({ trees, rules, images: shown, isOversized }, imageDensity, input);
  }
  const undecodable = await decodeImages(shown);
  for (const image of undecodable) showEmptyBox(image);
  const others = await unusableImages(trees, isOversized);
  for (const { element } of others) showEmptyBox(element);
  // The browser draws a broken-image icon until the source of an empty box is loaded.
  await decodeImages([...missing, ...oversized, ...undecodable]);
  const emptied: [ImageProblem, number, string][] = [
    ["oversized", oversized.length, `an image may have at most ${maxImagePixels / 1e6} megapixels`],
    ["undecodable", undecodable.length, "decoding failed"],
  ];
  return emptied.flatMap(([problem, images, reason]) => {
    const count = images + others.filter((other) => other.problem === problem).length;
    return count > 0 ? [`Left ${counted(count, "image")} empty: ${reason}.`] : [];
  });
}

/**
 * Returns whether the browser has chosen a `data:` URI as the source. Every other image is missing: its source is empty
 * on purpose, or blocked and reported elsewhere.
 */
function isInlined(image: HTMLImageElement): boolean {
  return /^data:/i.test(image.currentSrc);
}

/**
 * Returns whether the element has a box for its source. A template may hide missing images, for example with `img[src=""]`, or give them a
 * different image with `content`.
 */
function isDisplayed(image: Element): boolean {
  const { display, content } = getComputedStyle(image);
  return display !== "none" && content === "normal";
}

/** An image other than `img` elements: `<image>` in SVG markup, or `<input type="image">`. */
type OtherImage = { element: SVGImageElement | HTMLInputElement; problem: ImageProblem };

/** An image without a `data:` URI is missing: its source is empty, or blocked and reported elsewhere. */
type ImageProblem = "missing" | "oversized" | "undecodable";

/** Returns the images that cannot be displayed. `isOversized` is called after an image's header has been read. */
async function unusableImages(
  trees: readonly Tree[],
  isOversized: (image: HTMLImageElement) => boolean,
): Promise<OtherImage[]> {
  const elements = findInTrees(trees, 'image, input[type="image" i]').filter(isOtherImage);
  /** The problem of each URI, so that an image is examined only once, even if it is shown many times. */
  const problems = new Map<string, Promise<ImageProblem | null>>();
  const examined = elements.map(async (element) => {
    const uri = sourceOf(element);
    const problem = problems.get(uri) ?? problemOf(uri, isOversized);
    problems.set(uri, problem);
    return { element, problem: await problem };
  });
  return (await Promise.all(examined)).flatMap(({ element, problem }) => (problem ? { element, problem } : []));
}

function isOtherImage(element: Element): element is OtherImage["element"] {
  return element instanceof SVGImageElement || element instanceof HTMLInputElement;
}

function sourceOf(element: OtherImage["element"]): string {
  if (element instanceof SVGImageElement) return element.href.baseVal.trim();
  return (attributeOf(element, "src") ?? "").trim();
}

async function problemOf(uri: string, isOversized: (image: HTMLImageElement) => boolean): Promise<ImageProblem | null> {
  if (!/^data:/i.test(uri)) return "missing";
  const image = new Image();
  image.src = uri;
  // The browser reads the header of a `data:` URI in a microtask.
  await Promise.resolve();
  if (isOversized(image)) return "oversized";
  return (await isDecodable(image)) ? null : "undecodable";
}

/** A transparent pixel. It is painted, because Chromium 127 omits images that paint nothing from the PDF's tags. */
export const transparentPixel = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

/**
 * Replaces the source of an image that cannot be displayed, because the browser would draw an icon and the `alt` text in a box of
 * a different size. The box gets the size from styles and attributes, and its `alt` text stays, because a PDF's tags contain it.
 */
function showEmptyBox(image: HTMLElement | SVGElement): void {
  if (image instanceof HTMLImageElement) removeOtherSources(image);
  const attribute = image instanceof SVGImageElement ? "href" : "src";
  image.setAttribute(attribute, transparentPixel);
  // With this style, the pixel's own size and aspect ratio have no effect.
  image.style.setProperty("contain", "size", "important");
}
