// Writes page numbers into the attributes that a document's styles show.
import { attributeOf, findInDocument, rootElement, setAttribute } from "../dom.ts";
import type { NumberingOutcome, PageNumbers } from "../prepared-page.ts";
import { documentRules } from "../style-rules.ts";
import { formatCounter } from "./counter-styles.ts";
import { fillLeaders } from "./fill-leaders.ts";
import { missingTargetWarnings, type TargetPages } from "./page-references.ts";
import { printWidth } from "./print-width.ts";
import {
  attributesProperty,
  parseAttributeNames,
  type LeaderAttribute,
  type PageAttribute,
} from "./reference-attributes.ts";

/**
 * Sets each reference to its target's page. `labels` are the numbers within the parts of the document, where they are known. Returns
 * warnings for references that stay empty.
 */
export function showPageNumbers(
  attributes: readonly PageAttribute[],
  pages: TargetPages,
  labels: ReadonlyMap<string, string> = new Map(),
): string[] {
  const missing = new Set<string>();
  for (const { name, source, style } of attributes) {
    for (const element of findInDocument(`[${name}]`)) {
      const target = targetName(attributeOf(element, source));
      const page = pages.get(target);
      if (page === undefined) missing.add(target);
      const label = style === "part" ? (labels.get(target) ?? String(page)) : formatCounter(page ?? 0, style);
      setAttribute(element, name, page === undefined ? "" : label);
    }
  }
  return missingTargetWarnings([...missing]);
}

/** Returns the fragment of a link within the document, escaped as in a URL; an empty string for any other link. */
export function targetName(link: string | null): string {
  return link?.startsWith("#") ? new URL(link, "about:blank").hash.slice(1) : "";
}

/** Sets the page numbers of a document that has been printed, and fills the lines with leaders. */
export function setPageNumbers({ pages, labels, pageWidth, margin }: PageNumbers): NumberingOutcome {
  const attributes = usedAttributes();
  const rules = documentRules();
  const warnings = showPageNumbers(attributes.pages, new Map(pages), new Map(labels));
  const widthOf = (element: Element) => printWidth(element, { pageWidth, margin }, rules);
  return { status: "numbered", warnings: [...warnings, ...fillLeaders(attributes.leaders, widthOf)] };
}

/** Returns the attributes that the template's styles use. */
export function usedAttributes(): { pages: PageAttribute[]; leaders: LeaderAttribute[] } {
  return parseAttributeNames(getComputedStyle(rootElement()).getPropertyValue(attributesProperty));
}
