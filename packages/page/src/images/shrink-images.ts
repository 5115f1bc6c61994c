// Shrinks a PDF's images to the size at which they are displayed. An image that occurs several times gets the pixels for its
// largest place. The layout stays the same. The document must be laid out as wide as it will be on paper.
import { findInTrees, type Tree } from "../dom.ts";
import type { PrepareInput } from "../prepared-page.ts";
import { isDecodable, isVector } from "./decode-images.ts";
import { findBackgrounds, imgPlaces, naturalSize, svgPlace, type ImagePlace } from "./image-places.ts";
import type { Size } from "./kept-images.ts";
import { isCopiedJpeg, redrawImage } from "./redraw-image.ts";

type Page = Pick<PrepareInput, "pageWidth" | "pageHeight" | "autoHeight">;

type Shrinkable = {
  trees: readonly Tree[];
  /** The rules of the style sheets of `trees`. */
  rules: readonly CSSRule[];
  /** The loaded `img` elements to shrink. */
  images: readonly HTMLImageElement[];
  /** Returns whether a loaded image has too many pixels to decode it. */
  isOversized: (image: HTMLImageElement) => boolean;
};

/** `density` is the maximum number of image pixels per CSS pixel. */
export async function shrinkImages(
  { trees, rules, images: loaded, isOversized }: Shrinkable,
  density: number,
  page: Page,
): Promise<void> {
  const images = loaded.filter(({ currentSrc }) => isRaster(currentSrc));
  const svgImages = findInTrees(trees, "image")
    .filter((element) => element instanceof SVGImageElement)
    .filter(({ href }) => isRaster(href.baseVal.trim()));
  const backgrounds = findBackgrounds(trees, rules);
  const places = [...images.flatMap(imgPlaces), ...svgImages.map(svgPlace), ...backgrounds.map((measure) => measure())];
  for (const [uri, group] of Map.groupBy(places, (place) => place.uri)) {
    const image = await loadedImage(uri);
    const original = naturalSize(image);
    const scale = largestScale(group, original, page);
    if (original.width > 0 && !isOversized(image) && scale > 0) await shrink(group, image, scale * density);
  }
}

function isRaster(uri: string): boolean {
  return /^data:/i.test(uri) && !isVector(uri);
}

/** Events cannot be awaited, because scripts of the page do not run. */
async function loadedImage(uri: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = uri;
  // The browser loads a `data:` URI in a microtask.
  await Promise.resolve();
  if (!image.complete) await isDecodable(image);
  return image;
}

/** Returns how many CSS pixels show one image pixel in the largest of its boxes. A box counts as at most as large as the page. */
function largestScale(places: ImagePlace[], { width, height }: Size, page: Page): number {
  const pageHeight = page.autoHeight === null ? page.pageHeight : 0;
  const onPage = Math.max(page.pageWidth / width, pageHeight / height);
  const largest = places
    .flatMap(({ boxes }) => boxes)
    .reduce((scale, box) => {
      const [across, down] = [box.width / width, box.height / height];
      return Math.max(scale, box.isContained ? Math.min(across, down) : Math.max(across, down));
    }, 0);
  return Math.min(largest, onPage);
}

async function shrink(places: ImagePlace[], image: HTMLImageElement, scale: number): Promise<void> {
  const original = naturalSize(image);
  const redrawn = await redrawImage(image, scale);
  const { uri, size } = redrawn ?? { uri: image.currentSrc, size: original };
  // If only some places used a drawing, the PDF could contain a second copy of the image.
  const asDrawing = places.every(({ takesDrawing }) => takesDrawing);
  const isCropped = isCopiedJpeg(uri) && places.some(({ mayCrop }) => mayCrop);
  if (redrawn || (isCropped && asDrawing)) for (const place of places) place.show({ uri, size, original, asDrawing });
}
