// Finds text that extends beyond a box with a fixed size, so that it is shown over or next to other content, and text that extends beyond
// other boxes over other text. Decoration does not count: text that styles move out of its box, and boxes that are too small for a line.
import { bodyElement, boxOf, childrenOf, findAll, rootElement } from "../dom.ts";
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
import { collisionTest, isMoved, textOutOfColumns, type Collides } from "./overprinted-text.ts";

/** Measuring a box takes a few microseconds. */
const maxBoxes = 20_000;
/** A list repeats its mistakes, and examining all of its items would take a fifth of the time that its layout takes. */
const maxItems = 2_000;
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
  const fixed = new Set([...styled(hasFixedSize, inline), ...tables.flatMap((table) => findAll(table, "td,th"))]);
  const items = styled(hasItems, /flex|grid/i)
    .slice(0, maxItems)
    .flatMap(childrenOf);
  const partial = styled(hasPartialWidth, /width|-size|flex/i);
  const loose = [items, partial].flatMap((boxes) => boxes.slice(0, maxItems).filter(scrolls));
  const candidates = new Set([...fixed, ...loose]);
  for (const page of [rootElement(), bodyElement()]) candidates.delete(page);
  const collides = collisionTest();
  // Inner boxes come first, because a text counts only for the innermost box.
  const seen = new Set<Node>();
  const found = inTreeOrder(candidates, loose.length > 0)
    .slice(0, maxBoxes)
    .toReversed()
    .flatMap((element): FoundOverflow[] => {
      const { far, near } = leavingNodes(element, { clipping, collides, isFixed: fixed.has(element) });
      const isFar = far.some(({ node }) => !seen.has(node));
      const nodes = (isFar ? far : near).filter(({ node }) => !seen.has(node));
      for (const { node } of nodes) seen.add(node);
      return leaving(element, nodes, isFar ? "" : ", over other text");
    });
  const columns = styled(hasColumns, /column/i).flatMap((element) => textOutOfColumns(element, clipping));
  return [
    ...found.toReversed(),
    ...columns.flatMap(({ element, nodes }) => leaving(element, nodes, ", over other text")),
  ];
}

function leaving(element: Element, nodes: readonly HiddenNode[], over: string): FoundOverflow[] {
  const hidden = summaryOf(nodes);
  if (!hidden) return [];
  const isVertical = hidden.edge === "top" || hidden.edge === "bottom";
  const isOneLine = /nowrap|^pre$/.test(getComputedStyle(element).whiteSpace);
  const wrapping = isOneLine ? "let the text wrap" : "let long words wrap with `overflow-wrap: anywhere`";
  // Text that may wrap leaves its box only if a word is too long.
  const shown = isVertical || isOneLine ? hidden : { ...hidden, text: longestWord(hidden.text) };
  const advice = isVertical ? "`min-height` instead of a height" : wrapping;
  const message = `${Math.round(hidden.px)} px of the text of ${fullNameOf(element)} extend beyond its ${hidden.edge} edge${over}${textOf(shown)}. Give it more space, or ${advice}.`;
  return [{ element, message }];
}

function longestWord(text: string): string {
  return text.split(/\s+/).reduce((longest, word) => (word.length > longest.length ? word : longest), "");
}

/** Whether the content may be larger than the box. */
function scrolls({ scrollWidth, clientWidth, scrollHeight, clientHeight }: Element): boolean {
  return scrollWidth > clientWidth + roundingPx || scrollHeight > clientHeight + roundingPx;
}

function inTreeOrder(elements: ReadonlySet<Element>, isMixed: boolean): Element[] {
  const isBefore = (a: Element, b: Element) =>
    Node.prototype.compareDocumentPosition.call(a, b) & Node.DOCUMENT_POSITION_FOLLOWING;
  return isMixed ? [...elements].sort((a, b) => (isBefore(a, b) ? -1 : 1)) : [...elements];
}

function hasItems({ display }: CSSStyleDeclaration): boolean {
  return /flex|grid|\(/.test(display);
}

function hasPartialWidth(style: CSSStyleDeclaration): boolean {
  return ["width", "max-width", "inline-size", "max-inline-size"].some((name) =>
    style.getPropertyValue(name).includes("%"),
  );
}

function hasColumns({ columnCount, columnWidth }: CSSStyleDeclaration): boolean {
  return columnCount + columnWidth !== "";
}

function hasFixedLayout({ tableLayout }: CSSStyleDeclaration): boolean {
  return /fixed|\(/.test(tableLayout);
}

/** A percentage is not a fixed size, and 0 is the size of a box that is not for text. */
function hasFixedSize(style: CSSStyleDeclaration): boolean {
  const isFixed = sizes.some((name) => /\d[a-z]|var\(/i.test(style.getPropertyValue(name)));
  return isFixed || (style.top !== "" && style.bottom !== "");
}

type LeavingNodes = { far: HiddenNode[]; near: HiddenNode[] };

/** `far` is text more than a line outside a box with a fixed size, and `near` is text that covers other text. */
function leavingNodes(
  element: Element,
  { clipping, collides, isFixed }: { clipping: Clipping; collides: Collides; isFixed: boolean },
): LeavingNodes {
  const none = { far: [], near: [] };
  const box = boxOf(element);
  if (!(element instanceof HTMLElement) || !isOutside(textBox(element), box)) return none;
  const { display, columnCount, columnWidth, lineHeight, fontSize } = getComputedStyle(element);
  // Columns that do not fit make the document too wide, which has a different warning.
  const isMultiColumn = columnCount !== "auto" || columnWidth !== "auto";
  const letterPx = Number.parseFloat(fontSize);
  const linePx = Math.max(Number.parseFloat(lineHeight) || 0, 1.2 * letterPx) + roundingPx;
  const isTooSmall = element.clientHeight < letterPx || element.clientWidth < letterPx;
  if (isMultiColumn || isTooSmall || /^(inline|contents|table|table-row.*)$/.test(display) || clipping.areaOf(element))
    return none;
  const leavingBy = (px: number) => {
    const area = { left: box.left - px, top: box.top - px, right: box.right + px, bottom: box.bottom + px };
    return [...hiddenNodes(element, area, clipping)]
      .filter(({ node, edge }) => node instanceof Text && !isMoved(node, element, edge))
      .map((hidden) => ({ ...hidden, px: hidden.px + px }));
  };
  const far = isFixed ? leavingBy(linePx) : [];
  const near = far.length > 0 ? [] : leavingBy(roundingPx).filter((hidden) => collides(hidden.box, element));
  return { far, near };
}
