// Finds the font families that styles use although neither the template nor the service has them.
import type { CSSToken } from "@csstools/css-tokenizer";
import { kindOfFamily, wellKnownFamilies } from "../../../core/rendering/families/known-families.ts";
import { similarName } from "../../../core/similar-name.ts";
import { withoutMarks } from "./liquid-marks.ts";
import { withoutPriority, type Declaration } from "./read-rules.ts";
import { familiesIn } from "./value-syntax.ts";
import { quoted } from "../../../core/templates/styles/support/style-message.ts";
import type { StyleMessage } from "./check-scope.ts";

/**
 * What the styles of a template say about fonts. `families` are those of its `@font-face` rules, by their names in lower
 * case. `isIncomplete` is true if the name of a family contains Liquid, so that it is known only when a document is
 * rendered.
 */
export type FontNames = { families: Map<string, string>; isIncomplete: boolean };

/** The families of one declaration of `font-family` or `font`, in the order of preference. */
export type FontUse = { families: string[]; index: number };

/** Adds the families that the declarations of an `@font-face` rule declare. */
export function addFontNames(declarations: Declaration[], fonts: FontNames): void {
  for (const { name, value } of declarations) {
    if (name !== "font-family") continue;
    if (!withoutMarks(value)) fonts.isIncomplete = true;
    for (const family of familiesIn(name, textOf(value))) fonts.families.set(family.toLowerCase(), family);
  }
}

/** Returns the families in the declarations of a block, as far as they are literal. */
export function fontUses(declarations: Declaration[]): FontUse[] {
  return declarations.flatMap(({ name, value, index }) => {
    if ((name !== "font-family" && name !== "font") || !withoutMarks(value)) return [];
    const families = familiesIn(name, textOf(withoutPriority(value)));
    return families.length === 0 ? [] : [{ families, index }];
  });
}

function textOf(value: CSSToken[]): string {
  return value.map(([, text]) => text).join("");
}

/**
 * Returns a message for each family that comes before the first one that the template has or the service knows, but at most
 * `maxMessages`.
 */
export function missingFonts(uses: FontUse[], fonts: FontNames, maxMessages: number): StyleMessage[] {
  const missing = (fonts.isIncomplete ? [] : uses).flatMap(({ families, index }) => {
    const first = families.findIndex((name) => isThere(name, fonts));
    return families.slice(0, first < 0 ? families.length : first).map((name) => ({ name, index }));
  });
  return missing.slice(0, maxMessages).map(({ name, index }) => ({ index, message: missingFont(name, fonts) }));
}

/** Whether the template or the service has a font for the family. */
function isThere(name: string, { families }: FontNames): boolean {
  return families.has(name.toLowerCase()) || kindOfFamily(name) !== null;
}

function missingFont(name: string, { families }: FontNames): string {
  const problem = `neither the template nor the service has the font ${quoted(name)}`;
  const known = new Map([...wellKnownFamilies, ...[...families].slice(0, maxFamilies)]);
  const similar = similarName(name.toLowerCase(), [...known.keys()]);
  if (similar !== null) return `${problem}; did you mean ${quoted(known.get(similar) ?? similar)}?`;
  return `${problem}; declare it with \`@font-face\` and a file in assets/`;
}

/** Suggestions come from so many families of the template. */
const maxFamilies = 100;
