// Suggests what authors should write instead of a mistake: a name that does not exist, wrong filter arguments, or syntax that
// authors know from other languages and Liquid lacks.
import { suggestion } from "colophon-base/similar-name";
import type { Filters } from "../filters/registry.ts";
import { foreignSyntax } from "./foreign-syntax.ts";
import { byWord, foreignFilters } from "./foreign-words.ts";
import type { FilterUse } from "./tree.ts";

export function unknownFilter(name: string, filters: Filters): string {
  const foreign = filterWords.get(name);
  return `there is no filter \`${name}\`${foreign ? `; ${foreign.advice}` : suggestion(name, Object.keys(filters))}`;
}

/** Returns the problem of the number or names of the arguments, or null. */
export function argumentProblem({ name, filter, positional, named }: FilterUse): string | null {
  const [minimum, maximum] = filter.arity;
  const count = positional.length;
  if (count < minimum || count > maximum) {
    const expected = minimum === maximum ? `${minimum}` : `${minimum} to ${maximum}`;
    return `the filter \`${name}\` takes ${expected} argument${expected === "1" ? "" : "s"}, got ${count}`;
  }
  const { options = [] } = filter;
  const [unknown] = named.find(([option]) => options !== "any" && !options.includes(option)) ?? [];
  if (unknown === undefined) return null;
  return `the filter \`${name}\` has no argument named \`${unknown}\`${suggestion(unknown, options)}`;
}

/** Returns the end of a message about an unexpected character, word or operator. */
export function remedyFor(text: string): string {
  const remedy = syntaxWords.get(text);
  return remedy ? `; ${remedy.advice}` : "";
}

const syntaxWords = byWord(foreignSyntax);
const filterWords = byWord(foreignFilters);
