// Brings the images of a PDF down to the size at which they are shown. An image that is shown several times gets the pixels
// for the largest of its places. Their layout stays the same.
import type { PrepareInput } from "../../core/rendering/prepared-page.ts";
import { findInTrees, rootElement, type Tree } from "../dom.ts";
import { widestPrint } from "../references/print-width.ts";
import { backgroundPlaces } from "./background-places.ts";
import { isDecodable } from "./decode-images.ts";
import { elementScales } from "./element-scale.ts";
import type { Size } from "./fit.ts";
import { imgPlace, svgPlace, type ImagePlace } from "./image-places.ts";
import { haveSameRatio, isCopiedJpeg, redrawImage } from "./redraw-image.ts";

/** The styles of `rules` are those of `trees`. */
export type ShrinkInput = {
  trees: readonly Tree[];
  rules: readonly CSSRule[];
  /** The `img` elements to shrink, which are loaded. */
  images: readonly HTMLImageElement[];
  /** Whether a loaded image has too many pixels to decode it. */
  isOversized: (image: HTMLImageElement) => boolean;
  /** How many pixels of an image may be on one CSS pixel. */
  density: number;
};

type Page = Pick<PrepareInput, "pageWidth" | "margin" | "autoHeight">;

export async function shrinkImages(input: ShrinkInput, page: Page): Promise<void> {
  const { rules, density, isOversized } = input;
  const groups = (await imageGroups(input)).filter(({ image }) => image.naturalWidth > 0 && !isOversized(image));
  if (groups.length === 0) return;
  const needs = atPrintWidth(page, rules, () => groups.map((group) => needOf(group, density, page.pageWidth)));
  for (const [index, need] of needs.entries()) {
    const group = groups[index];
    const source = group ? await shownSource(group, need) : null;
    if (group && source)
      for (const place of group.places) place.show(source.uri, source.density, pixelsOf(group.image));
  }
}

/** An image, with the places that show it. */
type ImageGroup = { uri: string; image: HTMLImageElement; places: ImagePlace[] };

async function imageGroups({ trees, rules, images }: ShrinkInput): Promise<ImageGroup[]> {
  const scaleOf = elementScales();
  // An image that is not turned as it wants to be stays as it is.
  const unturned = new Set(
    images.filter((image) => getComputedStyle(image).imageOrientation === "none").map(({ currentSrc }) => currentSrc),
  );
  const svgImages = findInTrees(trees, "image").filter((element) => element instanceof SVGImageElement);
  const places = [
    ...images.map((image) => imgPlace(image, scaleOf)),
    ...svgImages.map(svgPlace),
    ...backgroundPlaces(trees, rules, scaleOf),
  ].filter(({ uri }) => /^data:/i.test(uri) && !isVector(uri) && !unturned.has(uri));
  const loaded = new Map(images.filter(showsAllPixels).map((image) => [image.currentSrc, image]));
  const groups = Array.from(
    Map.groupBy(places, ({ uri }) => uri),
    async ([uri, group]) => {
      return { uri, places: group, image: loaded.get(uri) ?? (await loadedImage(uri)) };
    },
  );
  return Promise.all(groups);
}

export function isVector(uri: string): boolean {
  return /^data:image\/svg/i.test(uri);
}

/** Whether the natural size of the element is the size of its image in pixels. */
function showsAllPixels(image: HTMLImageElement): boolean {
  return image.srcset === "" && !image.closest("picture");
}

/** Events cannot be waited for, because scripts of the page do not run. */
async function loadedImage(uri: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = uri;
  // The browser loads a `data:` URI in a microtask.
  await Promise.resolve();
  if (!image.complete) await isDecodable(image);
  return image;
}

/** Calls `work` while the document is as wide as it will be on paper. */
function atPrintWidth<T>({ autoHeight, ...page }: Page, rules: readonly CSSRule[], work: () => T): T {
  if (autoHeight !== null) return work();
  const root = rootElement();
  const before = root.getAttribute("style");
  root.style.setProperty("box-sizing", "border-box", "important");
  root.style.setProperty("width", `${widestPrint(page, rules)}px`, "important");
  try {
    return work();
  } finally {
    if (before === null) root.removeAttribute("style");
    else root.setAttribute("style", before);
  }
}

/** How many pixels are needed for each pixel of the image, and whether it is cropped in one of its places. */
type Need = { scale: number; isCropped: boolean };

function needOf({ image, places }: ImageGroup, density: number, pageWidthPx: number): Need {
  const pixels = pixelsOf(image);
  const needs = places.map((place): Need => {
    const { whole, box, isCropped, enlarged } = place.shownAs(pixels);
    if (enlarged === Infinity) return { scale: (pageWidthPx * density) / pixels.width, isCropped };
    const scale = Math.max(whole.width / pixels.width, whole.height / pixels.height) * enlarged;
    // What is wider than the page is not seen, or the whole document is made smaller.
    const visiblePx = Math.min(whole.width, box.width) * enlarged;
    return { scale: scale * Math.min(1, pageWidthPx / visiblePx) * density, isCropped };
  });
  return {
    scale: Math.max(...needs.map(({ scale }) => scale)),
    isCropped: needs.some(({ isCropped }) => isCropped),
  };
}

function pixelsOf({ naturalWidth, naturalHeight }: HTMLImageElement): Size {
  return { width: naturalWidth, height: naturalHeight };
}

/** Returns what is shown instead of the image; null if the image stays. */
async function shownSource(
  { uri, image, places }: ImageGroup,
  { scale, isCropped }: Need,
): Promise<{ uri: string; density: number } | null> {
  const pixels = pixelsOf(image);
  const redrawn = await redrawImage(image, scale);
  // Chromium 128 stores the pixels of a JPEG that is cropped, unless the image is a drawing that shows all of it.
  if (isCropped && isCopiedJpeg(redrawn?.uri ?? uri))
    return { uri: drawingOf(redrawn?.uri ?? uri, pixels), density: 1 };
  if (!redrawn) return null;
  const takeDensity = places.every(({ takesDensity }) => takesDensity) && haveSameRatio(redrawn.size, pixels);
  return takeDensity
    ? { uri: redrawn.uri, density: redrawn.size.width / pixels.width }
    : { uri: drawingOf(redrawn.uri, pixels), density: 1 };
}

/** Returns an SVG drawing of this size that shows an image, which must be in base64. */
function drawingOf(uri: string, { width, height }: Size): string {
  const [, type = "", base64 = ""] = /^data:(image\/[a-z]+)[^,]*,(.*)$/is.exec(uri) ?? [];
  const size = `width='${width}' height='${height}'`;
  const image = `<image ${size} preserveAspectRatio='none' href='data:${type};base64,${base64}'/>`;
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' ${size} viewBox='0 0 ${width} ${height}'>${image}</svg>`;
  return `data:image/svg+xml,${svg.replace(/[<>"#%\s]/g, encodeURIComponent)}`;
}
