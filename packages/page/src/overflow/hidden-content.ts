// Finds an element's text and images outside a rectangle, and describes them in a warning. Decoration does not count.
import { isBodyPage } from "../boxes/page-boxes.ts";
import {
  bodyElement,
  boxOf,
  checkVisibility,
  createRange,
  descendantsOf,
  findAll,
  hasBoxes,
  isLaidOut,
  parentOf,
  attributeOf,
  textOf as contentOf,
} from "../dom.ts";

export type Area = { left: number; top: number; right: number; bottom: number };

/** Hidden content: how far it reaches beyond an edge of the area in CSS pixels, and the beginning of its text. */
export type Hidden = { px: number; edge: keyof Area; text: string };

/** Text is still readable if less than this part of it is outside. */
const minHiddenPart = 0.35;
const minImagePx = 3;

/** The boxes around content. `areaOf` returns the area in which an element shows its content, or null if it shows everything. */
export type Clipping = {
  areaOf(element: Element): Area | null;
  /** Returns whether the search must stop, because a hostile document has too many nested boxes. */
  isOver(): boolean;
};

/**
 * A text or an image that lies outside an area, and the part of its box that its ancestors show. `nearPx` is how far away from the area its nearest point is, at
 * most 0 if a part is inside.
 */
export type HiddenNode = Omit<Hidden, "text"> & { node: Node; nearPx: number; box: Area };

/** Content this far from the area at the left or at the top is hidden on purpose. */
const farPx = 500;

export function hiddenContent(root: Element, area: Area, clipping: Clipping): Hidden | null {
  return summaryOf([...hiddenNodes(root, area, clipping)]);
}

/** Returns the largest distance, with the first text that is hidden at that edge; null if all of it is hidden on purpose. */
export function summaryOf(nodes: readonly HiddenNode[]): Hidden | null {
  const shown = nodes.filter(({ edge, nearPx }) => nearPx <= farPx || edge === "bottom" || edge === "right");
  const [first, ...others] = shown;
  if (!first) return null;
  const { px, edge } = others.reduce((a, b) => (b.px > a.px ? b : a), first);
  const text = shown.find((hidden) => hidden.edge === edge && hidden.node instanceof Text);
  return { px, edge, text: text ? contentOf(text.node).replaceAll("\u00ad", "").trim() : "" };
}

/**
 * Yields the texts and the images inside `root` that lie outside the area, once for each of their boxes. `imagePart` returns how much of an
 * image must be outside: usually all of it, because images may be cropped on purpose.
 */
export function* hiddenNodes(
  root: Element,
  area: Area,
  clipping: Clipping,
  imagePart: (image: Element) => number = () => 1,
): Generator<HiddenNode> {
  for (const node of descendantsOf(root)) {
    if (clipping.isOver()) return;
    for (const box of boxesOf(node)) {
      const part = node instanceof Element ? imagePart(node) : 1;
      const minPx = node instanceof Text ? minHiddenPart * box.height : Infinity;
      const least = (size: number) => Math.min(minPx, part * size - 1);
      const visiblePart = beyond(box, area, least) && shownPart(box, node, root, clipping);
      const hidden = visiblePart && beyond(visiblePart, area, least);
      if (hidden) yield { ...hidden, node, box: visiblePart };
    }
  }
}

/** Whether a text or an image in the element, or the element if it is an image, may lie outside the area. */
export function mayBeOutside(root: Element, area: Area): boolean {
  const images = isImage(root) ? [root] : findAll(root, "img,svg");
  return [textBox(root), ...images.map(boxOf)].some((box) => isOutside(box, area));
}

export function isOutside(box: Area, { left, top, right, bottom }: Area): boolean {
  return box.left < left - 1 || box.top < top - 1 || box.right > right + 1 || box.bottom > bottom + 1;
}

/** Returns the rectangle around the children of the element and all text in it. */
export function textBox(root: Element): DOMRect {
  const range = createRange();
  range.selectNodeContents(root);
  return range.getBoundingClientRect();
}

