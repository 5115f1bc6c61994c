// Refuses a document that is too long, repeats too much content on its pages, or nests too many effects. This is decided from the layout
// before printing, because printing cannot be interrupted.
import { bodyElement, boxOf, findAll, findInDocument, parentOf, textOf } from "../dom.ts";
import { maxPages, tooManyPages } from "../page-geometry.ts";
import type { PrepareInput } from "../prepared-page.ts";
import { isStyled } from "../style-rules.ts";
import { TooExpensiveError } from "./too-expensive.ts";

/**
 * The maximum sum, over all pages, of the elements in table headers, table footers and fixed boxes, which are drawn on each
 * page. Chromium took 9 s for 225,000 such elements, and more than 25 s for 100,000 translucent ones. A table head with
 * ten cells that is drawn on 500 pages adds 6,000 elements to this sum.
 */
const maxRepeatedElements = 200_000;
/** Plain text is cheap to repeat, so this many characters count as one element. */
const charsPerElement = 80;
/** Even 500 pages of the maximum size have only a quarter of this height. */
const maxHeightPx = 10_000_000;

/** Throws `TooExpensiveError` if the document exceeds a limit. `rules` are the rules of the page's own style sheets. */
export function checkPrintCost({ pageHeight, margin }: PrepareInput, rules: CSSRule[]): void {
  if (bodyElement().scrollHeight > maxHeightPx) {
    throw new TooExpensiveError(tooManyPages);
  }
  const pageContentPx = Math.max(1, pageHeight - margin.top - margin.bottom);
  const repeated = repeatedElements(pageContentPx, rules);
  if (repeated > maxRepeatedElements) {
    throw new TooExpensiveError(
      `Table headers, table footers and fixed boxes are repeated on each page, which would draw about ${Math.round(repeated)} ` +
        `elements; at most ${maxRepeatedElements} are allowed. Use fewer elements in them, or split the document.`,
    );
  }
}

/** Returns an estimate for content of this height. A page can be half empty, because some content cannot be divided. */
function pagesOf(heightPx: number, pageContentPx: number): number {
  return Math.min(maxPages + 1, Math.ceil((2 * heightPx) / pageContentPx));
}

function repeatedElements(pageContentPx: number, rules: CSSRule[]): number {
  let sum = 0;
  for (const element of repeatingElements(rules)) {
    const isFixed = getComputedStyle(element).position === "fixed";
    const container = (isFixed ? null : parentOf(element)) ?? bodyElement();
    const weight = 1 + findAll(element, "*").length + textOf(element).length / charsPerElement;
    sum += weight * pagesOf(boxOf(container).height, pageContentPx);
  }
  return sum;
}

function repeatingElements(rules: CSSRule[]): Element[] {
  // Only the computed style of an element shows whether it is repeated, but computing the styles of all elements is
  // expensive, and few documents repeat anything except `<thead>` and `<tfoot>`.
  const mayRepeat = ({ position, display }: CSSStyleDeclaration) =>
    /fixed|\(/.test(position) || /-group|\(/.test(display);
  const stylesMayRepeat =
    isStyled(rules, mayRepeat) || findInDocument('[style*="fixed" i], [style*="-group" i], [style*="\\\\"]').length > 0;
  if (!stylesMayRepeat) return findInDocument("thead, tfoot");
  return findInDocument("*").filter((element) => {
    const { position, display } = getComputedStyle(element);
    return position === "fixed" || /^table-(header|footer)-group$/.test(display);
  });
}

/** The browser needs a layer for each effect, and nested layers multiply the memory and time. Real documents nest two or three. */
const maxNestedEffects = 30;

/** Throws `TooExpensiveError` when the document exceeds the limit. */
export function checkNestedEffects(): void {
  // Few documents have elements that are nested so deeply, so the styles are rarely computed.
  const deepElements = findInDocument(`${"* > ".repeat(maxNestedEffects)}*`);
  const effectCounts = new Map<Element, number>();
  const effectsAround = (element: Element): number => {
    const count = effectCounts.get(element);
    if (count !== undefined) return count;
    const parent = parentOf(element);
    const effects = (parent ? effectsAround(parent) : 0) + (hasEffect(getComputedStyle(element)) ? 1 : 0);
    effectCounts.set(element, effects);
    return effects;
  };
  for (const element of deepElements) {
    if (effectsAround(element) <= maxNestedEffects) continue;
    throw new TooExpensiveError(
      `More than ${maxNestedEffects} elements with effects such as \`opacity\`, \`filter\` or \`mask\` are nested inside ` +
        "each other. Use fewer nested effects.",
    );
  }
}

function hasEffect(style: CSSStyleDeclaration): boolean {
  return (
    style.opacity !== "1" ||
    style.filter !== "none" ||
    style.backdropFilter !== "none" ||
    style.mixBlendMode !== "normal" ||
    style.maskImage !== "none" ||
    style.clipPath !== "none" ||
    style.getPropertyValue("-webkit-box-reflect") !== "none"
  );
}
