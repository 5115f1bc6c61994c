// Finds text and images outside the margins of the page, where a print shows nothing. Content below the page is on the next page, and
// content that is too far out where lines end makes Chromium shrink the document instead.
import { isBodyPage } from "../boxes/page-boxes.ts";
import { attributeOf, bodyElement, boxOf, isInside, parentOf, rootElement } from "../dom.ts";
import { minPagePx } from "../page-geometry.ts";
import type { StyledElements } from "../style-rules.ts";
import {
  type Area,
  type Clipping,
  fullNameOf,
  hiddenNodes,
  isOutside,
  mayBeOutside,
  type HiddenNode,
  summaryOf,
  textOf,
} from "./hidden-content.ts";
import type { FoundOverflow } from "./mark-overflows.ts";

export function isRightToLeft(): boolean {
  return getComputedStyle(rootElement()).direction === "rtl";
}

/** Returns the elements inside `root`, which is on a page of this width, that are above the first page or beside their page. */
export function outsidePage(
  { width, root, moved }: { width: number; root: Element; moved: readonly Element[] },
  clipping: Clipping,
): FoundOverflow[] {
  const start = isRightToLeft() ? { left: -Infinity, right: width } : { left: 0, right: Infinity };
  const page = { ...start, top: 0, bottom: Infinity };
  if (!movedInside(root, moved).some((element) => mayBeOutside(element, page))) return [];
  const nodes = new Map<Element, HiddenNode[]>();
  for (const hidden of hiddenNodes(root, page, clipping, partToTell)) {
    const element = movedElement(hidden, page);
    if (!element) continue;
    const others = nodes.get(element) ?? [];
    others.push(hidden);
    nodes.set(element, others);
  }
  return [...nodes].flatMap(([element, hidden]) => cutOffAtPage(element, hidden));
}

/**
 * Returns the elements around all content inside `root` that may be moved. Measuring many elements takes longer than measuring all text.
 */
function movedInside(root: Element, moved: readonly Element[]): readonly Element[] {
  if (moved.length > maxMoved || moved.some((element) => isInside(element, root))) return [root];
  return moved.filter((element) => isInside(root, element));
}

const maxMoved = 50;

/**
 * Returns how much of an image must be outside to be reported: a quarter if it was probably not cropped on purpose, and all of it if it
 * is decoration at the edge of the page.
 */
function partToTell(image: Element): number {
  for (let element: Element | null = image; element; element = parentOf(element)) {
    const isMoved = /absolute|sticky/.test(getComputedStyle(element).position);
    if (isMoved) return attributeOf(image, "alt") ? cutPart : 1;
  }
  return cutPart;
}

const cutPart = 0.25;

/** Fixed boxes are on every page, so they may be below or beside it, too. */
export function outsideFixed(width: number, clipping: Clipping, styled: StyledElements): FoundOverflow[] {
  // The viewport of a page whose height is "auto" is low.
  const page = { left: 0, top: 0, right: width, bottom: innerHeight > minPagePx ? innerHeight : Infinity };
  return styled(mayBeFixed, /fixed|\(/i)
    .filter((element) => getComputedStyle(element).position === "fixed" && !hidesInside(element, page, clipping))
    .flatMap((element) => cutOffAtPage(element, [...hiddenNodes(element, page, clipping)]));
}

/** Whether the element itself hides what would otherwise be outside the page. */
function hidesInside(element: Element, page: Area, clipping: Clipping): boolean {
  const area = clipping.areaOf(element);
  return area !== null && !isOutside(area, page);
}

function mayBeFixed({ position }: CSSStyleDeclaration): boolean {
  return /fixed|\(/.test(position);
}

export function cutOffAtPage(element: Element, nodes: readonly HiddenNode[]): FoundOverflow[] {
  const hidden = summaryOf(nodes);
  if (!hidden) return [];
  const message = `${Math.round(hidden.px)} px of ${fullNameOf(element)} are cut off at the ${hidden.edge} edge of the page${textOf(hidden)}.`;
  return [{ element, message, isOffPage: hidden.edge === "left" || hidden.edge === "right" }];
}

/**
 * Returns the outermost element inside a page file that is outside together with the content; null for content that is fixed, or hidden on
 * purpose. An image that can be seen partly is reported separately.
 */
function movedElement({ node, edge, nearPx }: HiddenNode, page: Area): Element | null {
  let moved = node instanceof Element ? node : parentOf(node);
  let isMoved = node instanceof Text || nearPx >= -1;
  for (let element = moved; element && element !== bodyElement(); element = parentOf(element)) {
    const { position, clip, clipPath } = getComputedStyle(element);
    if (position === "fixed" || clip !== "auto" || clipPath !== "none") return null;
    const box = boxOf(element);
    const outPx = edge === "left" || edge === "top" ? page[edge] - box[edge] : box[edge] - page[edge];
    isMoved &&= outPx > 1 && (isBodyPage() || parentOf(element) !== bodyElement());
    if (isMoved) moved = element;
  }
  return moved;
}
