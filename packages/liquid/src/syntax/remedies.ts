// Suggests what authors should write instead of a mistake: a name that does not exist, wrong filter arguments, or syntax that
// authors know from other languages and Liquid lacks.
import { suggestion } from "colophon-base/similar-name";
import type { Filters } from "../filters/registry.ts";
import { foreignSyntax } from "./foreign-syntax.ts";
import { adviceOf, byWord, foreignFilters, foreignFunctions, foreignTags } from "./foreign-words.ts";
import type { FilterUse } from "./tree.ts";

export function unknownFilter(name: string, filters: Filters): string {
  const foreign = filterWords.get(name);
  return `there is no filter \`${name}\`${foreign ? `; ${foreign.advice}` : suggestion(name, Object.keys(filters))}`;
}

/** `opening` is the name of the tag of the block, or null outside all blocks. */
export function unknownTag(name: string, opening: string | null, known: string[]): string {
  const [, ended] = /^write `(\w+)`$/.exec(tagWords.get(name.replace(/^end/, ""))?.advice ?? "") ?? [];
  const end = name === "end" ? (opening ?? "if") : name.startsWith("end") ? ended : undefined;
  const remedy = end === undefined ? tagWords.get(name)?.advice : `write \`end${end}\``;
  if (remedy !== undefined) return `there is no tag \`${name}\`; ${remedy}`;
  if (!isDividing(name)) {
    const names = [...known, "else", "elsif", "when", ...known.map((tag) => `end${tag}`)];
    return `there is no tag \`${name}\`${suggestion(name, names)}`;
  }
  return opening
    ? `the tag \`${name}\` does not belong in a block that begins with \`${opening}\``
    : `the tag \`${name}\` does not belong to an open block`;
}

/** Returns whether a tag with this name ends a block or begins its next branch. */
export function isDividing(name: string): boolean {
  return name.startsWith("end") || ["else", "elsif", "when"].includes(name);
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

/** The number of characters in a tag or output in which foreign syntax is searched for. */
const maxExaminedChars = 500;
const maxRemedies = 3;

/**
 * Adds what to write instead of the foreign syntax in a tag or output that cannot be parsed. Filters before `parsedTo` are left out,
 * because the parser has reported them.
 */
export function withRemedies(message: string, markup: string, parsedTo = 0): string {
  const code = markup.slice(0, maxExaminedChars).replace(quotedText, '""');
  const functions = Array.from(code.matchAll(/(?<!\|\s*)(?<![\w$])([\w$]+)\(/g), ([, name = ""]) => {
    return (functionWords.get(name) ?? filterWords.get(name))?.advice ?? "use a filter instead of a function";
  });
  const unparsed = markup.slice(parsedTo, maxExaminedChars).replace(quotedText, '""');
  const filters = Array.from(unparsed.matchAll(/\|\s*(\w+)/g), ([, name = ""]) => filterWords.get(name)?.advice ?? []);
  const [, helper = ""] = /^\s*(\w{3,})\s+["\w]/.exec(code) ?? [];
  const ofHelper = filterWords.get(helper)?.advice ?? [];
  const others = foreignSyntax.filter(({ pattern }) => pattern?.test(code)).map((row) => adviceOf(row, code));
  const remedies = [...new Set([...functions, ofHelper, ...others, ...filters].flat())].filter(
    (remedy) => !message.includes(remedy),
  );
  return [message, ...remedies.slice(0, maxRemedies)].join("; ");
}

/** A string, which may lack its end. */
export const quotedText = /"(?:[^"\\]|\\[^]|\\$)*(?:"|$)|'(?:[^'\\]|\\[^]|\\$)*(?:'|$)/g;
const tagWords = byWord(foreignTags);
const syntaxWords = byWord(foreignSyntax);
const filterWords = byWord(foreignFilters);
const functionWords = byWord(foreignFunctions);
