// Parses CSS, and compares values with the syntax of their properties. css-tree does both; this module adds the missing parts.
import { definitionSyntax, fork, ident, tokenTypes } from "css-tree";
import type { CssNode, DSNode, Raw, SyntaxConfig, SyntaxMatchError, Value } from "css-tree";
import { withoutLeadingMarks } from "colophon-liquid/marks";

/** Properties that accept more numbers and percentages than css-tree expects. */
const numericNames =
  "cx cy r rx ry x y fill-opacity stroke-opacity flood-opacity stop-opacity stroke-miterlimit word-spacing".split(" ");

/** Longer values are not compared, because the time grows faster than the length. */
const maxChars = 1_000;

/** css-tree splits all of the CSS into lines for each error. */
const maxErrors = 500;

const { findAll, lexer, parse } = fork({
  types: { color: "| <deprecated-system-color>" },
  properties: Object.fromEntries(numericNames.map((name) => [name, "| <number> | <percentage>"])),
}).fork(withNestedRules);

export function nodesIn<Type extends CssNode["type"]>(root: CssNode, ...types: Type[]) {
  const isOne = (node: CssNode): node is Extract<CssNode, { type: Type }> => types.some((type) => type === node.type);
  return findAll(root, isOne).filter(isOne);
}

/**
 * `kind` is `rules` for a style sheet and `style` for a `style` attribute. Text that is neither a rule nor a declaration becomes
 * `Raw`. Returns null if there are too many errors. Brackets must be closed, and not nested deeply.
 */
export function readStyleNodes(css: string, kind: "rules" | "style"): CssNode | null {
  const context = kind === "rules" ? "stylesheet" : "declarationList";
  let errors = 0;
  const onParseError = (error: Error) => {
    if (++errors > maxErrors) throw error;
  };
  try {
    return parse(withoutLeadingMarks(css), { context, positions: true, parseAtrulePrelude: false, onParseError });
  } catch (error) {
    if (errors > maxErrors) return null;
    throw error;
  }
}

/** The members of css-tree's parser that are used here, which its types omit. */
type Parser = {
  tokenStart: number;
  substring(start: number, end: number): string;
  lookupType(offset: number): number;
  Rule(): CssNode;
};
type NodeParsers = Record<"Declaration", { parse(this: Parser): CssNode }>;

/** css-tree parses a nested rule as a declaration, unless it begins with `&`. */
function withNestedRules(config: SyntaxConfig): SyntaxConfig {
  const node = config.node as NodeParsers;
  const { Declaration } = node;
  function parseItem(this: Parser): CssNode {
    return beginsRule(this) ? this.Rule() : Declaration.parse.call(this);
  }
  return { ...config, node: { ...node, Declaration: { ...Declaration, parse: parseItem } } };
}

const { LeftCurlyBracket, RightCurlyBracket, Semicolon, EOF } = tokenTypes;
/** The tokens that end a declaration or a rule's selector. */
const itemEnds = new Set([LeftCurlyBracket, RightCurlyBracket, Semicolon, EOF]);

function beginsRule(parser: Parser): boolean {
  const isCustomProperty = parser.substring(parser.tokenStart, parser.tokenStart + 2) === "--";
  let offset = 0;
  while (!itemEnds.has(parser.lookupType(offset))) offset++;
  return !isCustomProperty && parser.lookupType(offset) === LeftCurlyBracket;
}

export function startOf({ loc }: CssNode): number {
  return loc?.start.offset ?? 0;
}

/** Returns the text of a node without white space around it. */
export function textOf(css: string, { loc }: CssNode): string {
  return css.slice(loc?.start.offset, loc?.end.offset).trim();
}

/**
 * Returns the range of the first part of a value that its property does not accept; if something is missing at the end, twice
 * the end. Null if the property accepts the value, or if css-tree cannot tell.
 */
export function mismatch(property: string, value: string): [start: number, end: number] | null {
  if (value.length > maxChars) return null;
  const isDescriptor = property === "size" || property === "page-orientation";
  const { error } = quietly(() =>
    isDescriptor ? lexer.matchAtruleDescriptor("page", property, value) : lexer.matchProperty(property, value),
  );
  if (!isMismatch(error)) return null;
  const { mismatchOffset: start, mismatchLength: length } = error;
  return length === 0 ? [value.length, value.length] : [start, start + length];
}

/** css-tree prints a line about each value that it cannot match. */
function quietly<Result>(run: () => Result): Result {
  const { warn } = console;
  console.warn = () => {};
  try {
    return run();
  } finally {
    console.warn = warn;
  }
}

/** Other errors mean that css-tree does not know the property, or gave up. */
function isMismatch(error: Error | null): error is SyntaxMatchError {
  return error !== null && "rawMessage" in error && error.rawMessage === "Mismatch";
}

export function hasSyntax(functionName: string): boolean {
  return lexer.getType(`${functionName}()`) !== null;
}

/** Returns the keywords and functions that the property's values may contain. */
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
  addAll(lexer.getProperty(property)?.syntax);
  return words;
}

/** Returns the family names in a valid value of `font` or `font-family`. */
export function familiesIn(property: string, value: Value | Raw): string[] {
  const length = (value.loc?.end.offset ?? 0) - startOf(value);
  if (value.type === "Raw" || length > maxChars) return [];
  const families = ["family-name", "generic-family"].flatMap((type) =>
    quietly(() => lexer.findValueFragments(property, value, "Type", type)).map(({ nodes }) => nodes.toArray()),
  );
  const inOrder = families.toSorted(([a], [b]) => (a && b ? startOf(a) - startOf(b) : 0));
  return inOrder.map((nodes) => nodes.map(wordOf).join(" "));
}

function wordOf(node: CssNode): string {
  if (node.type === "String") return node.value.trim();
  return node.type === "Identifier" ? ident.decode(node.name) : "";
}
