// Makes a document independent of the fonts of the machine: the families in its styles lead to the fonts of the template and of the
// service only. The browser has read the styles, so nothing here knows the syntax of CSS, except for lists of families.
import {
  familyList,
  monospaceScale,
  servedFamilies,
  servedFont,
  withServiceFamilies,
} from "../../core/rendering/families/service-families.ts";
import {
  attributeOf,
  documentFonts,
  documentStyleSheets,
  findInTrees,
  inlineStyleOf,
  rootElement,
  setAttribute,
  type Tree,
} from "../dom.ts";
import { inlineSheets } from "../style-rules.ts";

/** The styles of the head stay in the page for the next documents. */
const mapped = new WeakSet<CSSStyleSheet>();
/** The families that styles name, as far as they are not hidden yet. */
const named = new Set<string>();

/** Maps the families in all style sheets, and in the attributes of the trees, which must be in the page. */
export function mapFamilies(trees: readonly Tree[]): void {
  const shadowSheets = trees.flatMap((tree) => (tree instanceof ShadowRoot ? inlineSheets(tree.styleSheets) : []));
  for (const sheet of [...inlineSheets(documentStyleSheets()), ...shadowSheets]) {
    if (!mapped.has(sheet)) mapRules(sheet);
    mapped.add(sheet);
  }
  for (const element of findInTrees(trees, "[style], [font-family], font[face]")) mapAttributes(element);
  hideInstalledFonts();
}

/** Matches what may contain a family, an escape, or a custom property that is no number. */
const relevant = /font|\ball\b|\\|--[\w-]+\s*:[^;\d]*[a-z"']/i;

function mapAttributes(element: Element): void {
  const style = relevant.test(attributeOf(element, "style") ?? "") ? inlineStyleOf(element) : null;
  if (style) mapStyle(style);
  for (const name of element.localName === "font" ? ["face"] : ["font-family"]) {
    const value = attributeOf(element, name);
    if (value) setAttribute(element, name, servedFamilies(value.trim(), named));
  }
}

function mapRules(group: CSSStyleSheet | CSSGroupingRule): void {
  for (const [index, rule] of [...group.cssRules].entries()) {
    if (rule instanceof CSSFontFaceRule) leaveOutLocal(group, rule, index);
    else if ("style" in rule) mapStyle(rule.style as CSSStyleDeclaration);
    if ("cssRules" in rule) mapRules(rule as CSSGroupingRule);
  }
}

/** Lets `local()` find nothing. */
function leaveOutLocal(group: CSSStyleSheet | CSSGroupingRule, rule: CSSFontFaceRule, index: number): void {
  if (!rule.style.getPropertyValue("src").includes("local(")) return;
  const text = rule.cssText.replace(/local\((?:"(?:[^"\\]|\\.)*"|[^)"]*)\)/g, 'local("colophon:none")');
  group.deleteRule(index);
  group.insertRule(text, index);
}

function mapStyle(style: CSSStyleDeclaration): void {
  const set = (name: string, value: string, source = name) =>
    style.setProperty(name, value, style.getPropertyPriority(source));
  for (const name of Array.from(style).filter((property) => property.startsWith("--")))
    if (name !== monospaceScale) change(style.getPropertyValue(name), withServiceFamilies, (value) => set(name, value));
  const all = style.getPropertyValue("all");
  const families = style.getPropertyValue("font-family") || all;
  if (families) {
    change(families, servedFamilies, (value) => {
      set("font-family", value, families === all ? "all" : "font-family");
      set(monospaceScale, scaleOf(families), "font-family");
    });
  } else {
    change(style.getPropertyValue("font"), servedFont, (value) => set("font", value));
  }
}

/** Only `monospace` alone makes code smaller. */
function scaleOf(families: string): string {
  if (families === "monospace") return "initial";
  return families.startsWith("revert") ? "revert-layer" : "1";
}

function change(value: string, map: typeof servedFamilies, write: (value: string) => void): void {
  const result = value === "" ? "" : map(value, named);
  if (result !== value) write(result);
}

/** Faces without glyphs, by the families of the machine that they hide. */
const hiding = new Map<string, FontFace>();
const maxHiding = 500;

/**
 * Hides the fonts of the machine whose names styles contain: a browser looks for a family among them only if the document has no face
 * of it.
 */
function hideInstalledFonts(): void {
  for (const name of named) {
    const key = name.toLowerCase();
    if (hiding.size >= maxHiding || hiding.has(key)) continue;
    hiding.set(key, new FontFace(name, "url(data:,)", { unicodeRange: "U+10FFFF" }));
  }
  named.clear();
  if (hiding.size === 0) return;
  const fonts = documentFonts();
  const hidden = new Set(hiding.values());
  const declared = new Set([...fonts].filter((face) => !hidden.has(face)).map(familyOf));
  for (const [family, face] of hiding) {
    if (declared.has(family)) fonts.delete(face);
    else fonts.add(face);
  }
}

function familyOf({ family }: FontFace): string {
  return family.replace(/^["']|["']$/g, "").toLowerCase();
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
