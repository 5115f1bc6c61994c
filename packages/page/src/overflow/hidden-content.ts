// Finds the text and the images of an element that lie outside a rectangle, and describes them in a warning. Decoration does not count.
import { boxOf, createRange, descendantsOf, parentOf, attributeOf } from "../dom.ts";

export type Area = { left: number; top: number; right: number; bottom: number };

/** Hidden content: how far it reaches beyond an edge of the area in CSS pixels, and the text with which it begins. */
export type Hidden = { px: number; edge: keyof Area; text: string };

/** A text can still be read if less than this part of it is outside. */
const minHiddenPart = 0.35;
const minImagePx = 3;

/** The boxes around a content. `areaOf` returns the area in which an element shows its content, or null if it shows all of it. */
export type Clipping = {
  areaOf(element: Element): Area | null;
  /** Whether the search must end, because a hostile document has too many boxes inside each other. */
  isOver(): boolean;
};

export function hiddenContent(root: Element, area: Area, clipping: Clipping): Hidden | null {
  let found: Hidden | null = null;
  const texts: Partial<Record<keyof Area, string>> = {};
  for (const node of descendantsOf(root)) {
    if (clipping.isOver()) break;
    for (const box of boxesOf(node)) {
      const visiblePart = withinAncestors(box, node, root, clipping);
      const hidden =
        visiblePart && beyond(visiblePart, area, node instanceof Text ? minHiddenPart * box.height : Infinity);
      if (!hidden) continue;
      if (node instanceof Text) texts[hidden.edge] ??= node.data.trim();
      if (!found || hidden.px > found.px) found = { ...hidden, text: "" };
    }
  }
  return found && { ...found, text: texts[found.edge] ?? "" };
}

/** Returns the boxes of a text or of an image. Other elements have none. */
function boxesOf(node: Node): DOMRect[] {
  if (node instanceof Text && node.data.trim() !== "") {
    const range = createRange();
    range.selectNode(node);
    return isShown(parentOf(node)) ? [...range.getClientRects()].filter(({ width, height }) => width * height > 0) : [];
  }
  const isImage = node instanceof HTMLImageElement || node instanceof SVGSVGElement;
  if (!isImage || !isShown(node)) return [];
  const box = boxOf(node);
  return Math.min(box.width, box.height) < minImagePx ? [] : [box];
}

/** Whether the element and its text can be seen. */
export function isShown(element: Element | null): boolean {
  if (!element?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
  return getComputedStyle(element).color !== "rgba(0, 0, 0, 0)";
}

/** Returns the part of the box that the elements around the node show, or null if it is nothing. */
function withinAncestors(box: Area, node: Node, root: Element, { areaOf }: Clipping): Area | null {
  let visiblePart = box;
  for (let element = parentOf(node); element && element !== root; element = parentOf(element)) {
    const area = areaOf(element);
    if (area) visiblePart = intersection(visiblePart, area);
  }
  return visiblePart.right - visiblePart.left > 1 && visiblePart.bottom - visiblePart.top > 1 ? visiblePart : null;
}

function intersection(a: Area, b: Area): Area {
  const [left, top] = [Math.max(a.left, b.left), Math.max(a.top, b.top)];
  return { left, top, right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) };
}

/** An image counts only if it is completely outside, because people crop images. */
function beyond(box: Area, area: Area, minPx: number): Omit<Hidden, "text"> | null {
  const distances = [
    { edge: "bottom", px: box.bottom - area.bottom, size: box.bottom - box.top },
    { edge: "right", px: box.right - area.right, size: box.right - box.left },
    { edge: "left", px: area.left - box.left, size: box.right - box.left },
    { edge: "top", px: area.top - box.top, size: box.bottom - box.top },
  ] as const;
  const hidden = distances.filter(({ px, size }) => px > Math.min(minPx, size - 1));
  return hidden.toSorted((a, b) => b.px - a.px)[0] ?? null;
}

/** Returns the part of the first hidden text that is certainly hidden: its end, or its beginning at the left and at the top. */
export function textOf({ text, edge }: Hidden): string {
  if (text.length <= maxTextChars) return text === "" ? "" : `: “${text}”`;
  const isEndHidden = edge === "bottom" || edge === "right";
  return isEndHidden ? `: “…${text.slice(-maxTextChars)}”` : `: “${text.slice(0, maxTextChars)}…”`;
}

const maxTextChars = 40;
const maxNameChars = 80;

/** Returns the start tag of the element with its id and its classes. */
export function nameOf(element: Element): string {
  const attributes = ["id", "class"].map((name) => {
    const value = attributeOf(element, name);
    return value && !value.startsWith("colophon-") ? ` ${name}="${value}"` : "";
  });
  return `\`<${element.localName}${attributes.join("").slice(0, maxNameChars)}>\``;
}
