// Heights between the margins of pages. Headers and footers make the margins higher.
import { currentMargins } from "../margins/reserve-margins.ts";
import type { PrepareInput } from "../prepared-page.ts";
import { printHeights } from "../references/print-width.ts";
import { styledElements } from "../style-rules.ts";

/** Returns the height between the margins of the page on which an element is printed. */
export type HeightOf = (element: Element) => number;

/** `rules` are the rules of the page's own style sheets. The margins are those that are reserved at the time of the call. */
export function pageHeights(
  { pageHeight, margin }: PrepareInput,
  rules: readonly CSSRule[],
  styled = styledElements(),
): HeightOf {
  const { header, footer } = currentMargins().reserved;
  const least = { top: Math.max(...Object.values(header)), bottom: Math.max(...Object.values(footer)) };
  return printHeights({ pageHeight, margin, least }, rules, styled);
}
