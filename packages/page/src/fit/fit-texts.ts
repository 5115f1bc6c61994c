// Reduces the font sizes of the elements with `data-fit` until their text and images fit into their boxes. All of them are measured
// together: each step of the search writes all sizes before it reads the first box, so the browser lays out the document once.
import { attributeOf, findInDocument, isLaidOut, parentOf, setStyle, textOf } from "../dom.ts";
import { fullNameOf, textOf as quotedText } from "../overflow/hidden-content.ts";
import type { FoundOverflow } from "../overflow/mark-overflows.ts";
import { fitAttribute, smallestSizePx } from "../page-geometry.ts";
import { measureOn, type NarrowArea } from "../references/print-width.ts";
import { areaInside, farthestOutside } from "./measure-fit.ts";

const maxElements = 200;
const maxChars = 100_000;
/** Nested elements are fitted one after the other, because the inner sizes may depend on the outer ones. */
const maxDepth = 3;
const minStepPx = 0.25;
/** The number of sizes that a search with seven layouts can distinguish. */
const maxSizes = 127;

/** `low` is the largest size that is known to fit, and `high` the smallest one that does not, in steps above the smallest size. */
type Fitting = { element: HTMLElement; minPx: number; fullPx: number; stepPx: number; low: number; high: number };

/** Returns the elements that do not fit at their smallest size, and a warning about elements that were left out. */
export function fitTexts(narrow: readonly NarrowArea[]): { tooSmall: FoundOverflow[]; warnings: string[] } {
  const found = findInDocument(`[${fitAttribute}]`).filter((element) => element instanceof HTMLElement);
  const marked = found.filter((element) => smallestSizePx(attributeOf(element, fitAttribute) ?? "") !== null);
  if (marked.length === 0) return { tooSmall: [], warnings: [] };
  let chars = 0;
  const elements = marked.slice(0, maxElements).filter((element) => {
    if (chars <= maxChars) chars += textOf(element).length;
    return chars <= maxChars && depthOf(element) < maxDepth;
  });
  const contains = (outer: Element, element: Element) => Node.prototype.contains.call(outer, element);
  const areaOf = (element: Element) =>
    narrow.find(
      (area) =>
        area.elements.some((each) => contains(each, element)) && !area.others.some((each) => contains(each, element)),
    );
  const fitOn = (area?: NarrowArea) =>
    Array.from({ length: maxDepth }).flatMap((_, depth) =>
      fit(elements.filter((each) => depthOf(each) === depth && areaOf(each) === area && isLaidOut(each))),
    );
  const tooSmall = [...fitOn(), ...narrow.flatMap((area) => measureOn(area, () => fitOn(area)))];
  const left = marked.length - elements.length;
  const warning = `Elements with \`${fitAttribute}\` whose text was not fitted: ${left}. A document may have ${maxElements} such elements, with ${maxChars} characters in total, nested at most ${maxDepth} deep.`;
  return { tooSmall, warnings: left > 0 ? [warning] : [] };
}

function depthOf(element: Element): number {
  let depth = 0;
  for (let outer = parentOf(element); outer; outer = parentOf(outer))
    if (attributeOf(outer, fitAttribute) !== null) depth++;
  return depth;
}

function fit(elements: readonly HTMLElement[]): FoundOverflow[] {
  const restoreTransforms = straighten(elements);
  const overflowing = elements.filter(isOverflowing);
  const fittings = overflowing.map(fittingOf);
  for (;;) {
    const open = fittings.filter(({ low, high }) => high - low > 1);
    if (open.length === 0) break;
    for (const fitting of open) setSize(fitting, middleOf(fitting));
    for (const fitting of open) fitting[isOverflowing(fitting.element) ? "high" : "low"] = middleOf(fitting);
  }
  const setSizes = () => {
    for (const fitting of fittings) if (fitting.fullPx > fitting.minPx) setSize(fitting, Math.max(0, fitting.low));
  };
  setSizes();
  const tooSmall = overflowing.flatMap(tooSmallFor);
  // Restoring the transforms restores the whole attribute.
  restoreTransforms();
  setSizes();
  return tooSmall;
}

function isOverflowing(element: Element): boolean {
  return farthestOutside(element, areaInside(element, "padding")) !== null;
}

function fittingOf(element: HTMLElement): Fitting {
  const fullPx = Number.parseFloat(getComputedStyle(element).fontSize);
  const minPx = smallestSizePx(attributeOf(element, fitAttribute) ?? "") ?? fullPx;
  const stepPx = minStepPx * Math.max(1, Math.ceil((fullPx - minPx) / (minStepPx * maxSizes)));
  return { element, minPx, fullPx, stepPx, low: -1, high: Math.max(0, Math.ceil((fullPx - minPx) / stepPx)) };
}

function middleOf({ low, high }: Fitting): number {
  return Math.floor((low + high) / 2);
}

function setSize({ element, minPx, stepPx }: Fitting, steps: number): void {
  setStyle(element, { "font-size": `${minPx + steps * stepPx}px` });
}

/**
 * Removes the transforms of rotated and scaled elements, because their boxes are known only without them. Returns a function that
 * restores the transforms.
 */
function straighten(elements: readonly Element[]): () => void {
  const around = new Set<Element>();
  for (const element of elements)
    for (let each: Element | null = element; each && !around.has(each); each = parentOf(each)) around.add(each);
  const turned = [...around].filter((element) => {
    const { transform, rotate, scale } = getComputedStyle(element);
    return `${transform}${rotate}${scale}` !== "nonenonenone";
  });
  // Unlike `none`, these values keep fixed boxes inside the element.
  const restores = turned.map((element) => setStyle(element, { transform: "scale(1)", rotate: "0deg", scale: "1" }));
  return () => restores.forEach((restore) => restore());
}

function tooSmallFor(element: HTMLElement): FoundOverflow[] {
  const hidden = farthestOutside(element, areaInside(element, "border"));
  if (!hidden) return [];
  const message = `${fullNameOf(element)} is too small for its text, even at the smallest size in its \`${fitAttribute}\`: ${Math.ceil(hidden.px)} px extend beyond its ${hidden.edge} edge${quotedText(hidden)}. Give it more space, or allow a smaller size.`;
  return [{ element, message }];
}
