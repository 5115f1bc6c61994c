// Finds the element that makes a document too wide.
import { boxOf, findAll, outermostForeign, parentOf } from "../dom.ts";
import type { Clipping } from "./hidden-content.ts";

/** Returns the element inside `outer` that reaches furthest, or the multi-column box that contains it. */
export function widestElement(outer: Element, { boxes, areaOf }: Clipping & { boxes: Set<Element> }): Element {
  const page = boxOf(outer);
  const isRightToLeft = getComputedStyle(outer).direction === "rtl";
  const beyond = (left: number, right: number) => (isRightToLeft ? page.left - left : right - page.right);
  /** How far each element is visible, given its ancestors' boxes. */
  const limits = new Map<Element, number>();
  let [widest, most] = [outer, 0];
  // Text can be wider than every element. The last element that contains it is the innermost.
  let [widestText, mostText] = [outer, 0];
  for (const element of findAll(outer, "*")) {
    const parent = parentOf(element) ?? outer;
    const area = boxes.has(parent) ? areaOf(parent) : null;
    const visiblePx = area ? beyond(area.left, area.right) : Infinity;
    const limit = Math.min(visiblePx, limits.get(parent) ?? Infinity);
    limits.set(element, limit);
    const { left, right } = boxOf(element);
    const px = Math.min(limit, beyond(left, right));
    if (px > most + 0.5) [widest, most] = [element, px];
    const { scrollWidth, clientWidth } = element;
    if (scrollWidth <= clientWidth || (boxes.has(element) && areaOf(element))) continue;
    const textPx = Math.min(limit, beyond(right - scrollWidth, left + scrollWidth));
    if (textPx >= mostText - 0.5) [widestText, mostText] = [element, textPx];
  }
  if (mostText > most + 0.5) widest = widestText;
  for (let element: Element | null = widest; element && element !== outer; element = parentOf(element)) {
    const { columnCount, columnWidth } = getComputedStyle(element);
    if (columnCount !== "auto" || columnWidth !== "auto") return element;
  }
  return outermostForeign(widest);
}
