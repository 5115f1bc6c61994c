// Reads the rules of style sheets.
import { documentStyleSheets, findInDocument, inlineStyleOf } from "./dom.ts";

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

export type StyledElements = { style: CSSStyleDeclaration; selector: string };

/** Returns the styles of the rules and of the rules in them, each with a selector that does not depend on an outer rule. */
export function styleRules(rules: readonly CSSRule[], outer = ":root"): StyledElements[] {
  return rules.flatMap((rule) => {
    if (rule instanceof CSSStyleRule) {
      const selector = rule.selectorText.replaceAll("&", `:is(${outer})`);
      const inner = rule.cssRules.length === 0 ? [] : styleRules([...rule.cssRules], selector);
      return [{ style: rule.style, selector }, ...inner];
    }
    return "cssRules" in rule ? styleRules([...(rule as CSSGroupingRule).cssRules], outer) : [];
  });
}

/**
 * Returns the elements to which a style applies that has what is asked for, in a rule or in an attribute. `inline` selects the
 * elements whose attribute may have it. Pseudo-elements are left out.
 */
export function elementsStyled(
  rules: readonly CSSRule[],
  has: (style: CSSStyleDeclaration) => boolean,
  inline: string,
): Element[] {
  const selectors = styleRules(rules).flatMap(({ style, selector }) =>
    has(style) && !selector.includes("::") ? [selector] : [],
  );
  const withAttribute = findInDocument(inline).filter((element) => {
    const style = inlineStyleOf(element);
    return style !== null && has(style);
  });
  return [...new Set([...(selectors.length > 0 ? findInDocument(selectors.join()) : []), ...withAttribute])];
}
