// Finds text and images that the finished document will not show, and the elements that make Chromium shrink the document. The
// document must be laid out at its printed width.
import { bodyElement, boxOf, findInDocument, rootElement } from "../dom.ts";
import { measureOn, type NarrowArea } from "../references/print-width.ts";
import type { StyledElements } from "../style-rules.ts";
import { findCutControls } from "./cut-controls.ts";
import {
  hiddenContent,
  mayBeOutside,
  type Area,
  type Clipping,
  type Hidden,
  nameOf,
  textOf,
} from "./hidden-content.ts";
import type { FoundOverflow } from "./mark-overflows.ts";
import { movedElements } from "./moved-content.ts";
import { isRightToLeft, outsideFixed, outsidePage } from "./outside-page.ts";
import { adviceForBox, adviceForControl, adviceForWidth } from "./remedies.ts";
import { widestElement } from "./widest-element.ts";

/** If a document is too wide, Chromium lays it out on pages of up to this many times the width, and then shrinks it. */
const maxShrink = 1.5;
/** Smaller differences are rounding errors. */
const minPx = 1.5;
/** Text that is indented this far, and boxes this small, are hidden on purpose. */
const farPx = 500;
const tinyPx = 2;
/**
 * The search for hidden content examines at most this many elements around text and images, which takes half a second.
 */
const maxSteps = 500_000;

/** The widest area of a printed page, in which the document is laid out, and the narrower areas. */
export type PrintAreas = { width: number; narrow: readonly NarrowArea[] };

/** `print` is null for an image; `pages` are then its boxes. */
export function findOverflow(
  print: PrintAreas | null,
  clipping: ClippingBoxes,
  styled: StyledElements,
): FoundOverflow[] {
  const inBoxes = [...cutOff(clipping), ...cutOffInControls()];
  return print === null ? inBoxes : [...onPages(print, clipping, styled), ...inBoxes];
}

/** Returns the elements that are too wide for their page, and the elements outside the page. */
function onPages({ width, narrow }: PrintAreas, clipping: ClippingBoxes, styled: StyledElements): FoundOverflow[] {
  const moved = movedElements(styled);
  const measure = (area: Pick<NarrowArea, "width" | "elements">) => ({
    reaches: area.elements.map((element) => reachBeyond(area.width, element, clipping)),
    outside: area.elements.flatMap((element) => outsidePage({ width: area.width, root: element, moved }, clipping)),
  });
  const all = measure({ width, elements: [bodyElement()] });
  const onNarrow = narrow.map((area) => measureOn(area, () => measure(area)));
  const outside = [all, ...onNarrow].flatMap((measured) => measured.outside);
  const unique = new Map(outside.map((found) => [found.element, found]));
  const reaches = [all, ...onNarrow].flatMap((measured) => measured.reaches);
  return [...tooWide(reaches), ...outsideFixed(width, clipping, styled), ...unique.values()];
}

type TooWide = { width: number; overPx: number; element: Element; advice: string };

/** Any content that is too wide makes Chromium shrink the whole document. The page that needs the most shrinking decides. */
function tooWide(reaches: readonly TooWide[]): FoundOverflow[] {
  const shrink = (found: TooWide) => (found.width + found.overPx) / found.width;
  const [worst] = reaches.toSorted((a, b) => shrink(b) - shrink(a));
  if (!worst || worst.overPx < minPx) return [];
  const percent = Math.round(100 / Math.min(maxShrink, shrink(worst)));
  if (percent === 100) return [];
  const end = isRightToLeft() ? "left" : "right";
  const lost = shrink(worst) > maxShrink ? `, and still does not fit: content further to the ${end} is cut off` : "";
  const message = `${nameOf(worst.element)} is ${Math.round(worst.overPx)} px wider than the page, so the document is printed at ${percent} % of its size${lost}.${worst.advice}`;
  return [{ element: worst.element, message, isOffPage: true }];
}

/**
 * Returns how far the element's content reaches beyond a page area, and the element that reaches that far. The element may be the
 * body.
 */
function reachBeyond(width: number, element: Element, clipping: ClippingBoxes): TooWide {
  const overPx = beyondPage(width, element);
  if (overPx < minPx) return { width, overPx, element, advice: "" };
  const widest = widestElement(element, clipping);
  const fits = () => beyondPage(width, widest) < minPx;
  return { width, overPx, element: widest, advice: adviceForWidth(widest, fits) };
}

function beyondPage(width: number, element: Element): number {
  const [root, body] = [rootElement(), bodyElement()];
  if (element === body) {
    const beyondRoot = root.scrollWidth - Math.max(root.clientWidth, width);
    return Math.max(beyondRoot, body.scrollWidth - body.clientWidth);
  }
  const { direction, overflowX } = getComputedStyle(element);
  const box = boxOf(element);
  const beyondBox = overflowX === "visible" ? Math.max(0, element.scrollWidth - element.clientWidth) : 0;
  return (direction === "rtl" ? -box.left : box.right - width) + beyondBox;
}

