// Shows the page numbers of a document that has been printed, and fills the lines in which they stand with leaders.
import type { NumberingOutcome, PageNumbers } from "../prepared-page.ts";
import { documentRules } from "../style-rules.ts";
import { usedAttributes } from "./collect-references.ts";
import { fillLeaders } from "./fill-leaders.ts";
import { showPageNumbers } from "./page-numbers.ts";
import { printWidth } from "./print-width.ts";

export function setPageNumbers({ pages, pageWidth, margin }: PageNumbers): NumberingOutcome {
  const attributes = usedAttributes();
  const rules = documentRules();
  const warnings = showPageNumbers(attributes.pages, new Map(pages));
  const widthOf = (element: Element) => printWidth(element, { pageWidth, margin }, rules);
  return { status: "numbered", warnings: [...warnings, ...fillLeaders(attributes.leaders, widthOf)] };
}
