// Divides the source of a template into text, outputs (`{{ … }}`) and tags (`{% … %}`), and applies whitespace control
// (`{%-`, `-%}`). The time is proportional to the length of the source. No other module searches a source for Liquid.
import { newlinesIn } from "colophon-base/line-counter";
import { LiquidSyntaxError } from "../errors.ts";
import { maxTagChars, maxTokens, tooManyTokens } from "./limits.ts";
import type { Mistakes } from "./mistakes.ts";

/**
 * `line` is the line on which the token begins, counted from 1. `markupLine` is the line on which a tag's markup begins,
 * which can be later.
 */
export type Token =
  | { kind: "text"; text: string; line: number }
  | { kind: "output"; markup: string; line: number }
  | { kind: "tag"; name: string; markup: string; line: number; markupLine: number };

/**
 * A token with its position in the source, including stripped white space. `isRaw` is true for the text of `raw`. The tags of
 * `raw` and everything in `doc` are not in any token.
 */
export type SourceToken = Token & { start: number; end: number; isRaw?: true };

type ScanState = { source: string; position: number; line: number; stripsNext: boolean; tokens: SourceToken[] };

/** Continues after mistakes and adds them to `mistakes`, or throws the first one. `line` is the line on which the source begins. */
export function scanTemplate(source: string, mistakes?: Mistakes, line = 1): SourceToken[] {
  const state: ScanState = { source, position: 0, line, stripsNext: false, tokens: [] };
  while (state.position < source.length) {
    try {
      scanNext(state);
    } catch (error) {
      if (!(error instanceof LiquidSyntaxError) || !mistakes) throw error;
      mistakes.addUnclosed(error);
    }
    if (state.tokens.length > maxTokens) throw new LiquidSyntaxError(tooManyTokens, state.line, { isFatal: true });
  }
  return state.tokens;
}

function scanNext(state: ScanState): void {
  const { source, position } = state;
  const open = nextOpening(source, position);
  if (open > position) {
    pushText(state, open, source[open + 2] === "-");
    state.position = open;
  }
  if (open === source.length) return;
  const isOutput = source[open + 1] === "{";
  const { line } = state;
  const markup = takeDelimited(state, isOutput ? "}}" : "%}");
  const place = { start: open, end: state.position };
  if (isOutput) {
    limitLength("output", markup, line);
    state.tokens.push({ kind: "output", markup, line, ...place });
    return;
  }
  const { name, rest, restLine } = tagParts(markup, line);
  if (name === "raw" || name === "doc") takeVerbatim(state, name, rest, line);
  else state.tokens.push({ kind: "tag", name, markup: rest, line, markupLine: restLine, ...place });
}

function nextOpening(source: string, from: number): number {
  for (let at = source.indexOf("{", from); at >= 0; at = source.indexOf("{", at + 1)) {
    const next = source[at + 1];
    if (next === "{" || next === "%") return at;
  }
  return source.length;
}

/** Adds the text from the current position to `end`. */
function pushText(state: ScanState, end: number, stripsEnd: boolean, raw: { isRaw?: true } = {}): void {
  const { source, position: start } = state;
  const text = source.slice(start, end);
  const stripped = state.stripsNext ? text.trimStart() : text;
  const kept = stripsEnd ? stripped.trimEnd() : stripped;
  state.line += newlinesIn(text);
  const firstLine = state.line - newlinesIn(stripped);
  if (kept !== "") state.tokens.push({ kind: "text", text: kept, line: firstLine, start, end, ...raw });
  state.stripsNext = false;
}

/** Returns the text between the delimiters at the current position, without the hyphens of whitespace control. */
function takeDelimited(state: ScanState, close: "}}" | "%}"): string {
  const { source, position, line } = state;
  const end = foreignCommentEnd(state) ?? source.indexOf(close, position + 2);
  if (end < 0) {
    // What follows the opening is text.
    state.position += 2;
    const [kind, opening] = close === "}}" ? ["output", "{{"] : ["tag", "{%"];
    throw new LiquidSyntaxError(`the ${kind} that begins with \`${opening}\` is not closed with \`${close}\``, line);
  }
  const whole = source.slice(position + 2, end);
  const start = whole.startsWith("-") ? 1 : 0;
  state.stripsNext = whole.endsWith("-") && whole.length > start;
  const markup = whole.slice(start, state.stripsNext ? -1 : undefined);
  state.position = end + 2;
  state.line += newlinesIn(whole);
  return markup;
}

