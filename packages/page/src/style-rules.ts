// Reads the rules of style sheets.
import { attributeOf, documentStyleSheets, findInDocument, inlineStyleOf } from "./dom.ts";

/** Returns the rules of the page's own style sheets. */
export function documentRules(): CSSRule[] {
  return inlineSheets().flatMap((sheet) => [...sheet.cssRules]);
}

/**
 * Returns the inline style sheets. Linked sheets are skipped, because they are blocked or come from a different origin, and reading their
 * rules throws.
 */
export function inlineSheets(): CSSStyleSheet[] {
  return [...documentStyleSheets()].filter(({ href }) => href === null);
}

/** Returns the styles of the rules and of the rules nested in them, each with a selector that does not depend on an outer rule. */
export function styleRules(
  rules: readonly CSSRule[],
  outer = ":root",
): { style: CSSStyleDeclaration; selector: string }[] {
  return rules.flatMap((rule) => {
    if (rule instanceof CSSStyleRule) {
      const selector = rule.selectorText.replaceAll("&", `:is(${outer})`);
      const inner = rule.cssRules.length === 0 ? [] : styleRules([...rule.cssRules], selector);
      return [{ style: rule.style, selector }, ...inner];
    }
    return "cssRules" in rule ? styleRules([...(rule as CSSGroupingRule).cssRules], outer) : [];
  });
}

type HasStyle = (style: CSSStyleDeclaration) => boolean;

/** Returns the selectors of elements with a pseudo-element that has a style. `pseudo` finds the names of such pseudo-elements. */
export function ownersOf(pseudo: RegExp, has: HasStyle): string[] {
  return styleRules(documentRules()).flatMap(({ style, selector }) => {
    const owner = selector.replace(pseudo, ":is(*)");
    return has(style) && owner !== selector && CSS.supports(`selector(:is(${owner}))`) ? [owner] : [];
  });
}

/** Returns whether `has` is true for a style of the rules or of the rules nested in them. */
export function isStyled(rules: readonly CSSRule[], has: HasStyle): boolean {
  return rules.some((rule) => {
    const { style, cssRules } = rule as Partial<CSSStyleRule>;
    return (style !== undefined && has(style)) || isStyled([...(cssRules ?? [])], has);
  });
}

/** The selectors of each sheet's rules that have a style. Sheets in the head stay in the page for the next documents. */
const knownSelectors = new WeakMap<CSSStyleSheet, Map<HasStyle, string[]>>();

function selectorsIn(sheet: CSSStyleSheet, has: HasStyle): string[] {
  const cachedSelectors = knownSelectors.get(sheet) ?? new Map<HasStyle, string[]>();
  knownSelectors.set(sheet, cachedSelectors);
  const selectors =
    cachedSelectors.get(has) ??
    styleRules([...sheet.cssRules]).flatMap(({ style, selector }) =>
      has(style) && !selector.includes("::") ? [selector] : [],
    );
  cachedSelectors.set(has, selectors);
  return selectors;
}

/** Returns the elements with a style for which `has` is true. `inline` matches the attributes that may have such a style. */
export type StyledElements = (has: HasStyle, inline: RegExp) => Element[];

/**
 * Returns a function that finds elements by the styles of rules and attributes, as they are now. Pseudo-elements are ignored. Selectors
 * are cached by `has`, which must be the same function each time.
 */
export function styledElements(): StyledElements {
  const sheets = inlineSheets();
  const withAttribute = findInDocument("[style]").map((element) => {
    return { element, text: attributeOf(element, "style") ?? "" };
  });
  return (has, inline) => {
    const selectors = sheets.flatMap((sheet) => selectorsIn(sheet, has));
    // Unlike a plain list, `:is` ignores selectors that a query does not support, such as one with a namespace prefix.
    const byRule = selectors.length > 0 ? findInDocument(`:is(${selectors.join()})`) : [];
    // The rows of a table have the same few attributes.
    const verdicts = new Map<string, boolean>();
    const byAttribute = withAttribute.flatMap(({ element, text }) => {
      const style = verdicts.has(text) || !(inline.test(text) || text.includes("\\")) ? null : inlineStyleOf(element);
      const verdict = verdicts.get(text) ?? (style !== null && has(style));
      verdicts.set(text, verdict);
      return verdict ? [element] : [];
    });
    return byAttribute.length > 0 ? [...new Set([...byRule, ...byAttribute])] : byRule;
  };
}
