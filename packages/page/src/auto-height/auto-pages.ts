// Turns each page file whose height is "auto" into one page. Measures the page files, and sets the page sizes when the
// Worker asks for it, because only the printed file shows whether the layout on paper has the same height.
import { bodyElement, createElement, headElement, rootElement, findAll, linkTo } from "../dom.ts";
import { currentMargins, groupOf } from "../margins/reserve-margins.ts";
import { autoPageHeight, maxAutoHeightPx, type Margin } from "../page-geometry.ts";
import {
  pageMarks,
  rulerMarks,
  type AutoPages,
  type ContentHeights,
  type PageHeightsOutcome,
  type PrepareInput,
} from "../prepared-page.ts";

type Current = { sections: HTMLElement[]; style: HTMLElement; input: PrepareInput };

/** The pages of the loaded document. */
let current: Current | null = null;

/**
 * Marks and measures the sections, each of which becomes a page. `rules` are the rules of the page's own style sheets. The viewport
 * must be as wide as a page's content.
 */
export function makeAutoPages(sections: HTMLElement[], rules: readonly CSSRule[], input: PrepareInput): AutoPages {
  for (const rule of rules) makeUnimportant(rule);
  for (const [index, section] of sections.entries()) markPage(section, index);
  const style = createElement("style");
  headElement().append(style);
  current = { sections, style, input };
  const contentWidth = input.pageWidth - input.margin.left - input.margin.right;
  return { contentWidth, isTooWide: rootElement().scrollWidth > contentWidth, pages: measured(sections) };
}

/** Sets the sizes of the pages. Their margins have space for the headers and footers. */
export function setPageHeights({ contentsPx }: ContentHeights): PageHeightsOutcome {
  if (!current) throw new Error("no document with automatic height is prepared");
  const { sections, style, input } = current;
  const { margin, pageWidth } = input;
  const highestContentPx = maxAutoHeightPx - margin.top - margin.bottom;
  const rulerTimes = Math.max(1, Math.floor(highestContentPx / (pageWidth - margin.left - margin.right)) - 1);
  removeRuler();
  if (!contentsPx) {
    allowOnePage(sections);
    addRuler(rulerTimes * 100);
  }
  const heightsPx: number[] = [];
  const rules = sections.map((_, index) => {
    const margins = grownMargin(margin, index);
    const contentPx = contentsPx?.[index] ?? maxAutoHeightPx - margins.top - margins.bottom;
    heightsPx.push(margins.top + contentPx + margins.bottom);
    const { heightPx, bottomMarginPx } = autoPageHeight(contentPx, margins);
    return pageRule(pageName(index), input, heightPx, { ...margins, bottom: bottomMarginPx });
  });
  style.textContent = [...rules, pageRule(rulerPage, input, maxAutoHeightPx, margin)].join("");
  return { status: "set", heightsPx, rulerTimes };
}

/** Returns the margins of a page, which have grown if a header or footer is higher than its margin. */
function grownMargin(margin: Margin, pageIndex: number): Margin {
  const { header, footer } = currentMargins().reserved;
  const group = groupOf({ isFirst: pageIndex === 0, isOdd: pageIndex % 2 === 0 });
  return { ...margin, top: Math.max(margin.top, header[group]), bottom: Math.max(margin.bottom, footer[group]) };
}

function pageRule(name: string, { autoHeight }: PrepareInput, heightPx: number, margin: Margin): string {
  const { top, right, bottom, left } = margin;
  return `@page ${name}{size:${autoHeight} ${heightPx}px!important;margin:${top}px ${right}px ${bottom}px ${left}px!important}`;
}

/**
 * Removes `!important` from page sizes and margins: if two important declarations are in different style sheets, Chromium
 * does not use the size of the more specific `@page` rule.
 */
