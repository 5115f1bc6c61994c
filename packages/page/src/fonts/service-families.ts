// The service's own font families. Every family list in a document ends with them, so a document looks the same on every machine,
// whatever fonts are installed.
import { fontFamilies as names, type FontFamily } from "colophon-fonts/font-index";
import { isGenericFamily, kindOfFamily } from "./known-families.ts";
import { missingGlyphFamily } from "./missing-glyph-font.ts";

/** The custom property with which a document's styles scale code. In a browser, only the value `monospace` scales it. */
export const monospaceScale = "--colophon-scale";

/**
 * Returns the family list for a type of text. Every list includes the formula family, because browsers display letters in formulas
 * as special characters, such as U+1D465 for x. The last family draws a box for any character.
 */
export function familyList(kind: FontFamily): string {
  const others = kind === "scripts" ? names.sans : names.scripts;
  const served = new Set([names[kind], others, names.math]);
  return `${[...served].map((name) => `"${name}"`).join()},${missingGlyphFamily}`;
}

/** Returns the value of `font-family` that looks the same on every machine. See `withServiceFamilies`. */
export function servedFamilies(value: string, named: Set<string>): string {
  if (/^(?:inherit|unset|revert-layer)$/i.test(value)) return value;
  if (/^initial$/i.test(value)) return familyList("sans");
  // This value means the browser's own styles, which the document's first layer replaces.
  if (/^revert$/i.test(value)) return "revert-layer";
  return ended(withServiceFamilies(value, named));
}

/** Returns the value of `font` if the browser cannot split it, because it refers to a custom property or to a system font. */
export function servedFont(value: string, named: Set<string>): string {
  // Browsers differ in the sizes of these fonts.
  if (/^[a-z-]+$/i.test(value)) return `medium ${familyList("sans")}`;
  return ended(withServiceFamilies(value, named));
}

/** Returns the value with the families at the end of every list, as the browser serialises it. */
function ended(value: string): string {
  const isServed = [names.sans, names.serif, names.mono, names.math].some((name) => value.includes(`"${name}"`));
  const end = isServed ? `"${names.scripts}","${names.math}",${missingGlyphFamily}` : familyList("sans");
  if (value.includes("(")) return `${value},${end}`;
  return [...new Set([...(value.match(items) ?? []), ...end.split(",")].map((item) => item.trim()))].join(", ");
}

/** Quoted names, and the parts between commas and brackets. */
const items = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s,()"'][^,()"']*/g;
/** The part of `font` before the families, up to the size and the line height. */
const fontHead = /^(?:.*\s)?[\d.]+[a-z%]*(?:\s*\/\s*\S+)?\s+/is;
const identifiers = /^-?[\p{L}_][\p{L}\p{N}_-]*(?:\s+-?[\p{L}_][\p{L}\p{N}_-]*)*$/u;
const maxChars = 2_000;

/**
 * Adds the service's families after well-known families such as Arial, and replaces generic families with them. `value` is the
 * value of `font-family`, of `font`, or of a custom property to which these may refer. The names of other families are added to
 * `named`.
 */
export function withServiceFamilies(value: string, named: Set<string>): string {
  if (value.length > maxChars) return value;
  return value.replace(items, (item: string, start: number) => {
    const end = start + item.length;
    if (value[end] === "(") return item;
    if (/^["']/.test(item)) return named.add(item.slice(1, -1)) && withServiceFamily(item, item.slice(1, -1));
    const [head = ""] = fontHead.exec(item) ?? [];
    const name = item.slice(head.length).trim().replace(/\s+/g, " ");
    if (!identifiers.test(name)) return item;
    const kind = isGenericFamily(name) ? kindOfFamily(name) : null;
    if (kind) return head + (end === value.length ? familyList(kind) : `"${names[kind]}"`);
    named.add(name);
    return head + withServiceFamily(name, name);
  });
}

function withServiceFamily(text: string, name: string): string {
  const kind = kindOfFamily(name);
  return kind === null || /^colophon\b/i.test(name) ? text : `${text},"${names[kind]}"`;
}
