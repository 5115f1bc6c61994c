// Checks the value of a declaration: functions and keywords that not every Chromium supports, and values that the property does
// not accept.
import { TokenType, type CSSToken } from "@csstools/css-tokenizer";
import { withoutPriority, type Declaration } from "./read-rules.ts";
import { similarName } from "../../../core/similar-name.ts";
import { quoted } from "../../../core/templates/styles/support/style-message.ts";
import {
  find,
  functions,
  prefixedName,
  properties,
  steadyFunctions,
  supportProblem,
  unknownName,
} from "./browser-support.ts";
import type { CheckScope, StyleMessage } from "./check-scope.ts";
import { hasSyntax, isOldColor, mismatch, wordsOf } from "./value-syntax.ts";

export function checkValue({ name, value }: Declaration, scope: CheckScope): void {
  const tokens = withoutPriority(value);
  const functionNames = tokens.flatMap((token) => (token[0] === TokenType.Function ? [nameOf(token)] : []));
  if (functionNames.some((each) => printFunctions.has(each))) return checkPrintFunctions(name, tokens, scope);
  // The value of a custom property is not used by itself. Authors write hacks on purpose, and values for other browsers.
  if (name.startsWith("-") || tokens.some(isHack)) return;
  let isSupported = true;
  for (const { index, message } of supportProblems(name, tokens)) {
    if (scope.isFull()) return;
    scope.report(index, message);
    isSupported = false;
  }
  if (!isSupported || functionNames.some((each) => substitutions.has(each) || each.startsWith("--"))) return;
  const invalid = invalidPart(name, tokens);
  if (invalid) scope.report(invalid.index, invalid.message);
}

/** Functions that can stand for any part of a value. */
const substitutions = new Set(["var", "env", "attr", "if"]);

/** Returns the name of a word or a function in lower case; an empty text for other tokens. */
function nameOf(token: CSSToken): string {
  return token[0] === TokenType.Ident || token[0] === TokenType.Function ? token[4].value.toLowerCase() : "";
}

