// Maps the font families in the markup of a document onto those of the document. The template's style sheet has been mapped
// when the template was compiled.
import { mappedAttribute, refersToVariables } from "../../core/rendering/families/family-values.ts";
import { familyList } from "../../core/rendering/families/service-families.ts";
import { styleFamilies, withEdits } from "../../core/rendering/families/style-families.ts";
import { attributeOf, findInTrees, rootElement, setAttribute, textOf, type Tree } from "../dom.ts";

/** Whether a font in the style sheet of the template refers to a custom property. */
let sheetUsesVariables = false;

/** Keeps what the style sheet says until another one is loaded. */
export function keepStyleSheet(mappedCss: string): void {
  sheetUsesVariables = refersToVariables(mappedCss);
}

/** The trees must not be in the page yet. */
export function mapFamilies(trees: readonly Tree[]): void {
  const elements = findInTrees(trees, "style, [style], [font-family], font[face]");
  let usesVariables = sheetUsesVariables;
  for (const element of elements) {
    if (element.localName !== "style") continue;
    const css = textOf(element);
    const found = styleFamilies({ kind: "rules", css, withVariables: true });
    usesVariables ||= found.usesVariables;
    if (found.edits.length > 0) element.textContent = withEdits(css, found.edits);
  }
  mapStyleAttributes(elements, usesVariables);
  for (const element of elements) {
    for (const name of ["font-family", "face"]) {
      const value = attributeOf(element, name);
      if (value !== null && (name !== "face" || element.localName === "font"))
        setAttribute(element, name, mappedAttribute(value));
    }
  }
}

function mapStyleAttributes(elements: readonly Element[], usesVariables: boolean): void {
  const cssOf = new Map<Element, string>();
  for (const element of elements) {
    const css = attributeOf(element, "style");
    if (css) cssOf.set(element, css);
  }
  const distinct = new Set(cssOf.values());
  let mapped = mappedStyles(distinct, usesVariables);
  // Custom properties are numerous in some documents, and rarely used for fonts.
  if (!usesVariables && mapped.usesVariables) mapped = mappedStyles(distinct, true);
  for (const [element, css] of cssOf) {
    // Headers and footers, which are mapped apart, inherit the custom properties of these elements.
    const isInherited = element.localName === "html" || element.localName === "body";
    const text = isInherited ? mappedStyles([css], true).texts.get(css) : mapped.texts.get(css);
    if (text !== undefined) setAttribute(element, "style", text);
  }
}

/** Returns the texts that change. */
function mappedStyles(
  styles: Iterable<string>,
  withVariables: boolean,
): { texts: Map<string, string>; usesVariables: boolean } {
  const texts = new Map<string, string>();
  let usesVariables = false;
  for (const css of styles) {
    const found = styleFamilies({ kind: "style", css, withVariables });
    usesVariables ||= found.usesVariables;
    if (found.edits.length > 0) texts.set(css, withEdits(css, found.edits));
  }
  return { texts, usesVariables };
}

/**
 * Gives the root the default font if its styles leave it without one: `unset` and `inherit` there mean a font of the browser.
 * The document must be in the page.
 */
export function keepRootFamily(): void {
  const root = rootElement();
  if (getComputedStyle(root).fontFamily.includes("Colophon Sans")) return;
  root.style.setProperty("font-family", familyList("sans"), "important");
}
