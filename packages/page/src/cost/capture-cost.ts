// Refuses an image with effects over too many pixels. The pages of all accounts are painted by one process of the browser, one
// frame after the other.
import { attributeOf, bodyElement, boxOf, childrenOf, elementById, findInDocument } from "../dom.ts";
import { isStyled } from "../style-rules.ts";
import { TooExpensiveError } from "./too-expensive.ts";

/**
 * The maximum of all effects in megapixels, each weighted as below. A weighted megapixel took 0.01 to 0.02 s of processor time. A blur of
 * 20 px over an A4 page counts as 3 weighted megapixels at a device scale factor of 1, and as 18 at 2.
 */
const maxEffectMegapixels = 50;
/** A blur of this radius takes as long as one plain effect; see `primitiveWeight`. */
const blurPx = 10;
const backdropWeight = 5;

const effects = ["filter", "backdrop-filter", "mix-blend-mode", "mask", "mask-image", "-webkit-box-reflect"];
const inAttributes = `[filter],[mask],${["filter", "blend", "mask", "reflect", "\\\\"].map((part) => `[style*="${part}" i]`).join()}`;

/** Returns the weighted megapixels. Throws `TooExpensiveError` if they exceed the limit. */
export function checkCaptureCost(rules: CSSRule[]): number {
  const hasEffect = (style: CSSStyleDeclaration) => effects.some((name) => style.getPropertyValue(name) !== "");
  const mayHaveEffects = isStyled(rules, hasEffect) || findInDocument(inAttributes).length > 0;
  if (!mayHaveEffects) return 0;
  let megapixels = 0;
  for (const element of findInDocument("body, body *")) {
    for (const pseudo of ["", "::before", "::after"]) megapixels += costOf(element, pseudo);
  }
  if (megapixels <= maxEffectMegapixels) return megapixels;
  throw new TooExpensiveError(
    `The effects of the image, such as \`filter\`, \`backdrop-filter\` and \`mask\`, amount to ${Math.round(megapixels)} ` +
      `megapixels; at most ${maxEffectMegapixels} are allowed. Use fewer, smaller or less blurred ones, a lower ` +
      '`deviceScaleFactor`, or the format "pdf".',
  );
}

function costOf(element: Element, pseudo: string): number {
  const style = getComputedStyle(element, pseudo);
  if (pseudo && style.content === "none") return 0;
  const { filter, backdropFilter, mixBlendMode, maskImage } = style;
  const isReflected = style.getPropertyValue("-webkit-box-reflect") !== "none";
  const box = boxOf(element);
  const layoutWidth = (element as HTMLElement).offsetWidth || box.width;
  const scale = devicePixelRatio * Math.max(1, box.width / layoutWidth);
  const weight =
    weightOf(filter, scale) +
    backdropWeight * weightOf(backdropFilter, scale) +
    Number(mixBlendMode !== "normal") +
    Number(maskImage !== "none") +
    3 * Number(isReflected);
  if (weight === 0) return 0;
  // A pseudo-element can be anywhere, and a filter's blur is larger than the box.
  const spread = pseudo ? Infinity : 4 * radiusOf(filter);
  const width = Math.min(box.width + spread, innerWidth);
  const height = Math.min(box.height + spread, bodyElement().scrollHeight);
  return (weight * width * height * devicePixelRatio ** 2) / 1e6;
}

/** Returns the sum of the radii in pixels, which are the last arguments of `blur()` and `drop-shadow()`. */
function radiusOf(filter: string): number {
  return [...filter.matchAll(/([\d.e+]+)px\)/g)].reduce((sum, [, radius]) => sum + Number(radius), 0);
}

function weightOf(filter: string, scale: number): number {
  if (filter === "none") return 0;
  let weight = filter.split(") ").length + (scale * radiusOf(filter)) / blurPx;
  for (const [, id = ""] of filter.matchAll(/url\("#(.*?)"\)/g)) {
    const svgFilter = elementById(id);
    const unit = svgFilter && attributeOf(svgFilter, "primitiveUnits") === "objectBoundingBox" ? 1_000 : scale;
    for (const primitive of svgFilter ? childrenOf(svgFilter) : []) weight += primitiveWeight(primitive, unit);
  }
  return weight;
}

/** Each pixel of a `feMorphology` or `feConvolveMatrix` reads many others. */
function primitiveWeight(primitive: Element, unit: number): number {
  const number = (name: string) => Math.abs(Number.parseFloat(attributeOf(primitive, name) ?? "")) || 0;
  const radii = (number("stdDeviation") / blurPx + 5 * number("radius")) * unit;
  return 5 + radii + number("numOctaves") + 2 * number("order") ** 2;
}