/** Returns the boxes of text or of an image. Other elements have none. */
export function boxesOf(node: Node): DOMRect[] {
  if (node instanceof Text && node.data.trim() !== "") {
    const range = createRange();
    range.selectNode(node);
    return isShown(parentOf(node)) ? [...range.getClientRects()].filter(({ width, height }) => width * height > 0) : [];
  }
  if (!isImage(node) || !isShown(node)) return [];
  const box = boxOf(node);
  return Math.min(box.width, box.height) < minImagePx ? [] : [box];
}

function isImage(node: Node): node is HTMLImageElement | SVGSVGElement {
  return node instanceof HTMLImageElement || node instanceof SVGSVGElement;
}

/** Returns whether the element and its text are visible. */
export function isShown(element: Element | null): boolean {
  if (!element || !checkVisibility(element, { opacityProperty: true, visibilityProperty: true })) return false;
  return getComputedStyle(element).color !== "rgba(0, 0, 0, 0)";
}

/** Whether the element shows text, including text in a control. Generated content does not count. */
export function holdsText(element: Element): boolean {
  for (const node of descendantsOf(element)) {
    if (node instanceof Text && node.data.trim() !== "" && isShown(parentOf(node)) && hasBoxes(node)) return true;
    if (isControlWithText(node)) return true;
  }
  return isControlWithText(element) && isLaidOut(element);
}

/** Whether the element shows text or an image. */
export function holdsContent(element: Element): boolean {
  return holdsText(element) || [element, ...findAll(element, "img,svg")].some((each) => isImage(each) && isShown(each));
}

function isControlWithText(node: Node): boolean {
  if (node instanceof HTMLInputElement) {
    return !/^(checkbox|radio|range|color|hidden|image)$/.test(node.type) && /\S/.test(node.value + node.placeholder);
  }
  return node instanceof HTMLSelectElement || (node instanceof HTMLTextAreaElement && /\S/.test(node.value));
}

/** Returns the part of the box that the node's ancestors inside `root` show, or null if they show nothing. */
export function shownPart(box: Area, node: Node, root: Element | null, { areaOf }: Clipping): Area | null {
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

/** `least` returns how much of a box of this size must be outside. */
function beyond(box: Area, area: Area, least: (size: number) => number): Omit<HiddenNode, "node" | "box"> | null {
  const distances = [
    { edge: "bottom", px: box.bottom - area.bottom, size: box.bottom - box.top },
    { edge: "right", px: box.right - area.right, size: box.right - box.left },
    { edge: "left", px: area.left - box.left, size: box.right - box.left },
    { edge: "top", px: area.top - box.top, size: box.bottom - box.top },
  ] as const;
  const hidden = distances.filter(({ px, size }) => px > least(size));
  const [most] = hidden.toSorted((a, b) => b.px - a.px);
  return most ? { edge: most.edge, px: most.px, nearPx: most.px - most.size } : null;
}

/**
 * Returns the part of the first hidden text that is certainly hidden: its end or, at the left and at the top, its beginning.
 */
export function textOf({ text, edge }: Hidden): string {
  if (text.length <= maxTextChars) return text === "" ? "" : `: “${text}”`;
  const isEndHidden = edge === "bottom" || edge === "right";
  return isEndHidden ? `: “…${text.slice(-maxTextChars)}”` : `: “${text.slice(0, maxTextChars)}…”`;
}

const maxTextChars = 40;
const maxNameChars = 80;

/** Returns the element's start tag with its id and classes. */
export function nameOf(element: Element): string {
  const attributes = ["id", "class"].map((name) => {
    const value = attributeOf(element, name);
    return value && !value.startsWith("colophon-") ? ` ${name}="${value}"` : "";
  });
  const [name, about] = [element.localName, attributes.join("")].map((text) => text.slice(0, maxNameChars));
  return `\`<${name}${about}>\``.toWellFormed();
}

/** Like `nameOf`, but an element without an id and a class is named together with the element around it that has one. */
export function fullNameOf(element: Element): string {
  const isNamed = (each: Element) => Boolean(attributeOf(each, "id") || attributeOf(each, "class"));
  let named: Element | null = element;
  while (named && !isNamed(named)) named = parentOf(named);
  const isPage = named && (isBodyPage() ? named : parentOf(named)) === bodyElement();
  return named === element || !named || isPage ? nameOf(element) : `${nameOf(element)} in ${nameOf(named)}`;
}
