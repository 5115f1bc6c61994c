// Finds out which text that leaves its box or its column is printed over other text.
import { bodyElement, descendantsOf, isInside, parentOf } from "../dom.ts";
import { type Area, boxesOf, type Clipping, type HiddenNode, shownPart } from "./hidden-content.ts";

/** Whether a piece of text from inside the box covers text around it. */
export type Collides = (piece: Area, box: Element) => boolean;

/** Text that covers other text mostly covers what is next to its box. */
const [maxTextsBefore, maxTextsAfter] = [20, 60];
const maxComparisons = 20_000;
/** Tight lines overlap by less than this fraction of their height. */
const minOverlap = 0.4;

export function collisionTest(): Collides {
  let comparisons = 0;
  return (piece, box) => {
    for (const node of textsAround(box)) {
      if (comparisons++ > maxComparisons) return false;
      if (boxesOf(node).some((other) => overlap(piece, other)) && !isMoved(node, bodyElement(), "right")) return true;
    }
    return false;
  };
}

function* textsAround(box: Element): Generator<Node> {
  const walker = Document.prototype.createTreeWalker.call(document, bodyElement(), NodeFilter.SHOW_TEXT);
  walker.currentNode = box;
  let count = 0;
  for (let node = walker.nextNode(); node && count < maxTextsAfter; node = walker.nextNode()) {
    if (isInside(box, node) || !isText(node)) continue;
    count++;
    yield node;
  }
  walker.currentNode = box;
  for (let node = walker.previousNode(); node && count < maxTextsAfter + maxTextsBefore; node = walker.previousNode()) {
    if (!isText(node)) continue;
    count++;
    yield node;
  }
}

function isText(node: Node): boolean {
  return node instanceof Text && node.data.trim() !== "";
}

function overlap(a: Area, b: Area): boolean {
  const widthPx = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const heightPx = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return widthPx > 1 && heightPx > minOverlap * Math.min(a.bottom - a.top, b.bottom - b.top);
}

/** Whether an element around the text, inside the box, has styles that move the text over this edge. */
export function isMoved(node: Node, box: Element, edge: HiddenNode["edge"]): boolean {
  for (let element = parentOf(node); element && element !== box; element = parentOf(element)) {
    const style = getComputedStyle(element);
    const { position, transform, translate, rotate, scale, textIndent } = style;
    if (
      /absolute|fixed|sticky/.test(position) ||
      [transform, translate, rotate, scale].some((value) => value !== "none")
    )
      return true;
    const isShifted =
      position === "relative" && ["left", "top"].some((name) => Number.parseFloat(style.getPropertyValue(name)));
    if (isShifted || style.getPropertyValue(`margin-${edge}`).startsWith("-") || textIndent.startsWith("-"))
      return true;
  }
  return getComputedStyle(box).textIndent.startsWith("-");
}

const maxColumnTexts = 5_000;

/** Returns the elements in a box with columns whose text is wider than a column, and covers the text of the next one. */
export function textOutOfColumns(box: Element, clipping: Clipping): { element: Element; nodes: HiddenNode[] }[] {
  const columnPx = columnWidthOf(box);
  if (columnPx === null) return [];
  const pieces: { node: Node; area: Area }[] = [];
  for (const node of descendantsOf(box, NodeFilter.SHOW_TEXT)) {
    for (const area of boxesOf(node)) {
      const shown = shownPart(area, node, box, clipping);
      if (shown) pieces.push({ node, area: shown });
    }
    if (pieces.length > maxColumnTexts) break;
  }
  const edge = getComputedStyle(box).direction === "rtl" ? "left" : "right";
  const found = new Map<Element, HiddenNode[]>();
  for (const { node, area } of pieces) {
    const px = area.right - area.left - columnPx;
    const element = parentOf(node);
    if (px < 2 || !element || isMoved(node, box, edge)) continue;
    const { left, top, right, bottom } = area;
    const [from, to] = edge === "left" ? [left, right - columnPx] : [left + columnPx, right];
    const leaving = { left: from, top, right: to, bottom };
    if (!pieces.some((other) => other.area !== area && overlap(leaving, other.area))) continue;
    found.set(element, [...(found.get(element) ?? []), { node, edge, px, nearPx: 0, box: area }]);
  }
  return [...found].map(([element, nodes]) => ({ element, nodes }));
}

/** Returns the width of the box's columns in CSS pixels, or null if it has only one. */
function columnWidthOf(box: Element): number | null {
  const style = getComputedStyle(box);
  const px = (value: string) => Number.parseFloat(value) || 0;
  const innerPx = box.clientWidth - px(style.paddingLeft) - px(style.paddingRight);
  const gapPx = style.columnGap === "normal" ? px(style.fontSize) : px(style.columnGap);
  const mostByWidth =
    px(style.columnWidth) > 0 ? Math.floor((innerPx + gapPx) / (px(style.columnWidth) + gapPx)) : Infinity;
  const count = Math.min(Number(style.columnCount) || Infinity, mostByWidth);
  return count > 1 && count < Infinity ? (innerPx - gapPx * (count - 1)) / count : null;
}
