// Reads the rules of style sheets.
import { documentStyleSheets } from "./dom.ts";

/** Returns the rules of the page's own style sheets. */
export function documentRules(): CSSRule[] {
  return styleRules(documentStyleSheets());
}

/**
 * Returns the rules of the inline style sheets. Linked sheets are left out, because they are blocked or come from
 * another origin, and reading their rules throws.
 */
export function styleRules(sheets: StyleSheetList): CSSRule[] {
  return inlineSheets(sheets).flatMap((sheet) => [...sheet.cssRules]);
}

export function inlineSheets(sheets: StyleSheetList): CSSStyleSheet[] {
  return [...sheets].filter(({ href }) => href === null);
}