function isHack(token: CSSToken): boolean {
  const [type, text] = token;
  if (type === TokenType.String || type === TokenType.URL) return false;
  return text.includes("\\") || /^(?:-[a-z]|progid$|expression\($)/i.test(text);
}

/** Some versions accept `target-counter()`, but print nothing for it. */
function checkPrintFunctions(property: string, tokens: CSSToken[], { report, isFull, references }: CheckScope): void {
  const isPrinted = property === "content" || property.startsWith("--");
  for (const token of tokens) {
    const name = nameOf(token);
    const advice = token[0] === TokenType.Function ? printFunctions.get(name) : undefined;
    if (!advice || isFull() || (isPrinted && references?.has(token[2]))) continue;
    report(token[2], `Chromium does not print ${quoted(`${name}()`)}; ${advice}`);
  }
}

const runningTitles = "put running titles into header.liquid or footer.liquid";
const onlyPageNumbers = "`target-counter(attr(href), page)` is the only reference that documents can print";

/** Functions of other print engines, with the advice that completes the warning. */
const printFunctions = new Map([
  ["running", runningTitles],
  ["element", runningTitles],
  ["string", runningTitles],
  ["target-text", onlyPageNumbers],
  ["target-counters", onlyPageNumbers],
  ["target-counter", "write `target-counter(attr(href), page)`, and only in `content` in style.css"],
  ["leader", "write `leader(dotted)` or another single pattern, and only in `content` in style.css"],
]);

/** Yields the words and functions that only some versions support, or none. */
function* supportProblems(property: string, tokens: CSSToken[]): Generator<StyleMessage> {
  const feature = find(properties, property);
  // All versions may support another name of the property, which stands beside it.
  const parts = feature && supportProblem(feature, "") === null ? feature : undefined;
  for (const { token, inside } of partsOf(tokens)) {
    const name = nameOf(token);
    const isFunction = token[0] === TokenType.Function;
    if (name === "" || (!isFunction && inside !== null)) continue;
    const isLaterAttr = name === "attr" && property !== "content";
    const shown = quoted(isFunction ? `${name}()` : `${property}: ${name}`) + (isLaterAttr ? " outside `content`" : "");
    const part = find(parts, name) ?? (isFunction ? functionFeature(name, isLaterAttr) : undefined);
    const problem = part ? supportProblem(part, shown) : null;
    const prefixed = part && problem ? prefixedName(part, name) : null;
    if (problem) yield { index: token[2], message: prefixed ? `${problem}; write ${quoted(prefixed)}` : problem };
  }
}

function functionFeature(name: string, isLaterAttr: boolean) {
  if (isLaterAttr) return find(functions[name], "type_function");
  return find(functions, name.startsWith("--") ? "dashed-function" : name);
}

/** A token with the name of the function whose brackets are around it; null if there are none. */
type Part = { token: CSSToken; inside: string | null };

function* partsOf(tokens: CSSToken[]): Generator<Part> {
  const open: string[] = [];
  for (const token of tokens) {
    const [type] = token;
    if (type === TokenType.CloseParen) open.pop();
    yield { token, inside: open.at(-1) ?? null };
    if (type === TokenType.Function || type === TokenType.OpenParen) open.push(nameOf(token));
  }
}

/** Returns a message about the first part of a value that the property does not accept; null if it accepts the value. */
function invalidPart(property: string, tokens: CSSToken[]): StyleMessage | null {
  const texts = tokens.map((token, at) => (isAfterComment(token, tokens[at - 1]) ? " " : "") + shortText(token));
  const offset = mismatch(property, texts.join(""));
  if (offset === null) return null;
  let end = 0;
  for (const [at, part] of [...partsOf(tokens)].entries()) {
    end += texts[at]?.length ?? 0;
    if (end > offset) return partProblem(property, part, tokens.length === 1);
  }
  const message = `Chromium ignores ${quoted(property)}, because ${quoted(texts.join(""))} is not a complete value`;
  return { index: tokens[0]?.[2] ?? 0, message };
}

function isAfterComment([, , start]: CSSToken, before: CSSToken | undefined): boolean {
  return before !== undefined && before[3] + 1 < start;
}

/** What a string or a URL contains does not matter, and it can be long. */
function shortText([type, text]: CSSToken): string {
  return type === TokenType.String ? '""' : type === TokenType.URL ? "url(a)" : text;
}

/**
 * Returns a message about a part of a value that does not match the syntax of the property. Returns null if the library may only
 * lag behind: inside most functions, and if the browsers' makers list the word or the function.
 */
function partProblem(property: string, { token, inside }: Part, isOnly: boolean): StyleMessage | null {
  const [type, text, index] = token;
  const name = nameOf(token);
  const words = wordsOf(property);
  if (type === TokenType.Function) {
    if (!find(functions, name) && !words.has(name))
      return { index, message: unknownName(name, words, quoted(`${name}()`)) };
    if (words.has(name) || !hasSyntax(name)) return null;
  }
  if (inside !== null && !steadyFunctions.has(inside)) return null;
  if (find(find(properties, property), name) || isOldColor(name)) return null;
  if (name === "footnote")
    return { index, message: `Chromium does not support ${quoted(`${property}: ${name}`)}; it has no footnotes` };
  if (isOnly && property !== "size" && name !== "")
    return { index, message: unknownName(name, words, quoted(`${property}: ${name}`)) };
  const similar = name === "" || words.has(name) ? null : similarName(name, words);
  const shown = type === TokenType.Function ? `${text})` : text;
  const advice =
    property === "size"
      ? "; write the width and the height of the page"
      : similar === null
        ? ""
        : `; did you mean ${quoted(similar)}?`;
  return {
    index,
    message: `Chromium ignores ${quoted(property)}, because ${quoted(shown)} is not valid there${advice}`,
  };
}
