// Finds out how much the transforms and zooms of an element and its ancestors enlarge what it shows.
import { parentOf } from "../dom.ts";

/** Returns the factor by which an element is enlarged; `Infinity` if it is unknown. */
export type ElementScale = (element: Element) => number;

/** Returns a function that examines each ancestor only once. */
export function elementScales(): ElementScale {
  const known = new Map<Element, number>();
  const scaleOf = (element: Element): number => {
    const scale = known.get(element);
    if (scale !== undefined) return scale;
    const parent = parentOf(element);
    const found = ownScale(element) * (parent ? scaleOf(parent) : 1);
    known.set(element, found);
    return found;
  };
  return scaleOf;
}

function ownScale(element: Element): number {
  // The content of a drawing is in the drawing's own units.
  if (element instanceof SVGElement) return Infinity;
  const { transform, scale, zoom } = getComputedStyle(element) as CSSStyleDeclaration & { zoom?: string };
  const factors = scale === "none" ? [1] : scale.split(" ").map(Number);
  return transformScale(transform) * Math.max(...factors.map(Math.abs)) * (Number(zoom) || 1);
}

/** Returns the largest factor by which a transform enlarges a length. */
export function transformScale(transform: string): number {
  if (transform === "none") return 1;
  const [, list] = /^matrix\((.*)\)$/.exec(transform) ?? [];
  return list === undefined ? Infinity : matrixScale(list.split(",").map(Number));
}

/** Returns the largest singular value of the matrix `a c / b d`. */
export function matrixScale([a = 1, b = 0, c = 0, d = 1]: number[]): number {
  const [sum, difference] = [a * a + b * b + c * c + d * d, a * a + b * b - c * c - d * d];
  return Math.sqrt((sum + Math.hypot(difference, 2 * (a * c + b * d))) / 2);
}
