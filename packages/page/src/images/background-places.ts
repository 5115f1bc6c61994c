// The styles that show an image as a background, and the boxes of the elements with these styles.
import { findInTrees, type Tree } from "../dom.ts";
import { styleRules } from "../style-rules.ts";
import { drawingOf, sizeOf, unknownBox, type ImagePlace, type ShownBox } from "./image-places.ts";

const rasterUrls = /url\("(data:image\/(?!svg)[^"]*)"\)/gi;
/** The layers of a computed background, e.g. `url("...")`, `none` and gradients with colours in them. */
const layers = /url\("[^"]*"\)|none|[a-z-]+\((?:[^()"]|\([^()]*\)|"[^"]*")*\)/gi;

/** Returns a function for each place that measures it. `rules` are the rules of the style sheets of `trees`. */
export function findBackgrounds(trees: readonly Tree[], rules: readonly CSSRule[]): (() => ImagePlace)[] {
  const inline = findInTrees(trees, '[style*="url("]').filter((element) => element instanceof HTMLElement);
  return [
    ...styleRules(rules).flatMap(({ style, selector }) => placesOf(style, () => elementsOf(trees, selector))),
    ...inline.flatMap((element) => placesOf(element.style, () => [element])),
  ];
}

/** Returns null for the selector of a pseudo-element, whose boxes are unknown. */
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
  return { box: unknownBox, mayRepeat: backgroundRepeat !== "no-repeat" };
}

/** Returns nothing if the element shows another background than the image. */
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
  // Below a border, there are tiles.
  const isCovered = size === "cover" && style.borderWidth === "0px";
  return [{ box, mayRepeat: style.backgroundRepeat !== "no-repeat" && !isCovered }];
}
