// Checks the value of a declaration: functions and keywords that not every Chromium supports, and values that the property does
// not accept.
import { ident, type FunctionNode, type Identifier, type Raw, type Value } from "css-tree";
import { similarName } from "colophon-base/similar-name";
import { quoted } from "colophon-base/text";
import { find, functions, prefixedName, properties, supportProblem } from "./browser-support.ts";
import { isForPlaceIn } from "./check-margins.ts";
import type { CheckScope, StyleMessage } from "./check-scope.ts";
import { hasSyntax, mismatch, nodesIn, startOf, textOf, wordsOf } from "./css-syntax.ts";
import { findForeign } from "./foreign-css.ts";
import { missingFonts } from "./missing-fonts.ts";

/** Hacks that authors write on purpose, and prefixed values for other browsers. */
const hacks = /\\|\bprogid:|\bexpression\(|(?:^|[\s,(])-(?!apple-system)[a-z]/i;
export const placeholders =
  "style.css contains only CSS; a `<style>` element of a page file can contain Liquid, such as `{{ name }}`";

/** Functions that can represent any part of a value. */
const substitutions = new Set(["var", "env", "attr", "if"]);

export function* checkValue(property: string, value: Value | Raw, scope: CheckScope): Generator<StyleMessage> {
  const text = textOf(scope.css, value);
  const calls = nodesIn(value, "Function");
  const names = calls.map(nameOf);
  yield* counterProblems(calls, scope);
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
function* foreignProblems(property: string, calls: FunctionNode[], scope: CheckScope): Generator<StyleMessage> {
  for (const call of calls) {
    const [index, name] = [startOf(call), nameOf(call)];
    const words = nodesIn(call, "Identifier").map(nameOf);
    const [, counter = "page"] = name === "target-counter" ? words : [];
    const isOther = !/^(?:part-)?page$/.test(counter);
    const foreign = findForeign("function", isOther ? "target-counters" : name);
    if (!foreign) continue;
    const shown = quoted(isOther ? textOf(scope.css, call) : `${name}()`);
    const isPrinted = property === "content" && scope.references?.has(index);
    if (!isPrinted) yield { index, message: `Chromium does not print ${shown}; ${foreign.instead}` };
    else if (name === "target-counter" && isForPlaceIn(scope.margins, scope.selectors, words[0] ?? ""))
      yield { index, message: `${shown} prints nothing in headers and footers` };
  }
}

/** Counters of pages are 0 outside of margin boxes, unless styles of the template count them. */
function* counterProblems(calls: FunctionNode[], { counters }: CheckScope): Generator<StyleMessage> {
  for (const call of calls) {
    const counter = /^counters?$/.test(nameOf(call)) ? nodesIn(call, "Identifier").map(nameOf)[0] : undefined;
    const foreign = counter && !counters.has(counter) ? findForeign("function", `counter(${counter})`) : undefined;
    if (!foreign) continue;
    const inText = "text has only `target-counter(attr(href), page)`, the page of a link";
    const message = `${quoted(`counter(${counter})`)} prints 0; ${foreign.instead} in header.liquid or footer.liquid; ${inText}`;
    yield { index: startOf(call), message };
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
  if (/^[$<%{@]/.test(name)) return `; ${placeholders}`;
  if (property === "size") return "; write the width and the height of the page";
  const foreign = findForeign("value", `${property}: ${name}`);
  if (foreign) return `; ${foreign.instead}`;
  const similar = /^[a-z-]/.test(name) ? similarName(name, wordsOf(property)) : null;
  return similar === null || similar === name ? "" : `; did you mean ${quoted(similar)}?`;
}