/** The boxes that may cut off their content, and the area in which an element shows its content; null if it shows everything. */
export type ClippingBoxes = Clipping & {
  boxes: Set<Element>;
  pages: readonly Element[];
  drawings: Element[];
};

export function clippingBoxes(styled: StyledElements, pages: readonly Element[]): ClippingBoxes {
  const texts = findInDocument("svg text").filter((text) => text instanceof SVGElement);
  const drawings = [...new Set(texts.map(({ ownerSVGElement }) => ownerSVGElement))].filter((svg) => svg !== null);
  const boxes = new Set([...pages, ...drawings, ...styled(clips, /overflow|contain/i)]);
  const areas = new Map<Element, Area | null>();
  let steps = 0;
  return {
    boxes,
    pages,
    drawings,
    areaOf(element) {
      steps++;
      if (!boxes.has(element)) return null;
      const area = areas.has(element) ? areas.get(element) : shownArea(element, pages.includes(element));
      areas.set(element, area ?? null);
      return area ?? null;
    },
    isOver: () => steps > maxSteps,
  };
}

function cutOff(clipping: ClippingBoxes): FoundOverflow[] {
  const { boxes, pages, drawings } = clipping;
  return [...boxes].flatMap((element) => {
    const area = clipping.areaOf(element);
    const mayHide = area && (drawings.includes(element) || mayBeOutside(element, area));
    const content = mayHide ? hiddenContent(element, area, clipping) : null;
    const found = content && !isMeantToHide(element, content) ? content : null;
    const hidden = found ?? (pages.includes(element) ? clippedPage(element) : null);
    return hidden ? [hiding(element, hidden)] : [];
  });
}

function cutOffInControls(): FoundOverflow[] {
  const found = findCutControls().filter(({ control, hidden }) => !isMeantToHide(control, hidden));
  return found.map(({ control, hidden }) => hiding(control, hidden, () => adviceForControl(control, hidden.px)));
}

function hiding(element: Element, hidden: Hidden, advise = () => adviceForBox(element, hidden.edge)): FoundOverflow {
  const px = Math.round(hidden.px);
  const message = `${nameOf(element)} hides ${px} px of its content at its ${hidden.edge} edge${textOf(hidden)}.`;
  return { element, message, advise };
}

/** The height in a request for an image also clips decoration. */
function clippedPage({ scrollHeight, clientHeight }: Element): Hidden | null {
  return scrollHeight > clientHeight + 1 ? { px: scrollHeight - clientHeight, edge: "bottom", text: "" } : null;
}

function clips({ overflow, overflowX, overflowY, contain }: CSSStyleDeclaration): boolean {
  return /hidden|clip|auto|scroll|\(/.test(overflow + overflowX + overflowY) || /paint|strict|content/.test(contain);
}

/** Returns the area in which the element shows its content; null if it shows everything, as the whole page does. */
function shownArea(element: Element, isPage: boolean): Area | null {
  const { overflowX, overflowY, contain } = getComputedStyle(element);
  const isContained = isPage || /paint|strict|content/.test(contain);
  const hidesX = isContained || overflowX !== "visible";
  const hidesY = isContained || overflowY !== "visible";
  const isViewport = element === rootElement() || (element === bodyElement() && !isPage);
  if ((!hidesX && !hidesY) || isViewport) return null;
  const box = boxOf(element);
  // The lengths of a rotated element differ from the lengths of its box on the page.
  const isTurned = element instanceof HTMLElement && Math.abs(box.width - element.offsetWidth) > 1;
  const { left, top, right, bottom } = isTurned ? box : paddingBox(element, box);
  return {
    left: hidesX ? left : -Infinity,
    top: hidesY ? top : -Infinity,
    right: hidesX ? right : Infinity,
    bottom: hidesY ? bottom : Infinity,
  };
}

function paddingBox({ clientLeft, clientTop, clientWidth, clientHeight }: Element, box: DOMRect): Area {
  const [left, top] = [box.left + clientLeft, box.top + clientTop];
  return { left, top, right: left + clientWidth, bottom: top + clientHeight };
}

function isMeantToHide(element: Element, { edge }: Hidden): boolean {
  const { textOverflow, webkitLineClamp, clip, clipPath, textIndent } = getComputedStyle(element);
  const isTiny = Math.min(element.clientWidth, element.clientHeight) <= tinyPx;
  const isAbbreviated = textOverflow !== "clip" && (edge === "left" || edge === "right");
  // A background image replaces the text.
  const isReplaced = textIndent === "100%" || Number.parseFloat(textIndent) < -farPx;
  return isTiny || isAbbreviated || isReplaced || webkitLineClamp !== "none" || clip !== "auto" || clipPath !== "none";
}
