// Replaces the Liquid in a template file, for checks of its HTML and CSS. Every character keeps its position.
import { commentEnd, scanTemplate, type SourceToken } from "./scanner.ts";

/**
 * The characters that replace Liquid. Both are unassigned, and CSS and HTML allow them in names, so a name or value that contains
 * Liquid stays one word. Private-use characters are not allowed in CSS names.
 */
const outputMark = "\u{fafe}";
const tagMark = "\u{faff}";

/** The tags that print something themselves. */
const printingTags = new Set("cycle decrement echo increment liquid render tablerow endtablerow".split(" "));

/**
 * Replaces each character of an output with a mark. A tag that prints nothing becomes a different mark and spaces;
 * comments become spaces. Line breaks stay. `source` must be a valid Liquid file.
 */
export function withMarks(source: string): string {
  const parts: string[] = [];
  let end = 0;
  for (const token of tokensToRender(source)) {
    parts.push(blank(source.slice(end, token.start)), marked(token, source.slice(token.start, token.end)));
    end = token.end;
  }
  return parts.join("") + blank(source.slice(end));
}

/** Yields the tokens of a file that are not inside comments. */
export function* tokensToRender(source: string): Generator<SourceToken> {
  const tokens = scanTemplate(source);
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    const isComment = token?.kind === "tag" && token.name === "comment";
    if (isComment) index = commentEnd(tokens, index + 1) - 1;
    else if (token) yield token;
  }
}

function marked(token: SourceToken, text: string): string {
  if (token.kind === "text") return text;
  const prints = token.kind === "output" || printingTags.has(token.name);
  return prints ? text.replace(/[^\n]/g, outputMark) : tagMark + blank(text.slice(1));
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

/**
 * Replaces marks before a CSS rule or declaration with spaces. It is unknown what an output prints there, so outputs are replaced only
 * before an at-rule.
 */
export function withoutLeadingMarks(css: string): string {
  const leading = new RegExp(`(^|[;{}]|\\*/)(?:[\\s${tagMark}]+|[\\s${tagMark}${outputMark}]+(?=@))`, "g");
  return css.replace(leading, (text) => text.replaceAll(tagMark, " ").replaceAll(outputMark, " "));
}

export function hasMarks(text: string): boolean {
  return text.includes(outputMark) || text.includes(tagMark);
}

export function textBeforeMarks(text: string): string {
  return text.split(outputMark, 1)[0]?.split(tagMark, 1)[0] ?? "";
}

/** Replaces the marks of tags that print nothing with spaces. */
export function withoutTagMarks(marked: string): string {
  return marked.replaceAll(tagMark, " ");
}
