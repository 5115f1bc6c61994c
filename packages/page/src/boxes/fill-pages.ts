// Makes positions relative to the page work as in an ordinary print. If the body is the page, it only has to have the right height while
// the document is measured. If there are several page files, each becomes as high as its pages, as if it were printed alone.
import { bodyElement, boxOf, isInside, parentOf, rootElement, setStyle } from "../dom.ts";
import { forcesBreak } from "../hints/idle-breaks.ts";
import { fullNameOf, holdsContent } from "../overflow/hidden-content.ts";
import type { FoundOverflow } from "../overflow/mark-overflows.ts";
import { type StyledElements, styledElements } from "../style-rules.ts";
import { boundBodyHeight, edgesPx } from "./body-height.ts";
import { findEarlyBoxes } from "./early-boxes.ts";
import { isBodyPage, pageBoxes } from "./page-boxes.ts";
import type { HeightOf } from "./page-heights.ts";

/** Chromium rounds pages, so a box that is exactly as high as the page can add a blank page. */
const roundingPx = 1;

type Filled = { boxes: { box: Element; isFirst: boolean; outsidePx: number }[]; heights: () => HeightOf };

let filled: Filled | null = null;

/**
 * `hints` are about boxes in page files that are longer than a page, and `leaving` about boxes that are printed on the page of the next
 * file. `finish` must be called when the document has been measured.
 */
export type FilledPages = { hints: FoundOverflow[]; leaving: FoundOverflow[]; finish: () => void };

const unfilled: FilledPages = { hints: [], leaving: [], finish: () => {} };

/** `heights` returns the heights of pages with the margins as they are; it is null if pages need no heights. */
export function fillPages(heights: (() => HeightOf) | null): FilledPages {
  filled = null;
  if (!heights) return unfilled;
  const styled = styledElements();
  if (isBodyPage()) {
    const finishBody = boundBodyHeight(heights);
    const isPlacedOnPage = styled(dependsOnHeight, placing).some((each) => containerOf(each) === rootElement());
    const height = isPlacedOnPage ? `${heights()(bodyElement())}px` : "";
    const restore = isPlacedOnPage ? setStyle(rootElement(), { position: "relative", height }) : () => {};
    const finish = () => (restore(), finishBody());
    const placed = styled(isPlaced, placing).filter((each) => containerOf(each) === rootElement());
    const page = () => ({ box: bodyElement(), placed, pagePx: heights()(bodyElement()) });
    return { ...unfilled, hints: placed.length > 0 ? findEarlyBoxes(styled, page()) : [], finish };
  }
  const containers = new Map(styled(isPlaced, placing).map((element) => [element, containerOf(element)]));
  if (containers.size === 0) return unfilled;
  return fillBoxes(styled, containers, heights);
}

function fillBoxes(
  styled: StyledElements,
  containers: ReadonlyMap<Element, Element | null>,
  heights: () => HeightOf,
): FilledPages {
  const all = pageBoxes();
  const pages = all.map((box, index) => {
    const inside = [...containers].flatMap(([element, container]) => (container === box ? [element] : []));
    return { box, inside, isFirst: index === 0, isLast: index === all.length - 1 };
  });
  const placed = pages.filter(({ inside }) => inside.length > 0);
  for (const { box } of placed) keepFirstMargin(box);
  const heightOf = heights();
  const breaks = styled(forcesBreak, /break-/i);
  const high = new Set(styled(dependsOnHeight, placing));
  const measured = placed.map((page) => {
    const { box, isFirst, isLast } = page;
    const { marginTop, marginBottom } = getComputedStyle(box);
    const abovePx = isFirst ? boxOf(box).top : parseFloat(marginTop);
    const belowPx = isLast ? parseFloat(getComputedStyle(bodyElement()).paddingBottom) : 0;
    const outsidePx = abovePx + parseFloat(marginBottom) + belowPx;
    const hasBreak = breaks.some((each) => each !== box && isInside(box, each));
    const isLong = hasBreak || outsidePx + boxOf(box).height > heightOf(box);
    return { ...page, outsidePx: outsidePx + edgesPx(box), isLong };
  });
  const short = measured.filter(({ isLong }) => !isLong);
  filled = { boxes: short.filter(({ inside }) => inside.some((each) => high.has(each))), heights };
  for (const { box, outsidePx } of filled.boxes) setHeight(box, `${heightOf(box)}px`, outsidePx);
  const leaving = short.flatMap(({ box, inside, isLast }) => (isLast ? [] : leavingBelow(box, inside, heightOf(box))));
  const long = measured.filter(({ isLong }) => isLong);
  const hints = long.flatMap(({ box, inside }) => {
    const placed = inside.filter((each) => !high.has(each));
    const early = findEarlyBoxes(styled, { box, placed, pagePx: heightOf(box) });
    return [...inside.filter((each) => high.has(each)).map(onLongPage), ...early];
  });
  return { hints, leaving, finish: setPageHeights };
}

/** Otherwise, the margin of its first block would move the page file, and the boxes that are positioned relative to it. */
function keepFirstMargin(box: Element): void {
  if (getComputedStyle(box).paddingTop === "0px") setStyle(box, { "padding-top": "0.02px" });
}

/** Sets the heights for the print, and sets them again when the margins have grown. */
export function setPageHeights(): void {
  const heightOf = filled?.heights();
  // Rules for `@page :first` count only in the unit of the first page.
  for (const { box, isFirst, outsidePx } of filled?.boxes ?? [])
    setHeight(box, isFirst ? "100vh" : `${heightOf?.(box)}px`, outsidePx);
}

function setHeight(box: Element, page: string, outsidePx: number): void {
  setStyle(box, { "min-height": `calc(${page} - ${outsidePx + roundingPx}px)` });
}

const placing = /bottom|inset|top|height/i;

function isPlaced({ top, bottom, insetBlockStart, insetBlockEnd }: CSSStyleDeclaration): boolean {
  return /\d|\(/.test(top + bottom + insetBlockStart + insetBlockEnd);
}

function dependsOnHeight({ bottom, insetBlockEnd, top, height }: CSSStyleDeclaration): boolean {
  return /\d|\(/.test(bottom + insetBlockEnd) || /%|\(/.test(top + height);
}

/** Returns the element to which the position is relative, `html` if it is the page; null if the element is not positioned. */
function containerOf(element: Element): Element | null {
  if (getComputedStyle(element).position !== "absolute") return null;
  for (let outer = parentOf(element); outer; outer = parentOf(outer)) {
    const { position, transform, filter, contain } = getComputedStyle(outer);
    if (position !== "static" || transform !== "none" || filter !== "none" || /paint|strict|content/.test(contain))
      return outer;
  }
  return rootElement();
}

function leavingBelow(box: Element, inside: readonly Element[], pagePx: number): FoundOverflow[] {
  const bottom = boxOf(box).top + pagePx;
  return inside.flatMap((element) => {
    const px = Math.round(boxOf(element).bottom - bottom);
    const message = `${fullNameOf(element)} extends ${px} px below its page, onto the first page of the next page file.`;
    return px > 1 && holdsContent(element) ? [{ element, message }] : [];
  });
}

function onLongPage(element: Element): FoundOverflow {
  const message = `${fullNameOf(element)} is positioned relative to its page file, which is longer than a page, so \`bottom\` is measured from the end of its last page. Put it into a box with \`position: relative\` and the height of a page.`;
  return { element, message };
}
