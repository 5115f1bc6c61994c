// Compares values with the syntax that the specifications of CSS give their properties.
import { definitionSyntax, ident, lexer, string, type DSNode, type SyntaxMatchError } from "css-tree";

/** Older names of properties. The libraries do not have them, or take their syntax from older specifications. */
const standardNames = new Map([
  ["color-adjust", "print-color-adjust"],
  ["word-wrap", "overflow-wrap"],
  ["grid-gap", "gap"],
  ["grid-row-gap", "row-gap"],
  ["grid-column-gap", "column-gap"],
]);

/** Properties whose newer syntax the library lacks: lengths in SVG can be numbers, and spaces can be percentages. */
const laggingProperties = new Set(
  "cx cy r rx ry x y fill-opacity stroke-opacity flood-opacity stop-opacity stroke-miterlimit word-spacing".split(" "),
);

/** Longer values are not compared, because the time grows faster than the length. */
const maxChars = 1_000;

export function standardName(property: string): string {
  return standardNames.get(property) ?? property;
}

/**
 * Returns the position of the first part of a value that its property does not accept, or its end if something is missing there;
 * null if the property accepts the value, or if the library cannot tell.
 */
export function mismatch(property: string, value: string): number | null {
  if (value.length > maxChars || laggingProperties.has(property)) return null;
  const isDescriptor = property === "size" || property === "page-orientation";
  const { error } = quietly(() =>
    isDescriptor
      ? lexer.matchAtruleDescriptor("page", property, value)
      : lexer.matchProperty(standardName(property), value),
  );
  if (!isMismatch(error)) return null;
  // If something is missing at the end, the offset is not where.
  return error.mismatchLength === 0 ? value.length : error.mismatchOffset;
}

/** The library prints a line about each value with which it gives up. */
function quietly<Result>(run: () => Result): Result {
  const { warn } = console;
  console.warn = () => {};
  try {
    return run();
  } finally {
    console.warn = warn;
  }
}

/** The other errors say that the library does not have the property, or gives up. */
function isMismatch(error: Error | null): error is SyntaxMatchError {
  return error !== null && "rawMessage" in error && error.rawMessage === "Mismatch";
}

/** Whether a word is the name of a color that only old specifications have. */
export function isOldColor(word: string): boolean {
  return lexer.matchType("deprecated-system-color", word).error === null;
}

/** Whether the library has the syntax of the function. */
export function hasSyntax(functionName: string): boolean {
  return lexer.getType(`${functionName}()`) !== null;
}

/** Returns the keywords and functions that values of the property may contain. */
export function wordsOf(property: string): Set<string> {
  const words = new Set<string>();
  const seen = new Set<unknown>();
  const addAll = (syntax: DSNode | null | undefined) => {
    if (!syntax || seen.has(syntax)) return;
    seen.add(syntax);
    definitionSyntax.walk(syntax, (node: DSNode) => {
      if (node.type === "Keyword" || node.type === "Function") words.add(node.name.toLowerCase());
      if (node.type === "Type") addAll(lexer.getType(node.name)?.syntax);
      if (node.type === "Property") addAll(lexer.getProperty(node.name)?.syntax);
    });
  };
  addAll(lexer.getProperty(standardName(property))?.syntax);
  return words;
}

/** A part of a value that matches a part of the syntax, down to single tokens. */
type Match = { syntax?: { type: string; name: string } | null; match?: Match[]; token?: string };

/** Returns the families that a valid value of `font` or `font-family` names. */
export function familiesIn(property: string, value: string): string[] {
  const matched: Match | null =
    value.length > maxChars ? null : quietly(() => lexer.matchProperty(property, value).matched);
  return matched ? familiesOf(matched) : [];
}

function familiesOf(found: Match): string[] {
  const isFamily = /^(?:family-name|generic-family)$/.test(found.syntax?.name ?? "");
  return isFamily ? [textsOf(found).join(" ")] : (found.match ?? []).flatMap(familiesOf);
}

function textsOf({ token, match = [] }: Match): string[] {
  if (token === undefined) return match.flatMap(textsOf);
  return [/^["']/.test(token) ? string.decode(token).trim() : ident.decode(token)];
}
