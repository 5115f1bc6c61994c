// Edits style sheets: inserts the assets, whose positions were recorded when the template was pushed, and replaces page references
// and leaders, which Chromium does not support, with attributes: `target-counter(attr(href), page)` and `leader(".")` become
// `attr(...)`. The page script sets the attributes once the pages are known. The style sheet is read as tokens, so strings and comments
// are never changed.
import { TokenType, tokenizer, type CSSToken } from "@csstools/css-tokenizer";
import { isCounterStyle } from "colophon-page/counter-styles";
import { attributesProperty, leaderAttributeName, pageAttributeName } from "colophon-page/reference-attributes";
import type { StyleAsset } from "../template.ts";

/** A replacement for the characters from `start` to `end`. */
export type StyleEdit = { start: number; end: number; text: string };

/**
 * A use of a function. `name` is the attribute that replaces it; null if the function or its arguments are not supported. `declaration`
 * is the same number for all functions of one declaration.
 */
export type ReferenceFunction = { start: number; end: number; name: string | null; declaration: number };

/** Longer patterns are not supported. */
const maxPatternChars = 20;

const leaderKeywords: Partial<Record<string, string>> = { dotted: ". ", solid: "_", space: " " };

/** Returns the replacements, in the order of the style sheet. The last one appends the list of attributes. */
export function pageReferenceEdits(css: string): StyleEdit[] {
  const edits: StyleEdit[] = [];
  const names = new Set<string>();
  const functions = referenceFunctions(css);
  const supported = new Set(functions.flatMap(({ name, declaration }) => (name === null ? [] : [declaration])));
  for (const { start, end, name, declaration } of functions) {
    if (name !== null) names.add(name);
    // An unsupported function would make the browser drop the whole declaration, with the numbers that are known.
    if (supported.has(declaration)) edits.push({ start, end, text: name === null ? '""' : `attr(${name})` });
  }
  if (names.size === 0) return [];
  const list = `\n:root{${attributesProperty}:${[...names].join(" ")}}`;
  return [...edits, { start: css.length, end: css.length, text: list }];
}

const referenceNames = new Set(["target-counter", "target-counters", "target-text", "leader"]);

/** Finds every reference and leader in a style sheet. */
export function referenceFunctions(css: string): ReferenceFunction[] {
  // Most style sheets contain neither function, and tokenizing one takes about 0.1 s per megabyte.
  if (!/target-counter|leader/i.test(css)) return [];
  const functions: ReferenceFunction[] = [];
  const tokens = tokenizer({ css });
  let declaration = 0;
  while (!tokens.endOfFile()) {
    const token = tokens.nextToken();
    if (declarationEnds.has(token[0])) declaration++;
    const kind = token[0] === TokenType.Function ? token[4].value.toLowerCase() : "";
    if (!referenceNames.has(kind)) continue;
    const { values, end } = readArguments(tokens);
    const name = kind === "leader" ? leaderName(values) : kind === "target-counter" ? pageName(values) : null;
    functions.push({ start: token[2], end: end + 1, name, declaration });
  }
  return functions;
}

const declarationEnds = new Set([TokenType.Semicolon, TokenType.OpenCurly, TokenType.CloseCurly]);

/** Reads the tokens up to the function's closing parenthesis, without white space and comments. */
function readArguments(tokens: ReturnType<typeof tokenizer>): { values: CSSToken[]; end: number } {
  const values: CSSToken[] = [];
  let end = 0;
  for (let depth = 1; depth > 0 && !tokens.endOfFile();) {
    const token = tokens.nextToken();
    const [type] = token;
    if (type === TokenType.Function || type === TokenType.OpenParen) depth++;
    if (type === TokenType.CloseParen) depth--;
    end = token[3];
    const isSpace = type === TokenType.Whitespace || type === TokenType.Comment;
    if (depth > 0 && !isSpace) values.push(token);
  }
  return { values, end };
}

function leaderName(values: CSSToken[]): string | null {
  const [token] = values;
  if (!token || values.length > 1) return null;
  const pattern = token[0] === TokenType.Ident ? leaderKeywords[token[4].value.toLowerCase()] : stringOf(token);
  // A line break or another control character would break the line that the leader fills.
  const isUsable = pattern && pattern.length <= maxPatternChars && !/\p{Cc}|\p{Cs}/u.test(pattern);
  return isUsable ? leaderAttributeName(pattern) : null;
}

function stringOf(token: CSSToken): string | undefined {
  return token[0] === TokenType.String ? token[4].value : undefined;
}

/** Only `attr(name)` or `attr(name url)` is supported as the target, and only the counters `page` and `part-page`. */
function pageName(values: CSSToken[]): string | null {
  const source = values.map(wordOf).join(" ");
  const pattern = /^attr\( ([a-z][\w-]*)(?: url)? \) , (?:page(?: , ([a-z-]+))?|(part)-page)$/;
  const [, attribute, style = "decimal", part] = pattern.exec(source) ?? [];
  if (attribute && part) return pageAttributeName(attribute, "part");
  return attribute && isCounterStyle(style) ? pageAttributeName(attribute, style) : null;
}

function wordOf(token: CSSToken): string {
  const [type, text] = token;
  if (type === TokenType.Ident) return token[4].value.toLowerCase();
  return type === TokenType.Function ? `${token[4].value.toLowerCase()}(` : text;
}

/**
 * Returns the styles with every `url(logo.svg)` replaced with the asset itself, and with the other `edits`. `uris` are the
 * assets' `data:` URIs.
 */
export function inlineStyleAssets(
  css: string,
  assets: StyleAsset[],
  uris: ReadonlyMap<string, string>,
  edits: StyleEdit[] = [],
): string {
  const files = assets.map(({ start, end, name }) => {
    const uri = `"${uris.get(name) ?? ""}"`;
    const isUnquoted = !/^["']/.test(css.slice(start, end));
    return { start, end, text: isUnquoted ? `url(${uri})` : uri };
  });
  return withEdits(
    css,
    [...files, ...edits].sort((a, b) => a.start - b.start),
  );
}

/** Returns the length of the result of `inlineStyleAssets` without building it. */
export function inlinedStyleChars(css: string, assets: StyleAsset[], uris: ReadonlyMap<string, string>): number {
  return assets.reduce((chars, { name }) => chars + (uris.get(name)?.length ?? 0), css.length);
}

/** Returns the text with the edits, which must be sorted. */
export function withEdits(text: string, edits: readonly StyleEdit[]): string {
  const parts: string[] = [];
  let copied = 0;
  for (const { start, end, text: inserted } of edits) {
    // Edits overlap only in a value that no browser supports, such as a file instead of a font family.
    if (start < copied) continue;
    parts.push(text.slice(copied, start), inserted);
    copied = end;
  }
  return [...parts, text.slice(copied)].join("");
}
