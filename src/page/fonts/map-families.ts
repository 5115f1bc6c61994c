// Maps the font families in the markup of a document onto those of the document. The template's style sheet has been mapped
// when the template was compiled.
import { familyVariable, mappedAttribute, refersToVariables } from "../../core/rendering/families/family-values.ts";
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

/** Most `style` attributes have none of these words. The last one is the beginning of a custom property. */
const relevant = /font|\ball\b|\\|--/i;

function mapStyleAttributes(elements: readonly Element[], usesVariables: boolean): void {
  const styled: [Element, string][] = [];
  for (const element of elements) {
    const css = attributeOf(element, "style");
    if (css && relevant.test(css)) styled.push([element, css]);
  }
  let mapper = styleMapper(usesVariables);
  let texts = styled.map(([, css]) => mapper.mapped(css));
  if (!usesVariables && mapper.usesVariables()) {
    // Custom properties are numerous in some documents, and rarely used for fonts.
    mapper = styleMapper(true);
    texts = styled.map(([, css]) => mapper.mapped(css));
  }
  const inherited = styleMapper(true);
  for (const [index, [element, css]] of styled.entries()) {
    // Headers and footers, which are mapped apart, inherit the custom properties of these elements.
    const isInherited = element.localName === "html" || element.localName === "body";
    const text = isInherited ? inherited.mapped(css) : texts[index];
    if (text !== undefined && text !== css) setAttribute(element, "style", text);
  }
}

/** Matches styles that can be divided at each `;`: they have no escapes, comments or blocks. */
const simple = /^(?:[\w\s:;,.%#!-]|"[\w\s,.-]*"|'[\w\s,.-]*'|\([\w\s,.%#-]*\))*$/;
const fontDeclaration = /^\s*(?:font|font-family|all|--[\w-]+)\s*:/i;
const numericVariable = /^\s*(--[\w-]+)\s*:\s*(-?[\d.]+(?:%|[a-z]+)?)\s*$/i;

type StyleMapper = { mapped(css: string): string; usesVariables(): boolean };

/** Reads equal declarations only once, because a long document has many of them. */
function styleMapper(withVariables: boolean): StyleMapper {
  const known = new Map<string, string>();
  let usesVariables = false;
  const mappedText = (css: string): string => {
    const found = known.get(css);
    if (found !== undefined) return found;
    const { edits, usesVariables: ownVariables } = styleFamilies({ kind: "style", css, withVariables });
    usesVariables ||= ownVariables;
    const text = withEdits(css, edits);
    known.set(css, text);
    return text;
  };
  const mappedDeclaration = (declaration: string): string => {
    if (!fontDeclaration.test(declaration)) return declaration;
    const [, name, value] = numericVariable.exec(declaration) ?? [];
    if (name === undefined) return mappedText(declaration);
    return withVariables ? `${declaration};${familyVariable(name)}:${value}` : declaration;
  };
  return {
    mapped: (css) => (simple.test(css) ? css.split(";").map(mappedDeclaration).join(";") : mappedText(css)),
    usesVariables: () => usesVariables,
  };
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
