// Finds text that runs out of a box with a fixed size, which shows it over or beside other content. Decoration does not count: text that
// styles move out of its box, and boxes that are too small for a line.
import { bodyElement, boxOf, findAll, parentOf, rootElement } from "../dom.ts";
import type { StyledElements } from "../style-rules.ts";
import {
  type Clipping,
  fullNameOf,
  hiddenNodes,
  isOutside,
  type HiddenNode,
  textBox,
  summaryOf,
  textOf,
} from "./hidden-content.ts";
import type { FoundOverflow } from "./mark-overflows.ts";

/** Measuring a box takes a few microseconds. */
const maxBoxes = 20_000;
/** The boxes of letters are a little higher than their lines. */
const roundingPx = 2;

const sizes = [
  "width",
  "height",
  "max-width",
  "max-height",
  "inline-size",
  "block-size",
  "max-inline-size",
  "max-block-size",
];
const inline = /width|height|-size|bottom|inset/i;

export function findLeavingText(clipping: Clipping, styled: StyledElements): FoundOverflow[] {
  const tables = styled(hasFixedLayout, /table-layout/i);
  const cells = tables.flatMap((table) => findAll(table, "td,th"));
  const candidates = new Set([...styled(hasFixedSize, inline), ...cells]);
  for (const page of [rootElement(), bodyElement()]) candidates.delete(page);
  // Inner boxes come first, because a text counts only for the innermost box.
  const seen = new Set<Node>();
  const found = [...candidates]
    .slice(0, maxBoxes)
    .toReversed()
    .flatMap((element): FoundOverflow[] => {
      const nodes = leavingNodes(element, clipping).filter(({ node }) => !seen.has(node));
      const hidden = summaryOf(nodes);
      for (const { node } of nodes) seen.add(node);
      if (!hidden) return [];
      const isVertical = hidden.edge === "top" || hidden.edge === "bottom";
      const advice = isVertical
        ? "Give it more space, or `min-height` instead of a height"
        : "Give it more space, or let the text wrap";
      const message = `${Math.round(hidden.px)} px of the text of ${fullNameOf(element)} run out at its ${hidden.edge} edge${textOf(hidden)}. ${advice}.`;
      return [{ element, message }];
    });
  return found.toReversed();
}

function hasFixedLayout({ tableLayout }: CSSStyleDeclaration): boolean {
  return /fixed|\(/.test(tableLayout);
}

/** A percentage is no fixed size, and 0 is the size of a box that is not for text. */
function hasFixedSize(style: CSSStyleDeclaration): boolean {
  const isFixed = sizes.some((name) => /\d[a-z]|var\(/i.test(style.getPropertyValue(name)));
  return isFixed || (style.top !== "" && style.bottom !== "");
}

function leavingNodes(element: Element, clipping: Clipping): HiddenNode[] {
  const box = boxOf(element);
  if (!(element instanceof HTMLElement) || !isOutside(textBox(element), box)) return [];
  const { display, columnCount, columnWidth, lineHeight, fontSize } = getComputedStyle(element);
  // Columns that do not fit make the document too wide, which has a different warning.
  const isMultiColumn = columnCount !== "auto" || columnWidth !== "auto";
  const letterPx = Number.parseFloat(fontSize);
  const linePx = Math.max(Number.parseFloat(lineHeight) || 0, 1.2 * letterPx) + roundingPx;
  const isTooSmall = element.clientHeight < letterPx || element.clientWidth < letterPx;
  if (isMultiColumn || isTooSmall || /^(inline|contents|table|table-row.*)$/.test(display) || clipping.areaOf(element))
    return [];
  const area = {
    left: box.left - linePx,
    top: box.top - linePx,
    right: box.right + linePx,
    bottom: box.bottom + linePx,
  };
  return [...hiddenNodes(element, area, clipping)]
    .filter(({ node, edge }) => node instanceof Text && !isMoved(node, element, edge))
    .map((hidden) => ({ ...hidden, px: hidden.px + linePx }));
}

/** Whether the styles of an element around the text, inside the box, move the text over this edge. */
function isMoved(node: Node, box: Element, edge: HiddenNode["edge"]): boolean {
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
