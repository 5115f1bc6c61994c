// The families of the service's own fonts. Every list of families in a document ends with them, so a document looks the same on every
// machine, regardless of its fonts.
import { fontFamilies as names, type FontFamily } from "colophon-fonts/font-index";
import { missingGlyphFamily } from "./missing-glyph-font.ts";
import { isGenericFamily, kindOfFamily } from "./known-families.ts";

/**
 * The custom property by which the styles of a document make code smaller. In a browser, only the value `monospace` does that.
 */
export const monospaceScale = "--colophon-scale";

/**
 * Returns the list of families for a kind of text. In every list, the family for formulas has the letters that a browser shows for
 * letters in formulas, such as U+1D465 for x. The last family draws a box for any character.
 */
export function familyList(kind: FontFamily): string {
  const others = kind === "scripts" ? names.sans : names.scripts;
  const served = new Set([names[kind], others, names.math]);
  return `${[...served].map((name) => `"${name}"`).join()},${missingGlyphFamily}`;
}

/** Returns the value of `font-family` with which a document looks the same on every machine. See `withServiceFamilies`. */
export function servedFamilies(value: string, named: Set<string>): string {
  if (/^(?:inherit|unset|revert-layer)$/i.test(value)) return value;
  if (/^initial$/i.test(value)) return familyList("sans");
  // This value means the browser's own styles. The first layer of a document takes their place.
  if (/^revert$/i.test(value)) return "revert-layer";
  return ended(withServiceFamilies(value, named));
}

/** Returns the value of `font` if the browser cannot divide it: it refers to a custom property, or to a font of the machine. */
export function servedFont(value: string, named: Set<string>): string {
  // Browsers differ in the sizes of these fonts.
  if (/^[a-z-]+$/i.test(value)) return `medium ${familyList("sans")}`;
  return ended(withServiceFamilies(value, named));
}

/** Returns the value with the families that every list ends with, as the browser writes it. */
function ended(value: string): string {
  const isServed = [names.sans, names.serif, names.mono, names.math].some((name) => value.includes(`"${name}"`));
  const end = isServed ? `"${names.scripts}","${names.math}",${missingGlyphFamily}` : familyList("sans");
  if (value.includes("(")) return `${value},${end}`;
  return [...new Set([...(value.match(items) ?? []), ...end.split(",")].map((item) => item.trim()))].join(", ");
}

/** Quoted names, and the text between commas and brackets. */
const items = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s,()"'][^,()"']*/g;
/** The part of `font` before the families, up to the size and the line height. */
const fontHead = /^(?:.*\s)?[\d.]+[a-z%]*(?:\s*\/\s*\S+)?\s+/is;
const identifiers = /^-?[\p{L}_][\p{L}\p{N}_-]*(?:\s+-?[\p{L}_][\p{L}\p{N}_-]*)*$/u;
const maxChars = 2_000;

/**
 * Puts the service's families after well-known ones, such as Arial, and in place of generic families. `value` is the value of
 * `font-family`, of `font`, or of a custom property to which these may refer. The names of other families are added to `named`.
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
