// Inserts boxes that are printed as blank pages, where pages of different sides have different styles: Chromium counts only the pages that
// it prints, so it would give the margins of left pages to right ones.
import {
  bodyElement,
  createElement,
  elementById,
  findInDocument,
  linkTo,
  parentOf,
  previousOf,
  setAttribute,
} from "./dom.ts";
import type { CurrentMargins } from "./margins/reserve-margins.ts";
import { blankBoxName, type BlankBoxes, type BlankBoxesOutcome, type PageStyles } from "./prepared-page.ts";
import { isTablePart, startIn } from "./side-breaks.ts";

/** Headers and footers reserve different heights if they differ. */
export function pageStyles(rules: readonly CSSRule[], { input, reserved }: CurrentMargins): PageStyles {
  const selectors = pageSelectors(rules).join(" ");
  const areaOf = (group: "first" | "odd" | "even") =>
    `${Math.max(input.margin.top, reserved.header[group])} ${Math.max(input.margin.bottom, reserved.footer[group])}`;
  return {
    areSidesDifferent: /:(?:left|right)/.test(selectors) || areaOf("odd") !== areaOf("even"),
    isFirstDifferent: selectors.includes(":first") || areaOf("first") !== areaOf("even"),
  };
}

function pageSelectors(rules: readonly CSSRule[]): string[] {
  return rules.flatMap((rule) => {
    if (rule instanceof CSSPageRule) return [rule.selectorText];
    return "cssRules" in rule ? pageSelectors([...(rule as CSSGroupingRule).cssRules]) : [];
  });
}

/** Replaces the boxes. Between the rows of a table, there can be none. */
export function setBlankBoxes({ before }: BlankBoxes): BlankBoxesOutcome {
  for (const box of findInDocument(tagName)) Element.prototype.remove.call(box);
  for (const [index, name] of before.entries()) {
    const start = elementById(name);
    const place = start && outermostAt(start);
    if (!place || isTablePart(place)) continue;
    Element.prototype.before.call(place, blankBox(blankBoxName(index)));
    linkTo(blankBoxName(index));
  }
  return { status: "set" };
}

/** Returns the outermost element that begins where the element does. */
function outermostAt(start: Element): Element {
  let place = start;
  for (let outer = parentOf(start); outer && outer !== bodyElement(); outer = parentOf(outer)) {
    for (let before = previousOf(place); before; before = previousOf(before)) if (startIn(before)) return place;
    place = outer;
  }
  return place;
}

const tagName = "colophon-blank";
/** The margins of a page on which nothing is painted cannot be read. */
const boxStyle = [
  "all:unset",
  "display:block",
  "break-before:page",
  "break-after:page",
  "width:1px",
  "height:1px",
  "background:#000",
]
  .map((declaration) => `${declaration}!important`)
  .join(";");

function blankBox(id: string): Element {
  const box = createElement(tagName as "div");
  for (const [name, value] of Object.entries({ id, role: "none", style: boxStyle })) setAttribute(box, name, value);
  return box;
}
