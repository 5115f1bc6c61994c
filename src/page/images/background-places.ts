// The styles that show an image as a background, and how large the elements with these styles show it.
import { findInTrees, type Tree } from "../dom.ts";
import type { ElementScale } from "./element-scale.ts";
import { backgroundFit, unknownSize, type Shown, type Size } from "./fit.ts";
import { lengthPx, type ImagePlace } from "./image-places.ts";

const rasterUrls = /url\("(data:image\/(?!svg)[^"]*)"\)/gi;
/** The layers of a computed background, e.g. `url("...")`, `none` and gradients with colours in them. */
const layers = /url\("[^"]*"\)|none|[a-z-]+\((?:[^()"]|\([^()]*\)|"[^"]*")*\)/gi;

/** `rules` are the rules of the style sheets of `trees`. */
export function backgroundPlaces(
  trees: readonly Tree[],
  rules: readonly CSSRule[],
  scaleOf: ElementScale,
): ImagePlace[] {
  const inline = findInTrees(trees, '[style*="url("]').filter((element) => element instanceof HTMLElement);
  return [
    ...styleRules(rules).flatMap(({ style, selectorText }) =>
      placesOf(style, () => boxesOf(trees, selectorText), scaleOf),
    ),
    ...inline.flatMap((element) => placesOf(element.style, () => [{ element, pseudo: "" }], scaleOf)),
  ];
}

function styleRules(rules: readonly CSSRule[]): CSSStyleRule[] {
  return rules.flatMap((rule) => {
    const inner = "cssRules" in rule ? styleRules([...(rule as CSSGroupingRule).cssRules]) : [];
    return rule instanceof CSSStyleRule ? [rule, ...inner] : inner;
  });
}

/** An element, or the pseudo-element of this name. */
type Box = { element: Element; pseudo: string };

/** Returns the boxes to which the rule applies; null for a selector that is not understood, or one with nothing to match. */
function boxesOf(trees: readonly Tree[], selectorText: string): Box[] | null {
  const pseudo = /::?(before|after)\s*$/.exec(selectorText)?.[1];
  const selector = pseudo ? selectorText.replace(/::?(?:before|after)\s*$/, "") : selectorText;
  if (/::|:(?:before|after|first-l)/.test(selector) || selector.includes("&")) return null;
  const elements = findInTrees(trees, selector.trim() || "*");
  return elements.length === 0 ? null : elements.map((element) => ({ element, pseudo: pseudo ? `::${pseudo}` : "" }));
}

function placesOf(style: CSSStyleDeclaration, findBoxes: () => Box[] | null, scaleOf: ElementScale): ImagePlace[] {
  const uris = new Set(Array.from(style.backgroundImage.matchAll(rasterUrls), ([, uri = ""]) => uri));
  if (uris.size === 0) return [];
  const boxes = findBoxes();
  return Array.from(uris, (uri) => ({
    uri,
    takesDensity: true,
    shownAs: (pixels) =>
      boxes?.map((box) => shownOn(box, { uri, pixels, scaleOf })).reduce(larger) ?? unknownSize(false),
    show(shown, density) {
      const css = density === 1 ? `url("${shown}")` : `image-set(url("${shown}") ${density}x)`;
      const replaced = style.backgroundImage.replaceAll(`url("${uri}")`, () => css);
      style.setProperty("background-image", replaced, style.getPropertyPriority("background-image"));
    },
  }));
}

function larger(one: Shown, other: Shown): Shown {
  const isCropped = one.isCropped || other.isCropped;
  const areaOf = ({ whole, enlarged }: Shown) =>
    enlarged === Infinity ? Infinity : whole.width * whole.height * enlarged ** 2;
  return { ...(areaOf(one) >= areaOf(other) ? one : other), isCropped };
}

type ShownInput = { uri: string; pixels: Size; scaleOf: ElementScale };

function shownOn({ element, pseudo }: Box, { uri, pixels, scaleOf }: ShownInput): Shown {
  // The background of these elements covers the page.
  if (!(element instanceof HTMLElement) || /^(html|body)$/i.test(element.tagName)) return unknownSize(false);
  const style = getComputedStyle(element, pseudo);
  const box = pseudo === "" ? { width: element.offsetWidth, height: element.offsetHeight } : outerBox(style);
  const index = (style.backgroundImage.match(layers) ?? []).findIndex((layer) => layer.includes(uri));
  // Another style may apply to the element, or the element may have no box.
  if (index < 0 || box.width === 0 || box.height === 0) return { whole: box, box, isCropped: false, enlarged: 0 };
  const sizes = style.backgroundSize.split(", ");
  const fit = backgroundFit(box, pixels, sizes[index % sizes.length] ?? "");
  const isFixed = style.backgroundAttachment.includes("fixed");
  if (!fit || isFixed || !(box.width > 0 && box.height > 0)) return unknownSize(false);
  return { ...fit, isCropped: fit.isCropped && isShownOnce(style), enlarged: scaleOf(element) };
}

/** Whether the box shows one copy of a background that is larger than the box. Chromium prints tiles of drawings as pixels. */
function isShownOnce(style: CSSStyleDeclaration): boolean {
  if (style.backgroundRepeat === "no-repeat") return true;
  const hasBorder = ["top", "right", "bottom", "left"].some(
    (side) => style.getPropertyValue(`border-${side}-width`) !== "0px",
  );
  const isInside = /^(?:\d\d?|100)(?:\.\d+)?% (?:\d\d?|100)(?:\.\d+)?%$/.test(style.backgroundPosition);
  return style.backgroundSize === "cover" && isInside && !hasBorder;
}

/** Returns an upper bound for the border box of a pseudo-element; `NaN` if it is unknown. */
function outerBox(style: CSSStyleDeclaration): Size {
  const sum = (...names: string[]) => names.reduce((total, name) => total + lengthPx(style.getPropertyValue(name)), 0);
  return {
    width: sum("width", "padding-left", "padding-right", "border-left-width", "border-right-width"),
    height: sum("height", "padding-top", "padding-bottom", "border-top-width", "border-bottom-width"),
  };
}
