// Finds the page references and leaders in a document's styles, and sets their initial values. The pages of a PDF are
// known only after it has been printed, so its numbers are estimates until `setPageNumbers` is called.
import { pageBoxes } from "../boxes/page-boxes.ts";
import { TooExpensiveError } from "../cost/too-expensive.ts";
import { createElement, elementById, headElement, linkTo, setAttribute } from "../dom.ts";
import type { PageReferences, PrepareInput } from "../prepared-page.ts";
import { fillLeaders, leaderEdge, leaderStyles } from "./fill-leaders.ts";
import { findUses, type LeaderUse } from "./find-uses.ts";
import { showPageNumbers, usedAttributes } from "./page-numbers.ts";
import { printWidth } from "./print-width.ts";

/**
 * A table of contents on 80 pages has about 4,000 entries, each with a page reference and a leader. Filling 4,000 leaders takes about half
 * as long as printing them.
 */
const maxUses = 10_000;

type Input = Pick<PrepareInput, "format" | "pageWidth" | "pageHeight" | "margin">;

/**
 * Returns the names of the targets, which are the names of their destinations in the PDF. Without page references there are
 * no targets. An image has none either, because its pages are already known. `rules` are the rules of the page's own style
 * sheets. Throws `TooExpensiveError` if the document has too many references.
 */
export function collectReferences(input: Input, rules: readonly CSSRule[]): PageReferences {
  const attributes = usedAttributes();
  if (attributes.pages.length + attributes.leaders.length === 0) return { targets: [], warnings: [] };
  const { pageUses, leaderUses } = findUses(attributes.pages, attributes.leaders, rules);
  const uses = pageUses.length + leaderUses.length;
  if (uses > maxUses) throw new TooExpensiveError(tooManyUses(uses));
  for (const { element, attribute } of pageUses) setAttribute(element, attribute, "");
  insertLeaders(leaderUses);
  const targets = [...new Set(pageUses.map(({ target }) => target))];
  if (input.format !== "pdf") {
    const missing = showPageNumbers(attributes.pages, pagesOfBoxes(targets));
    return { targets: [], warnings: [...missing, ...fillLeaders(attributes.leaders, null)] };
  }
  if (targets.length === 0) {
    const warnings = fillLeaders(attributes.leaders, (element) => printWidth(element, input, rules));
    return { targets, warnings };
  }
  showPageNumbers(attributes.pages, estimatedPages(targets, input));
  for (const target of targets) linkTo(target);
  return { targets, warnings: [] };
}

function tooManyUses(uses: number): string {
  return `The document has ${uses} page references and leaders; at most ${maxUses} are allowed. Split it into several documents.`;
}

/** Shows each leader with one repeat, so that the first print breaks lines in the same places as the last one. */
function insertLeaders(uses: readonly LeaderUse[]): void {
  if (uses.length === 0) return;
  const style = createElement("style");
  style.textContent = leaderStyles;
  headElement().append(style);
  for (const { element, attribute, pattern, edge } of uses) {
    setAttribute(element, attribute, pattern);
    setAttribute(element, leaderEdge, edge);
  }
}

/** Returns estimates with about as many digits as the real numbers, so that the first print resembles the last one. */
function estimatedPages(targets: readonly string[], { pageHeight, margin }: Input): Map<string, number> {
  const pages = new Map<string, number>();
  const contentHeight = Math.max(1, pageHeight - margin.top - margin.bottom);
  for (const target of targets) {
    const element = elementById(target);
    const top = element && Element.prototype.getBoundingClientRect.call(element).top;
    if (top !== null) pages.set(target, 1 + Math.max(0, Math.floor(top / contentHeight)));
  }
  return pages;
}

/** Returns the number of the page file that contains each target, because an image shows each page file as one page. */
function pagesOfBoxes(targets: readonly string[]): Map<string, number> {
  const boxes = pageBoxes();
  const pages = new Map<string, number>();
  for (const target of targets) {
    const element = elementById(target);
    const index = boxes.findIndex((box) => Node.prototype.contains.call(box, element));
    if (index >= 0) pages.set(target, index + 1);
  }
  return pages;
}
