// The places in the markup that show an image, and how large they show it.
import { setAttribute } from "../dom.ts";
import { matrixScale, type ElementScale } from "./element-scale.ts";
import { removeOtherSources } from "./empty-box.ts";
import { objectFit, svgFit, unknownSize, type Shown, type Size } from "./fit.ts";

/** A place in the document that shows an image, or a style that does. */
export type ImagePlace = {
  uri: string;
  /** Whether the place can show an image at another density than 1. */
  takesDensity: boolean;
  /** Returns how the place shows the image, which has this many pixels. */
  shownAs(pixels: Size): Shown;
  /** Shows another image instead, which has the natural size of the first one at this density. */
  show(uri: string, density: number, pixels: Size): void;
};

export function imgPlace(image: HTMLImageElement, scaleOf: ElementScale): ImagePlace {
  return {
    uri: image.currentSrc,
    takesDensity: true,
    shownAs() {
      const style = getComputedStyle(image);
      const box = contentBox(style);
      if (!box) return unknownSize(false);
      const natural = { width: image.naturalWidth, height: image.naturalHeight };
      const isWhole = ["none", ""].includes(style.getPropertyValue("object-view-box"));
      return isWhole ? { ...objectFit(box, natural, style), enlarged: scaleOf(image) } : unknownSize(true);
    },
    show(uri, density, pixels) {
      // A `srcset` may have given the image a natural size other than its number of pixels.
      const total = density * ownDensity(image, pixels);
      removeOtherSources(image);
      if (total === 1) {
        image.src = uri;
      } else {
        image.srcset = `${uri} ${total}x`;
        image.removeAttribute("src");
      }
    },
  };
}

function ownDensity({ naturalWidth }: HTMLImageElement, { width }: Size): number {
  const density = width / naturalWidth;
  const rounded = Math.round(density);
  return Math.abs(density - rounded) < 0.01 ? rounded : density;
}

/** Returns the size of the content box of a replaced element; null if it has no box, or an empty one. */
function contentBox(style: CSSStyleDeclaration): Size | null {
  const sum = (...names: string[]) =>
    names.reduce((total, name) => total + parseFloat(style.getPropertyValue(name)), 0);
  const isBorderBox = style.boxSizing === "border-box";
  const across = isBorderBox ? sum("padding-left", "padding-right", "border-left-width", "border-right-width") : 0;
  const down = isBorderBox ? sum("padding-top", "padding-bottom", "border-top-width", "border-bottom-width") : 0;
  const box = { width: lengthPx(style.width) - across, height: lengthPx(style.height) - down };
  return style.display !== "none" && box.width > 0 && box.height > 0 ? box : null;
}

export function lengthPx(value: string): number {
  return /^[\d.]+px$/.test(value) ? parseFloat(value) : Number.NaN;
}

/** An image inside a pattern, a symbol or the like is shown in sizes that are unknown. */
const templates = "defs, symbol, pattern, mask, marker, clipPath";

export function svgPlace(image: SVGImageElement): ImagePlace {
  return {
    uri: image.href.baseVal.trim(),
    takesDensity: false,
    shownAs(pixels) {
      const matrix = image.closest(templates) ? null : image.getScreenCTM();
      const { width, height } = image.getBBox();
      if (!matrix || width <= 0 || height <= 0) return unknownSize(true);
      const { a, b, c, d } = matrix;
      const fit = svgFit({ width, height }, pixels, image.preserveAspectRatio.baseVal);
      return { ...fit, enlarged: matrixScale([a, b, c, d]) };
    },
    show(uri) {
      image.removeAttribute("xlink:href");
      setAttribute(image, "href", uri);
    },
  };
}
