// Finds the font families that styles use although neither the template nor the service has them, and those in whose place the
// service uses a font of its own.
import { TokenType, type CSSToken } from "@csstools/css-tokenizer";
import { isGenericFamily, kindOfFamily, wellKnownFamilies } from "../../../core/rendering/families/known-families.ts";
import { fontTitles } from "../../../core/rendering/families/service-families.ts";
import { similarName } from "../../../core/similar-name.ts";
import { withoutMarks } from "./liquid-marks.ts";
import { trimmed, withoutPriority, type Declaration } from "./read-rules.ts";
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
export type FontUse = { variable: string | null; families: { name: string; index: number }[] };

/** Adds the families that the declarations of an `@font-face` rule declare. */
export function addFontNames(declarations: Declaration[], fonts: FontNames): void {
  for (const { name, value } of declarations) {
    if (name !== "font-family") continue;
    if (!withoutMarks(value)) fonts.isIncomplete = true;
    else for (const family of familiesIn(value)) fonts.families.set(family.name.toLowerCase(), family.name);
  }
}

/**
 * Returns the families in the declarations of a block, as far as they are literal. Adds to `fonts` the variables that
 * contain the others.
 */
export function fontUses(declarations: Declaration[], fonts: FontNames): FontUse[] {
  return declarations.flatMap(({ name, value }) => {
    const isVariable = name.startsWith("--");
    if ((!isVariable && name !== "font-family" && name !== "font") || !withoutMarks(value)) return [];
    // A colon means that a `;` is missing, about which there is a warning of its own.
    if (value.some(([type]) => type === TokenType.Colon)) return [];
    const tokens = withoutPriority(value);
    const families = name === "font" ? afterSize(tokens) : tokens;
    if (!families || families.some(([type]) => type === TokenType.Function)) {
      if (!isVariable) addVariables(families ?? tokens, fonts);
      return [];
    }
    const used = familiesIn(families);
    return used.length === 0 || isWideKeyword(used) ? [] : [{ variable: isVariable ? name : null, families: used }];
  });
}

function addVariables(value: CSSToken[], { variables }: FontNames): void {
  for (const token of value) {
    if (token[0] === TokenType.Ident && token[4].value.startsWith("--")) variables.add(token[4].value);
  }
}

/**
 * Returns a message for each family that comes before the first one that the template has or the service knows, but at most
 * `maxMessages`.
 */
export function missingFonts(uses: FontUse[], fonts: FontNames, maxMessages: number): StyleMessage[] {
  const missing = relevantUses(uses, fonts).flatMap(({ families }) => {
    const first = families.findIndex(({ name }) => fonts.families.has(name.toLowerCase()) || kindOfFamily(name) !== null);
    return first < 0 ? families : families.slice(0, first);
  });
  return missing.slice(0, maxMessages).map(({ name, index }) => ({ index, message: missingFont(name, fonts) }));
}

/**
 * Returns a message for the first family of each list if authors may expect a font that is not the one they get. Each family
 * gets one message, and is added to `named`. A list that ends with a generic family says itself that other fonts will do.
 */
export function replacedFonts(uses: FontUse[], fonts: FontNames, named: Set<string>): StyleMessage[] {
  return relevantUses(uses, fonts).flatMap(({ families }) => {
    const first = families.find(({ name }) => fonts.families.has(name.toLowerCase()) || kindOfFamily(name) !== null);
    const kind = first ? kindOfFamily(first.name) : null;
    const key = first?.name.toLowerCase() ?? "";
    if (!first || !kind || fonts.families.has(key) || families.some(({ name }) => isGenericFamily(name))) return [];
    if (named.has(key) || key === fontTitles[kind].toLowerCase()) return [];
    named.add(key);
    const message = `the service draws ${quoted(first.name)} with ${fontTitles[kind]}; to use the font itself, declare it with \`@font-face\` and a file in assets/`;
    return [{ index: first.index, message }];
  });
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

const maxFamilies = 100;

/** Returns the first hundred families of a list. Each family is one quoted name, or several words. */
function familiesIn(value: CSSToken[]): { name: string; index: number }[] {
  const families: { name: string; index: number }[] = [];
  let words: CSSToken[] = [];
  for (const token of [...value, null]) {
    if (families.length === maxFamilies) break;
    if (token && token[0] !== TokenType.Comma) {
      words.push(token);
      continue;
    }
    const family = trimmed(words);
    words = [];
    const [first] = family;
    const names = family.flatMap((word) =>
      word[0] === TokenType.Ident || word[0] === TokenType.String ? [word[4].value] : [],
    );
    if (first && names.length > 0) families.push({ name: names.join(" ").trim(), index: first[2] });
  }
  return families.filter(({ name }) => name !== "");
}

function isWideKeyword([first, ...rest]: { name: string }[]): boolean {
  return rest.length === 0 && /^(?:inherit|initial|unset|revert|revert-layer)$/i.test(first?.name ?? "");
}

const sizeKeyword = /^(?:xx-small|x-small|small|medium|large|x-large|xx-large|xxx-large|smaller|larger|math)$/i;

/** Returns what follows the size and the line height in the value of `font`; null when there is no literal size. */
function afterSize(value: CSSToken[]): CSSToken[] | null {
  const size = value.findIndex((token) => {
    if (token[0] === TokenType.Ident) return sizeKeyword.test(token[4].value);
    // The angle in `oblique 10deg` is no size.
    if (token[0] === TokenType.Dimension) return !/^(?:deg|grad|rad|turn)$/i.test(token[4].unit);
    return token[0] === TokenType.Percentage;
  });
  if (size < 0) return null;
  const rest = trimmed(value.slice(size + 1));
  const [slash] = rest;
  if (slash?.[0] !== TokenType.Delim || slash[1] !== "/") return rest;
  return trimmed(rest.slice(1)).slice(1);
}
