// Finds the elements and styles that show an image, and the boxes in which they show it. A box that is too large only makes the file
// larger, so borders and padding are included, a rotated element counts with the rectangle around it, and rare places count as large as
// the page.
import { boxOf, setAttribute, findInTrees, type Tree } from "../dom.ts";
import { styleRules } from "../style-rules.ts";
import type { Size } from "./kept-images.ts";

/** A box that shows an image, in CSS pixels. The image either covers it or is contained in it. */
export type ShownBox = Size & { isContained: boolean };

/** A place in the document that shows an image: an element or a style. */
export type ImagePlace = {
  uri: string;
  boxes: ShownBox[];
  /** Whether a box may show only a part of the image. */
  mayCrop: boolean;
  /** Whether a drawing that contains the image looks the same here. */
  takesDrawing: boolean;
  /** Shows the same image with different pixels, in the same layout. */
  show(pixels: Pixels): void;
};

/** The replacement for an image with as many pixels as `original`. */
export type Pixels = { uri: string; size: Size; original: Size; asDrawing: boolean };

export const unknownBox: ShownBox = { width: Infinity, height: Infinity, isContained: false };

export function imgPlaces(image: HTMLImageElement): ImagePlace[] {
  const style = getComputedStyle(image);
  // An image whose own orientation is ignored is not changed.
  if (style.imageOrientation === "none") return [];
  const isWhole = ["none", ""].includes(style.getPropertyValue("object-view-box"));
  const isContained = /^(?:contain|scale-down)$/.test(style.objectFit);
  const box = isWhole && style.objectFit !== "none" ? { ...sizeOf(image), isContained } : unknownBox;
  return [
    {
      uri: image.currentSrc,
      boxes: [box],
      mayCrop: style.objectFit !== "fill" || !isWhole,
      takesDrawing: true,
      show({ uri, size, asDrawing }) {
        // A `srcset` may have given the image a natural size that differs from its number of pixels.
        const natural = naturalSize(image);
        removeOtherSources(image);
        image.removeAttribute("src");
        if (asDrawing) image.src = drawingOf(uri, natural);
        else image.srcset = `${uri} ${size.width / natural.width}x`;
      },
    },
  ];
}

/** Removes all sources of the image except `src`, because the browser could otherwise choose one of the others. */
export function removeOtherSources(image: HTMLImageElement): void {
  for (const source of image.closest("picture")?.querySelectorAll("source") ?? []) source.remove();
  image.removeAttribute("srcset");
}

export function naturalSize({ naturalWidth: width, naturalHeight: height }: HTMLImageElement): Size {
  return { width, height };
}

export function sizeOf(element: Element): Size {
  const { width, height } = boxOf(element);
  return { width, height };
}

/** An image inside a pattern, a symbol or the like is displayed in unknown sizes. */
const templates = "defs, symbol, pattern, mask, marker, clipPath";

export function svgPlace(image: SVGImageElement): ImagePlace {
  return {
    uri: image.href.baseVal.trim(),
    boxes: [image.closest(templates) ? unknownBox : { ...sizeOf(image), isContained: false }],
    mayCrop: false,
    // A drawing would not be sliced.
    takesDrawing: false,
    show({ uri }) {
      image.removeAttribute("xlink:href");
      setAttribute(image, "href", uri);
    },
  };
}

/**
 * Returns an SVG drawing of this natural size that shows an image, which must be in base64. Chromium 128 stores the pixels of a
 * JPEG that is cropped, unless the image is a drawing that shows all of it. Without a `viewBox`, the drawing can be stretched.
 */
export function drawingOf(uri: string, { width, height }: Size): string {
  const [, type = "", base64 = ""] = /^data:(image\/[a-z]+)[^,]*,(.*)$/is.exec(uri) ?? [];
  const size = `width='${width}' height='${height}'`;
  const image = `<image ${size} preserveAspectRatio='none' href='data:${type};base64,${base64}'/>`;
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' ${size}>${image}</svg>`;
  return `data:image/svg+xml,${svg.replace(/[<>"#%\s]/g, encodeURIComponent)}`;
}

const rasterUrls = /url\("(data:image\/(?!svg)[^"]*)"\)/gi;
/** The layers of a computed background, e.g. `url("...")`, `none`, and gradients that contain colours. */
const layers = /url\("[^"]*"\)|none|[a-z-]+\((?:[^()"]|\([^()]*\)|"[^"]*")*\)/gi;

/** Returns a function for each place, which measures it. `rules` are the rules of the style sheets of `trees`. */
export function findBackgrounds(trees: readonly Tree[], rules: readonly CSSRule[]): (() => ImagePlace)[] {
  const inline = findInTrees(trees, '[style*="url("]').filter((element) => element instanceof HTMLElement);
  return [
    ...styleRules(rules).flatMap(({ style, selector }) => placesOf(style, () => elementsOf(trees, selector))),
    ...inline.flatMap((element) => placesOf(element.style, () => [element])),
  ];
}

/** Returns null for a pseudo-element's selector, because its boxes are unknown. */
function elementsOf(trees: readonly Tree[], selector: string): Element[] | null {
  return selector.includes("::") ? null : findInTrees(trees, selector);
}

function placesOf(style: CSSStyleDeclaration, findElements: () => Element[] | null): (() => ImagePlace)[] {
  const uris = new Set(Array.from(style.backgroundImage.matchAll(rasterUrls), ([, uri = ""]) => uri));
  if (uris.size === 0) return [];
  const elements = findElements();
  return Array.from(uris, (uri) => () => {
    const backgrounds = elements?.flatMap((element) => shownOn(element, uri)) ?? [unknown(style)];
    const mayRepeat = backgrounds.some((background) => background.mayRepeat);
    return {
      uri,
      boxes: backgrounds.map(({ box }) => box),
      mayCrop: true,
      // Chromium prints the tiles of a drawing as pixels.
      takesDrawing: !mayRepeat,
      show({ uri: shown, size, original, asDrawing }) {
        const css = asDrawing
          ? `url("${drawingOf(shown, original)}")`
          : `image-set(url("${shown}") ${size.width / original.width}x)`;
        const replaced = style.backgroundImage.replaceAll(`url("${uri}")`, () => css);
        style.setProperty("background-image", replaced, style.getPropertyPriority("background-image"));
      },
    };
  });
}

type Background = { box: ShownBox; mayRepeat: boolean };

function unknown({ backgroundRepeat }: CSSStyleDeclaration): Background {
  return { box: unknownBox, mayRepeat: !/^no-repeat(?:, no-repeat)*$/.test(backgroundRepeat) };
}

/** Returns nothing if the element has a different background. */
function shownOn(element: Element, uri: string): Background[] {
  const style = getComputedStyle(element);
  const index = (style.backgroundImage.match(layers) ?? []).findIndex((layer) => layer.includes(uri));
  if (index < 0) return [];
  const sizes = style.backgroundSize.split(", ");
  const size = sizes[index % sizes.length] ?? "";
  // The background of these elements covers the page.
  const isOnPage = /^(?:html|body)$/i.test(element.tagName) || style.backgroundAttachment.includes("fixed");
  if (isOnPage || !/^(?:cover|contain|100%(?: 100%| auto)?)$/.test(size)) return [unknown(style)];
  const box = { ...sizeOf(element), isContained: size === "contain" };
  // The image is repeated under a border.
  const isCovered = size === "cover" && style.borderWidth === "0px";
  return [{ box, mayRepeat: style.backgroundRepeat !== "no-repeat" && !isCovered }];
}
