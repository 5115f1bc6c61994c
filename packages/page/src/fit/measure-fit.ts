// Measures how far the text and the images of an element extend beyond its box. As in warnings, generated content does not count, and
// neither does text that styles move out of the box.
import { attributeOf, boxOf, createRange, descendantsOf, hasBoxes, parentOf, textOf } from "../dom.ts";
import type { Area, Hidden } from "../overflow/hidden-content.ts";
import { fitAttribute } from "../page-geometry.ts";

/** Chromium rounds the height of letters and the position of their baseline to whole pixels, but not their width. */
const roundingPx = { left: 0.25, right: 0.25, top: 1, bottom: 1 };
const edges = ["left", "right", "top", "bottom"] as const;

/** Returns the box inside the border or inside the padding. The element must not be transformed. */
export function areaInside(element: Element, part: "border" | "padding"): Area {
  const [box, style] = [boxOf(element), getComputedStyle(element)];
  const px = (name: string) => Number.parseFloat(style.getPropertyValue(name)) || 0;
  const areaOf = (edge: keyof Area) => {
    const width = px(`border-${edge}-width`) + (part === "padding" ? px(`padding-${edge}`) : 0);
    return edge === "left" || edge === "top" ? box[edge] + width : box[edge] - width;
  };
  return { left: areaOf("left"), top: areaOf("top"), right: areaOf("right"), bottom: areaOf("bottom") };
}

/** Returns the content that extends farthest beyond the area, with its text; null if everything is inside. */
export function farthestOutside(element: Element, area: Area): Hidden | null {
  let farthest: Hidden | null = null;
  for (const node of descendantsOf(element)) {
    for (const box of boxesOf(node)) {
      for (const edge of edges) {
        const px = edge === "left" || edge === "top" ? area[edge] - box[edge] : box[edge] - area[edge];
        if (px <= Math.max(roundingPx[edge], farthest?.px ?? 0) || !isOwn(node, element, edge)) continue;
        farthest = { px, edge, text: node instanceof Text ? textOf(node).replaceAll("\u00ad", "").trim() : "" };
      }
    }
  }
  return farthest;
}

function boxesOf(node: Node): Area[] {
  if (node instanceof HTMLImageElement || node instanceof SVGSVGElement) return [boxOf(node)];
  const parent = parentOf(node);
  if (!(node instanceof Text) || node.data.trim() === "" || !parent || !hasBoxes(node)) return [];
  const range = createRange();
  range.setStart(node, 0);
  // Trailing spaces may extend beyond the box.
  range.setEnd(node, node.data.trimEnd().length);
  const { lineHeight, writingMode } = getComputedStyle(parent);
  const linePx = Number.parseFloat(lineHeight);
  return [...range.getClientRects()].map((box) => withinLine(box, linePx, writingMode.startsWith("horizontal")));
}

/** The box of a text is as high as its font, which may be more than its line. */
function withinLine({ left, top, right, bottom }: DOMRect, linePx: number, isHorizontal: boolean): Area {
  const size = isHorizontal ? bottom - top : right - left;
  const cut = size > linePx ? (size - linePx) / 2 : 0;
  return isHorizontal
    ? { left, top: top + cut, right, bottom: bottom - cut }
    : { left: left + cut, top, right: right - cut, bottom };
}

/**
 * Returns false if an element around the text or image, inside `element`, moves it over this edge, cuts it off, or is fitted separately.
 */
function isOwn(node: Node, element: Element, edge: keyof Area): boolean {
  for (let inner = parentOf(node); inner; inner = parentOf(inner)) {
    const style = getComputedStyle(inner);
    if (edge === (style.direction === "rtl" ? "right" : "left") && style.textIndent.startsWith("-")) return false;
    if (inner === element) return true;
    const { position, overflow, transform, translate, rotate, scale, left, top } = style;
    const isShifted = position === "relative" && [left, top].some(Number.parseFloat);
    const isTurned = `${transform}${translate}${rotate}${scale}` !== "none".repeat(4);
    if (isShifted || isTurned || /absolute|fixed|sticky/.test(position) || overflow !== "visible") return false;
    if (attributeOf(inner, fitAttribute) !== null || style.getPropertyValue(`margin-${edge}`).startsWith("-"))
      return false;
  }
  return true;
}
