// The font families of a document. The service declares its own fonts by `@font-face`, and every list of families ends with
// them. The families that a template declares get names that no font of a machine has, so a document never shows a font that
// happens to be installed.

import { fontFamilies as names, type FontFamily } from "colophon-fonts/font-index";
import { missingGlyphFamily } from "../fonts/missing-glyph-font.ts";

export type FamilyKind = FontFamily;

/** The kinds of fonts that have Latin letters. */
const textKinds = ["sans", "serif", "mono"] as const;

/** The fonts in which text of each kind is drawn, for messages. */
export const fontTitles: Record<FamilyKind, string> = {
  sans: "Open Sans",
  serif: "Noto Serif",
  mono: "Noto Sans Mono",
  scripts: "Noto",
};

/** The end of every list: the family of every script, and then a font that draws a box for any character. */
const lastFamilies = [`"${names.scripts}"`, missingGlyphFamily];

/** A name that neither a template nor a machine has. */
export const nobodysFamily = '"colophon:none"';

export function serviceFamily(kind: FamilyKind): string {
  return quotedFamily(names[kind]);
}

/** Returns the name under which a document declares a family of its template. */
export function ownFamily(name: string): string {
  return quotedFamily(`colophon:${name}`);
}

/** Returns the families that follow `listed` in every list. `listed` are values of CSS, such as quoted names. */
export function followingFamilies(listed: readonly string[]): string[] {
  const isServed = textKinds.some((kind) => listed.includes(serviceFamily(kind)));
  return [...(isServed ? [] : [serviceFamily("sans")]), ...lastFamilies].filter((family) => !listed.includes(family));
}

/** Returns the list of families that text of a kind has. */
export function familyList(kind: FamilyKind): string {
  const listed = [serviceFamily(kind)];
  return [...listed, ...followingFamilies(listed)].join(",");
}

/** Returns a name as a string of CSS. */
function quotedFamily(name: string): string {
  const escaped = name.replace(/["\\\p{Cc}]/gu, (character) => `\\${(character.codePointAt(0) ?? 0).toString(16)} `);
  return `"${escaped}"`;
}
