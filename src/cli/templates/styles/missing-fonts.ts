// Finds the font families that styles use although neither the template nor the service has them.
import { TokenType, type CSSToken } from "@csstools/css-tokenizer";
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
 * rendered. `variables` are the custom properties that `font-family` and `font` refer to.
 */
export type FontNames = { families: Map<string, string>; isIncomplete: boolean; variables: Set<string> };

/**
 * The families of one declaration, in the order of preference. `variable` is the custom property that they are the value
 * of; null if the declaration is `font-family` or `font` itself.
 */
export type FontUse = { variable: string | null; families: string[]; index: number };

/** Adds the families that the declarations of an `@font-face` rule declare. */
export function addFontNames(declarations: Declaration[], fonts: FontNames): void {
  for (const { name, value } of declarations) {
    if (name !== "font-family") continue;
    if (!withoutMarks(value)) fonts.isIncomplete = true;
    for (const family of familiesIn(name, textOf(value))) fonts.families.set(family.toLowerCase(), family);
  }
}

/**
 * Returns the families in the declarations of a block, as far as they are literal. Adds to `fonts` the variables that
 * contain the others.
 */
export function fontUses(declarations: Declaration[], fonts: FontNames): FontUse[] {
  return declarations.flatMap(({ name, value, index }) => {
    const isVariable = name.startsWith("--");
    if ((!isVariable && name !== "font-family" && name !== "font") || !withoutMarks(value)) return [];
    for (const token of isVariable ? [] : value) {
      if (token[0] === TokenType.Ident && token[4].value.startsWith("--")) fonts.variables.add(token[4].value);
    }
    const families = familiesIn(isVariable ? "font-family" : name, textOf(withoutPriority(value)));
    return families.length === 0 ? [] : [{ variable: isVariable ? name : null, families, index }];
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
  const missing = relevantUses(uses, fonts).flatMap(({ families, index }) => {
    const first = families.findIndex((name) => isThere(name, fonts));
    return families.slice(0, first < 0 ? families.length : first).map((name) => ({ name, index }));
  });
  return missing.slice(0, maxMessages).map(({ name, index }) => ({ index, message: missingFont(name, fonts) }));
}

/** Whether the template or the service has a font for the family. */
function isThere(name: string, { families }: FontNames): boolean {
  return families.has(name.toLowerCase()) || kindOfFamily(name) !== null;
}

function relevantUses(uses: FontUse[], fonts: FontNames): FontUse[] {
  if (fonts.isIncomplete) return [];
  return uses.filter(({ variable }) => variable === null || fonts.variables.has(variable));
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
