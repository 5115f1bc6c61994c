// Finds boxes that are positioned on the first page of their page file although the content before them ends on a later page, so they
// may cover other content.
import { boxOf, isInside, isOutOfFlow, parentOf, previousOf } from "../dom.ts";
import { maxOfKind } from "../hints/find-hints.ts";
import { breaksPage, forcesBreak } from "../hints/idle-breaks.ts";
import { boxesOf, fullNameOf, holdsContent } from "../overflow/hidden-content.ts";
import type { FoundOverflow } from "../overflow/mark-overflows.ts";
import type { StyledElements } from "../style-rules.ts";

/** Bounds the time for documents with many positioned boxes. The last ones are furthest from the first page. */
const maxChecked = 100;
const roundingPx = 1;

/** `placed` are boxes that are positioned relative to the page file of `box`. */
export function findEarlyBoxes(
  styled: StyledElements,
  { box, placed, pagePx }: { box: Element; placed: readonly Element[]; pagePx: number },
): FoundOverflow[] {
  const { top } = boxOf(box);
  const onFirst = placed.slice(-maxChecked).filter((each) => boxOf(each).top < top + pagePx && holdsContent(each));
  const broken = onFirst.length > 0 ? styled(forcesBreak, /break-/i).filter((each) => isInside(box, each)) : [];
  const breaks = broken.flatMap((each) => breaksAt(each, box));
  const isEarly = (element: Element) => {
    const end = endBefore(element, box) ?? top;
    const before = new Set(breaks.filter((each) => each.isBefore(element)).map((each) => Math.round(each.y)));
    const sinceBreakPx = Math.max(2 * roundingPx, end - Math.max(top, ...before));
    const printedPx = Math.max(end - top, before.size * pagePx + sinceBreakPx);
    // A signature at the foot of the first page may belong to text that ends at the start of the second.
    return printedPx > pagePx + roundingPx && printedPx - (boxOf(element).top - top) > pagePx / 2;
  };
  const early = onFirst.filter(isEarly).slice(0, maxOfKind);
  return early.map((element) => ({ element, message: `${fullNameOf(element)} ${advice}` }));
}

const advice =
  "is positioned on the first page of its page file, although the content before it ends on a later page. Put it into a box with `position: relative`.";

/** Returns where the content before the element ends; null if nothing is before it inside `box`. */
function endBefore(element: Element, box: Element): number | null {
  for (let inner: Element | null = element; inner && inner !== box; inner = parentOf(inner)) {
    for (let node = previousOf(inner); node; node = previousOf(node)) {
      const boxes = node instanceof Element ? (isOutOfFlow(node) ? [] : [boxOf(node)]) : boxesOf(node);
      const last = boxes.at(-1);
      if (last && last.height > 0) return last.bottom;
    }
  }
  return null;
}

/** Returns the forced breaks at an element, and where they are in a layout without pages. */
function breaksAt(broken: Element, box: Element): { y: number; isBefore: (element: Element) => boolean }[] {
  const { top, bottom } = boxOf(broken);
  const follows = (element: Element) =>
    (Node.prototype.compareDocumentPosition.call(broken, element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const after = { y: bottom, isBefore: (element: Element) => follows(element) && !isInside(broken, element) };
  const isFirst = endBefore(broken, box) === null;
  return [
    ...(!isFirst && breaksPage(broken, "break-before") ? [{ y: top, isBefore: follows }] : []),
    ...(breaksPage(broken, "break-after") ? [after] : []),
  ];
}
