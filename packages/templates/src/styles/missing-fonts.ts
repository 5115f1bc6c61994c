// Finds font families in styles that neither the template nor the service has.
import type { CssNode, Raw, Value } from "css-tree";
import { similarName } from "colophon-base/similar-name";
import { quoted } from "colophon-base/text";
import { hasMarks } from "colophon-liquid/marks";
import { kindOfFamily, wellKnownFamilies } from "colophon-page/known-families";
import type { FontNames, StyleMessage } from "./check-scope.ts";
import { familiesIn, nodesIn, startOf, textOf } from "./css-syntax.ts";

/** The maximum number of the template's families that are compared for a suggestion. */
const maxFamilies = 100;

/** Adds the families declared by `@font-face` rules. */
export function addFontNames(root: CssNode, css: string, fonts: FontNames): void {
  const rules = nodesIn(root, "Atrule").filter(({ name }) => name.toLowerCase() === "font-face");
  const declarations = rules.flatMap((rule) => nodesIn(rule, "Declaration"));
  for (const { property, value } of declarations) {
    if (property.toLowerCase() !== "font-family") continue;
    if (hasMarks(textOf(css, value))) fonts.isIncomplete = true;
    for (const family of familiesIn("font-family", value)) fonts.families.set(family.toLowerCase(), family);
  }
}

/** Yields a message for each family before the first one that the template or the service has. */
export function* missingFonts(property: string, value: Value | Raw, fonts: FontNames): Generator<StyleMessage> {
  if (fonts.isIncomplete) return;
  for (const family of familiesIn(property, value)) {
    if (fonts.families.has(family.toLowerCase()) || kindOfFamily(family) !== null) return;
    yield { index: startOf(value), message: missingFont(family, fonts) };
  }
}

function missingFont(name: string, { families }: FontNames): string {
  const problem = `neither the template nor the service has the font ${quoted(name)}`;
  const known = new Map([...wellKnownFamilies, ...[...families].slice(0, maxFamilies)]);
  const similar = similarName(name.toLowerCase(), [...known.keys()]);
  if (similar !== null) return `${problem}; did you mean ${quoted(known.get(similar) ?? similar)}?`;
  return `${problem}; declare it with \`@font-face\` and a file in assets/`;
}
