// Finds text of headers and footers that a position moves off the paper.
import { boxOf, findInDocument, parentOf } from "../dom.ts";
import { clippingBoxes } from "../overflow/find-overflow.ts";
import { fullNameOf, type HiddenNode, hiddenNodes, mayBeOutside } from "../overflow/hidden-content.ts";
import { cutOffAtPage } from "../overflow/outside-page.ts";
import { styledElements } from "../style-rules.ts";
import type { Sheet } from "./plan-sheets.ts";

const maxElements = 5;
const tag = "colophon-sheet";

/** Returns a warning for each element. `sheets` are in the order of the page, and `pageOf` counts from 1. */
export function textOutsideSheets(sheets: readonly Sheet[], pageOf: (sheet: Sheet) => number): string[] {
  const styled = styledElements();
  if (!styled(isPositioned, /position/i).some(isContent)) return [];
  const clipping = clippingBoxes(styled, []);
  // Pages repeat their headers.
  const warnings = new Map<string, string>();
  const looks = new Set<string>();
  for (const [index, content] of findInDocument(`${tag} > ${tag}`).entries()) {
    const [sheet, area] = [sheets[index], boxOf(content)];
    if (!sheet || looks.has(sheet.lookKey) || warnings.size >= maxElements) continue;
    looks.add(sheet.lookKey);
    if (!mayBeOutside(content, area)) continue;
    const texts = [...hiddenNodes(content, area, clipping)].filter(({ node }) => node instanceof Text);
    for (const [element, nodes] of Map.groupBy(texts, outermostPositioned)) {
      const [found] = element ? cutOffAtPage(element, nodes) : [];
      const name = found ? fullNameOf(found.element) : "";
      if (found && !warnings.has(name)) warnings.set(name, `Page ${pageOf(sheet)}: ${found.message}`);
    }
  }
  return [...warnings.values()];
}

function isPositioned({ position }: CSSStyleDeclaration): boolean {
  return /absolute|fixed|relative|sticky|\(/.test(position);
}

/** Whether the element is inside a header or footer. */
function isContent(element: Element): boolean {
  return element.localName !== tag && parentOf(element)?.localName !== tag;
}

function outermostPositioned({ node }: HiddenNode): Element | null {
  let outermost: Element | null = null;
  for (let element = parentOf(node); element && isContent(element); element = parentOf(element))
    if (getComputedStyle(element).position !== "static") outermost = element;
  return outermost;
}
