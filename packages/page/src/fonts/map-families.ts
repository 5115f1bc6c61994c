// Makes a document independent of the machine's fonts: the families in its styles lead only to fonts of the template and of the
// service. Also removes key frames and transitions, so that documents are static. The browser has already parsed the styles, so
// this module needs only the CSS syntax of family lists.
import {
  attributeOf,
  documentFonts,
  findInTrees,
  inlineStyleOf,
  rootElement,
  setAttribute,
  type Tree,
} from "../dom.ts";
import { inlineSheets } from "../style-rules.ts";
import { missingGlyphFamily } from "./missing-glyph-font.ts";
import { familyList, monospaceScale, servedFamilies, servedFont, withServiceFamilies } from "./service-families.ts";

/** The families that each sheet names. Styles in the head stay in the page for the next documents. */
const mapped = new WeakMap<CSSStyleSheet, Set<string>>();
/** The families that the styles of this document name. */
const ofDocument = new Set<string>();
/** Collects the families of the styles that are being mapped. */
let named = ofDocument;

/** Forgets the previous document's families, which must not affect the next one. */
export function forgetFamilies(): void {
  ofDocument.clear();
}

/** Maps the families in all style sheets and in the attributes of the trees, which must be in the page. */
export function mapFamilies(trees: readonly Tree[]): void {
  for (const sheet of inlineSheets()) {
    for (const name of mapped.get(sheet) ?? mapSheet(sheet)) ofDocument.add(name);
  }
  for (const element of findInTrees(trees, "[style], [font-family], font[face]")) mapAttributes(element);
  hideInstalledFonts();
}

function mapSheet(sheet: CSSStyleSheet): Set<string> {
  named = new Set();
  mapRules(sheet);
  mapped.set(sheet, named);
  const names = named;
  named = ofDocument;
  return names;
}

/** Matches CSS that may contain a family, a transition, an escape, or a custom property that is not a number. */
const relevant = /font|transition|\ball\b|\\|--[^:;]+:(?!\s*-?[\d.]+(?:%|[a-z]+)?\s*(?:;|$))/i;
/** The value of a custom property that may be text to display, such as a label from the data. */
const isText = /^\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*$/;

function mapAttributes(element: Element): void {
  const style = relevant.test(attributeOf(element, "style") ?? "") ? inlineStyleOf(element) : null;
  if (style) mapStyle(style, (value) => !isText.test(value));
  for (const name of element.localName === "font" ? ["face"] : ["font-family"]) {
    const value = attributeOf(element, name);
    if (value) setAttribute(element, name, servedFamilies(value.trim(), named));
  }
}

function mapRules(group: CSSStyleSheet | CSSGroupingRule): void {
  for (const [index, rule] of [...[...group.cssRules].entries()].toReversed()) {
    if (rule instanceof CSSKeyframesRule) group.deleteRule(index);
    else if (rule instanceof CSSFontFaceRule) leaveOutLocal(group, rule, index);
    else if ("style" in rule) mapStyle(rule.style as CSSStyleDeclaration);
    if ("cssRules" in rule) mapRules(rule as CSSGroupingRule);
  }
}

/** Makes `local()` find nothing. */
function leaveOutLocal(group: CSSStyleSheet | CSSGroupingRule, rule: CSSFontFaceRule, index: number): void {
  if (!rule.style.getPropertyValue("src").includes("local(")) return;
  const text = rule.cssText.replace(/local\((?:"(?:[^"\\]|\\.)*"|[^)"]*)\)/g, 'local("colophon:none")');
  group.deleteRule(index);
  group.insertRule(text, index);
}

/** `isFontLike` decides whether the value of a custom property may be changed. */
function mapStyle(style: CSSStyleDeclaration, isFontLike: (value: string) => boolean = () => true): void {
  const set = (name: string, value: string, source = name) =>
    style.setProperty(name, value, style.getPropertyPriority(source));
  const names = Array.from(style);
  // A transition could start with the styles of the previous document.
  if (names.some((name) => name.startsWith("transition"))) style.removeProperty("transition");
  for (const name of names.filter((property) => property.startsWith("--")))
    if (name !== monospaceScale && isFontLike(style.getPropertyValue(name)))
      change(style.getPropertyValue(name), withServiceFamilies, (value) => set(name, value));
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

/** Code is scaled only if `monospace` is the only family. */
function scaleOf(families: string): string {
  if (families === "monospace") return "initial";
  return families.startsWith("revert") ? "revert-layer" : "1";
}

function change(value: string, map: typeof servedFamilies, write: (value: string) => void): void {
  const result = value === "" ? "" : map(value, named);
  if (result !== value) write(result);
}

/** Faces without glyphs. Each has the name of a family installed on the machine, which it hides. */
const hiding = new Map<string, FontFace>();
const maxHiding = 500;

/**
 * Hides the installed fonts that the styles name: a browser uses an installed font only if the document has no face with its
 * name.
 */
function hideInstalledFonts(): void {
  const fonts = documentFonts();
  const others = [...ofDocument].filter((name) => !/^colophon\b/i.test(name));
  const names = new Map(others.slice(0, maxHiding).map((name) => [name.toLowerCase(), name]));
  for (const [key, face] of hiding) {
    if (names.has(key)) continue;
    fonts.delete(face);
    hiding.delete(key);
  }
  if (names.size === 0) return;
  const hidden = new Set(hiding.values());
  const declared = new Set([...fonts].filter((face) => !hidden.has(face)).map(familyOf));
  for (const [key, name] of names) {
    const face = hiding.get(key) ?? new FontFace(name, "url(data:,)", { unicodeRange: "U+10FFFF" });
    hiding.set(key, face);
    if (declared.has(key)) fonts.delete(face);
    else fonts.add(face);
  }
}

function familyOf({ family }: FontFace): string {
  return family.replace(/^["']|["']$/g, "").toLowerCase();
}

/**
 * Gives the root the default font if its styles set none: on the root, `unset` and `inherit` mean a font of the browser.
 * The document must be in the page.
 */
export function keepRootFamily(): void {
  const root = rootElement();
  if (getComputedStyle(root).fontFamily.includes(missingGlyphFamily)) return;
  root.style.setProperty("font-family", familyList("sans"), "important");
}
