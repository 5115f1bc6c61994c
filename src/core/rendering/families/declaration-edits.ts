// Maps the families in one declaration.
import { TokenType, type CSSToken } from "@csstools/css-tokenizer";
import {
  familyName,
  familyVariable,
  invalidValue,
  mappedFont,
  mappedFontFamily,
  mappedVariable,
  monospaceScale,
  ownFamilies,
  scaleOf,
} from "./family-values.ts";
import { familyList, nobodysFamily, ownFamily } from "./service-families.ts";
import { valueParts } from "./value-parts.ts";

/** A replacement of the characters from `start` to `end`. */
export type FamilyEdit = { start: number; end: number; text: string };

/** `name` is in lower case, except that of a custom property. `end` is where the value begins. */
type Declaration = { name: string; value: CSSToken[]; end: number };
type Edits = { edits: FamilyEdit[]; usesVariables: boolean };

/** `rule` is the name of the at-rule whose block contains the declaration; an empty name for other blocks. */
export function declarationEdits(rule: string, declaration: Declaration, withVariables: boolean): Edits {
  const { name } = declaration;
  const value = valueOf(declaration);
  const onlyEdits = (edits: FamilyEdit[]): Edits => ({ edits, usesVariables: false });
  if (rule === "font-face") return onlyEdits(descriptorEdits(name, value.tokens));
  if (rule === "font-palette-values") {
    const families = name === "font-family" ? ownFamilies(value.tokens) : null;
    return onlyEdits(families ? replacement(value.tokens, families.join(",")) : []);
  }
  if (name.startsWith("--")) {
    return onlyEdits(withVariables ? [addition(value, familyVariable(name), mappedVariable(value.tokens))] : []);
  }
  if (name === "all") return onlyEdits(resetEdits(value));
  const usesVariables = value.tokens.some((token) => token[0] === TokenType.Function && /^var$/i.test(token[4].value));
  if (name === "font") return { edits: replacement(value.tokens, mappedFont(value.tokens)), usesVariables };
  const families = mappedFontFamily(value.tokens);
  const edits = replacement(value.tokens, families);
  if (families !== invalidValue) edits.push(addition(value, monospaceScale, scaleOf(value.tokens)));
  return { edits, usesVariables };
}

/** Returns the tokens without white space and comments at their ends. */
export function withoutSpace(tokens: readonly CSSToken[]): CSSToken[] {
  const isText = ([type]: CSSToken) => type !== TokenType.Whitespace && type !== TokenType.Comment;
  return tokens.slice(Math.max(0, tokens.findIndex(isText)), tokens.findLastIndex(isText) + 1);
}

type Value = { tokens: CSSToken[]; priority: string; end: number };

/** Divides a value into its tokens and its `!important`. `end` is where the declaration ends. */
function valueOf(declaration: Declaration): Value {
  const all = withoutSpace(declaration.value);
  const mark = all.findLastIndex(([type, text]) => type === TokenType.Delim && text === "!");
  const isPriority =
    mark >= 0 &&
    /^!\s*important$/i.test(
      all
        .slice(mark)
        .filter(isNoComment)
        .map(([, text]) => text)
        .join(""),
    );
  const tokens = isPriority ? withoutSpace(all.slice(0, mark)) : all;
  return { tokens, priority: isPriority ? "!important" : "", end: (all.at(-1)?.[3] ?? declaration.end - 1) + 1 };
}

function isNoComment([type]: CSSToken): boolean {
  return type !== TokenType.Comment;
}

/** Neutralises `local()`, and gives a family its name in the document. */
function descriptorEdits(name: string, tokens: CSSToken[]): FamilyEdit[] {
  if (name === "src") return localFontEdits(tokens);
  const family = name === "font-family" ? familyName(valueParts(tokens)) : null;
  return family && !family.isGeneric ? replacement(tokens, ownFamily(family.name)) : [];
}

function localFontEdits(tokens: readonly CSSToken[]): FamilyEdit[] {
  const edits: FamilyEdit[] = [];
  let local: CSSToken | null = null;
  for (const token of tokens) {
    const [type] = token;
    if (!local && type === TokenType.Function && token[4].value.toLowerCase() === "local") local = token;
    if (!local || (type !== TokenType.CloseParen && token !== tokens.at(-1))) continue;
    edits.push({ start: local[2], end: token[3] + 1, text: `local(${nobodysFamily})` });
    local = null;
  }
  return edits;
}

/** Maps `all`, which can lead to the browser's own fonts. */
function resetEdits(value: Value): FamilyEdit[] {
  const { tokens } = value;
  const [word] = tokens;
  const keyword = tokens.length === 1 && word?.[0] === TokenType.Ident ? word[4].value.toLowerCase() : "";
  if (keyword === "revert") return replacement(tokens, "revert-layer");
  if (keyword === "initial") return [addition(value, "font-family", familyList("sans"))];
  return tokens.some(([type]) => type === TokenType.Function) ? [addition(value, "font-family", "inherit")] : [];
}

/** Adds a declaration after the one that has the value. */
function addition({ end, priority }: Value, name: string, value: string): FamilyEdit {
  return { start: end, end, text: `;${name}:${value}${priority}` };
}

function replacement(tokens: readonly CSSToken[], text: string): FamilyEdit[] {
  const [first, last] = [tokens[0], tokens.at(-1)];
  return first && last ? [{ start: first[2], end: last[3] + 1, text }] : [];
}
