// Checks the value of a declaration: functions and keywords that not every Chromium supports, and values that the property does
// not accept.
import { ident, type FunctionNode, type Identifier, type Raw, type Value } from "css-tree";
import { quoted } from "colophon-base/quoted";
import { similarName } from "colophon-base/similar-name";
import { find, functions, prefixedName, properties, supportProblem } from "./browser-support.ts";
import type { CheckScope, StyleMessage } from "./check-scope.ts";
import { hasSyntax, mismatch, nodesIn, startOf, textOf, wordsOf } from "./css-syntax.ts";
import { findForeign } from "./foreign-css.ts";
import { missingFonts } from "./missing-fonts.ts";

/** Hacks that authors write on purpose, and prefixed values for other browsers. */
const hacks = /\\|\bprogid:|\bexpression\(|(?:^|[\s,(])-[a-z]/i;
/** Functions that can represent any part of a value. */
const substitutions = new Set(["var", "env", "attr", "if"]);

export function* checkValue(property: string, value: Value | Raw, scope: CheckScope): Generator<StyleMessage> {
  const text = textOf(scope.css, value);
  const calls = nodesIn(value, "Function");
  const names = calls.map(nameOf);
  if (names.some((name) => findForeign("function", name))) return yield* foreignProblems(property, calls, scope);
  if (hacks.test(text)) return;
  const parts = value.type === "Value" ? value.children.toArray() : [];
  const words = parts.filter((part) => part.type === "Identifier");
  const unsupported = [...supportProblems(property, [...words, ...calls])];
  yield* unsupported;
  if (unsupported.length > 0 || names.some((name) => substitutions.has(name) || name.startsWith("--"))) return;
  const invalid = invalidPart(property, text, startOf(value), calls);
  if (invalid) yield invalid;
  else if (property === "font" || property === "font-family") yield* missingFonts(property, value, scope.fonts);
}

/** Returns the name of a word or function in lower case. */
function nameOf({ name }: FunctionNode | Identifier): string {
  return ident.decode(name).toLowerCase();
}

/** Some versions accept `target-counter()` but print nothing for it. */
function* foreignProblems(
  property: string,
  calls: FunctionNode[],
  { references }: CheckScope,
): Generator<StyleMessage> {
  for (const call of calls) {
    const index = startOf(call);
    const foreign = findForeign("function", nameOf(call));
    if (!foreign || (property === "content" && references?.has(index))) continue;
    yield { index, message: `Chromium does not print ${quoted(`${nameOf(call)}()`)}; ${foreign.instead}` };
  }
}

/** Finds the words and functions that only some versions or none support. */
function* supportProblems(property: string, nodes: (FunctionNode | Identifier)[]): Generator<StyleMessage> {
  const feature = find(properties, property);
  // If some versions lack the property, the block also contains it under a name that all versions support.
  const parts = feature && supportProblem(feature, "") === null ? feature : undefined;
  for (const node of nodes) {
    const name = nameOf(node);
    const isCall = node.type === "Function";
    const isLaterAttr = isCall && name === "attr" && property !== "content";
    const shown = quoted(isCall ? `${name}()` : `${property}: ${name}`) + (isLaterAttr ? " outside `content`" : "");
    const part = find(parts, name) ?? (isCall ? functionFeature(name, isLaterAttr) : undefined);
    const problem = part ? supportProblem(part, shown) : null;
    const prefixed = part && problem ? prefixedName(part, name) : null;
    if (problem) yield { index: startOf(node), message: prefixed ? `${problem}; write ${quoted(prefixed)}` : problem };
  }
}

function functionFeature(name: string, isLaterAttr: boolean) {
  if (isLaterAttr) return find(functions[name], "type_function");
  return find(functions, name.startsWith("--") ? "dashed-function" : name);
}

/** Returns a message about the first part of a value that the property does not accept; null if it accepts the value. */
function invalidPart(property: string, text: string, start: number, calls: FunctionNode[]): StyleMessage | null {
  const range = mismatch(property, text);
  if (!range) return null;
  const part = text.slice(...range);
  const index = start + range[0];
  const ignored = `Chromium ignores ${quoted(property)}, because`;
  if (part === "") return { index: start, message: `${ignored} ${quoted(text)} is not a complete value` };
  const isCall = part.endsWith("(");
  const name = ident.decode(part.replace(/\($/, "")).toLowerCase();
  const isInside = calls.some(({ loc }) => loc && loc.start.offset < index && index < loc.end.offset);
  // css-tree may be behind the browsers inside most functions, and for words and functions that browser makers list.
  if (isInside && property !== "transform" && property !== "filter") return null;
  if (find(find(properties, property), name) || (isCall && find(functions, name) && !hasSyntax(name))) return null;
  const shown = quoted(isCall ? `${part})` : part);
  return { index, message: `${ignored} ${shown} is not valid there${adviceFor(property, name)}` };
}

function adviceFor(property: string, name: string): string {
  if (property === "size") return "; write the width and the height of the page";
  const foreign = findForeign("value", `${property}: ${name}`);
  if (foreign) return `; ${foreign.instead}`;
  const similar = /^[a-z-]/.test(name) ? similarName(name, wordsOf(property)) : null;
  return similar === null || similar === name ? "" : `; did you mean ${quoted(similar)}?`;
}