/** Longer comments are not recognized, because each opening searches for its end. */
const maxForeignCommentChars = 2_000;

/**
 * Returns the index of the `}}` that ends a comment of Handlebars or Blade, which can contain outputs; null if there is no such comment at
 * the position. `{{--5}}` is a number.
 */
function foreignCommentEnd({ source, position }: ScanState): number | null {
  const isComment =
    source.startsWith("{{!--", position) ||
    (source.startsWith("{{--", position) && !/\d/.test(source[position + 4] ?? ""));
  if (!isComment) return null;
  const length = source.slice(position, position + maxForeignCommentChars).indexOf("--}}", 4);
  return length < 0 || source.slice(position, position + length).includes("{%") ? null : position + length + 2;
}

/** Splits a tag into its name and the rest. An inline comment has the name `#`. */
export function tagParts(markup: string, line: number): { name: string; rest: string; restLine: number } {
  const name = /^\s*(#|\w+)/.exec(markup);
  if (!name) throw new LiquidSyntaxError("the tag has no name", line);
  const rest = markup.slice(name[0].length).trim();
  if (name[1] !== "liquid") limitLength("tag", rest, line);
  const restLine = line + newlinesIn(markup.slice(0, markup.length - markup.slice(name[0].length).trimStart().length));
  return { name: name[1] ?? "", rest, restLine };
}

function limitLength(what: "tag" | "output", markup: string, line: number): void {
  if (markup.length > maxTagChars) {
    throw new LiquidSyntaxError(`the ${what} is longer than ${maxTagChars} characters`, line);
  }
}

/**
 * Consumes everything up to `endraw` or `enddoc` unparsed. The text of `raw` is kept, and the text of `doc` is dropped.
 */
function takeVerbatim(state: ScanState, name: "raw" | "doc", rest: string, line: number): void {
  const closing = new RegExp(String.raw`\{%(-?)\s*end${name}\s*(-?)%\}`, "g");
  closing.lastIndex = state.position;
  const end = closing.exec(state.source);
  if (!end) {
    state.position = state.source.length;
    throw new LiquidSyntaxError(`the block \`${name}\` is not closed with \`end${name}\``, line);
  }
  const text = state.source.slice(state.position, end.index);
  if (name === "raw") pushText(state, end.index, end[1] === "-", { isRaw: true });
  else state.line += newlinesIn(text);
  state.stripsNext = end[2] === "-";
  state.position = end.index + end[0].length;
  state.line += newlinesIn(end[0]);
  if (rest !== "") throw new LiquidSyntaxError(`the tag \`${name}\` takes no arguments`, line);
  if (name === "doc" && /\{%-?\s*doc\s*-?%\}/.test(text)) {
    throw new LiquidSyntaxError("a `doc` block cannot contain another", line);
  }
}

/** Returns the tags in a `liquid` tag: one on each non-blank line. `line` is the line of the tag itself. */
export function scanLiquidTag(markup: string, line: number): Token[] {
  return markup.split(/\r?\n/).flatMap((text, index): Token[] => {
    if (text.trim() === "") return [];
    const { name, rest, restLine } = tagParts(text, line + index);
    return [{ kind: "tag", name, markup: rest, line: line + index, markupLine: restLine }];
  });
}

/**
 * Returns the index of the token after a comment whose content begins at the index `from`; -1 if the comment does not end. Comments
 * can contain comments.
 */
export function commentEnd(tokens: readonly Token[], from: number): number {
  let open = 1;
  for (let index = from; index < tokens.length; index++) {
    const token = tokens[index];
    if (token?.kind !== "tag") continue;
    if (token.name === "comment") open++;
    if (token.name === "endcomment" && --open === 0) return index + 1;
  }
  return -1;
}
