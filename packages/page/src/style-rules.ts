// Reads the rules of style sheets.
import { documentStyleSheets } from "./dom.ts";

/** Returns the rules of the page's own style sheets. */
export function documentRules(): CSSRule[] {
  return inlineSheets().flatMap((sheet) => [...sheet.cssRules]);
}

/**
 * Returns the inline style sheets. Linked sheets are left out, because they are blocked or come from another origin, and
 * reading their rules throws.
 */
export function inlineSheets(): CSSStyleSheet[] {
  return [...documentStyleSheets()].filter(({ href }) => href === null);
}