function makeUnimportant(rule: CSSRule): void {
  if (rule instanceof CSSPageRule) {
    const { style } = rule as unknown as { style: CSSStyleDeclaration };
    for (const name of style) style.setProperty(name, style.getPropertyValue(name));
  } else if (rule instanceof CSSGroupingRule) {
    for (const inner of rule.cssRules) makeUnimportant(inner);
  }
}

const pageName = (index: number) => `colophon-page-${index + 1}`;
const rulerPage = "colophon-ruler";

/** Gives a section its own page, and marks its beginning and end with named destinations. */
function markPage(section: HTMLElement, index: number): void {
  const marks = pageMarks(index);
  section.style.setProperty("page", pageName(index), "important");
  section.id = marks.start;
  section.after(endMark(marks.end, pageName(index)));
  for (const name of [marks.start, marks.end]) linkTo(name);
}

/** Returns a mark one pixel high, whose bottom edge is where the preceding element ends. */
function endMark(id: string, page: string): HTMLElement {
  const mark = createElement("div");
  mark.id = id;
  mark.style.cssText = `all:initial!important;display:block!important;height:1px!important;margin-top:-1px!important;page:${page}!important`;
  return mark;
}

/** Returns the height of each section, and of the space around it on its page, such as the body's padding. */
function measured(sections: HTMLElement[]): { contentPx: number; outsidePx: number }[] {
  const root = rootElement();
  const rects = sections.map((section) => section.getBoundingClientRect());
  // Content may lie below the end of the document.
  const overflowBottom = root.scrollHeight > root.clientHeight ? root.scrollHeight : 0;
  const rootBottom = Math.max(root.getBoundingClientRect().bottom, overflowBottom);
  return rects.map((rect, index) => {
    const above =
      index === 0 ? rect.top : Math.max(0, parseFloat(getComputedStyle(sections[index] as Element).marginTop));
    const below = index === sections.length - 1 ? Math.max(0, rootBottom - rect.bottom) : 0;
    return { contentPx: above + rect.height + below, outsidePx: above + below };
  });
}

/**
 * Adds a page with a box whose height is a percentage of the width, so that the printed file reveals the width of the
 * layout. Chromium lays out content that is too wide on a wider page, and then shrinks the whole document.
 */
function addRuler(percent: number): void {
  const ruler = createElement("div");
  ruler.id = rulerMarks.start;
  ruler.style.cssText = `all:initial!important;display:block!important;padding-top:${percent}%!important;page:${rulerPage}!important`;
  const end = endMark(rulerMarks.end, rulerPage);
  bodyElement().append(ruler, end);
  for (const name of [rulerMarks.start, rulerMarks.end]) linkTo(name);
}

function removeRuler(): void {
  for (const child of Array.from(bodyElement().children)) {
    if (child.id === rulerMarks.start || child.id === rulerMarks.end) child.remove();
  }
}

const forcedBreak = /^(page|left|right|recto|verso|always|all)$/;

/**
 * Removes the styles that divide a page file into several pages whatever their height: forced page breaks and named pages inside the
 * sections, and minimum heights of the boxes around the content. This takes time, so it is done only for documents that need it.
 */
function allowOnePage(sections: HTMLElement[]): void {
  for (const box of [rootElement(), bodyElement(), ...sections]) {
    box.style.setProperty("height", "auto", "important");
    if (!box.style.getPropertyPriority("min-height")) box.style.setProperty("min-height", "0", "important");
  }
  for (const element of sections.flatMap((section) => [section, ...findAll(section, "*")])) {
    if (!(element instanceof HTMLElement)) continue;
    const { breakBefore, breakAfter } = getComputedStyle(element);
    if (forcedBreak.test(breakBefore)) element.style.setProperty("break-before", "auto", "important");
    if (forcedBreak.test(breakAfter)) element.style.setProperty("break-after", "auto", "important");
    if (!sections.includes(element) && getComputedStyle(element).getPropertyValue("page") !== "auto") {
      element.style.setProperty("page", "auto", "important");
    }
  }
}
