// Replaces the Liquid in a file by marks, so that the static text around it can be read. Every character keeps its
// position. The marks count as letters of a name in CSS, so a declaration that contains Liquid is recognised and left out.
import { TokenType, type CSSToken } from "@csstools/css-tokenizer";

/**
 * Both marks are unassigned characters that CSS allows in names. The characters for private use are not allowed in names.
 */
const outputMark = "\u{fafe}";
const tagMark = "\u{faff}";

/** Tags that print nothing themselves. */
const silentTags = new Set(
  "# assign block break capture case continue else elsif endblock endcapture endcase endfor endif endifchanged endraw endunless for if ifchanged layout raw unless when".split(
    " ",
  ),
);

/** `source` must be a valid Liquid file, in which every output, tag and block is closed. */
export function withMarks(source: string): string {
  const parts: string[] = [];
  let copied = 0;
  for (const opening = /\{\{|\{%-?\s*(#|\w*)/g; ; ) {
    opening.lastIndex = copied;
    const found = opening.exec(source);
    if (!found) return parts.join("") + source.slice(copied);
    const tag = found[1];
    const end = endOf(source, found.index, tag);
    parts.push(source.slice(copied, found.index), marked(source.slice(found.index, end), tag));
    copied = end;
    if (tag === "raw") {
      const rawEnd = indexOfTag(source, end, "endraw");
      parts.push(source.slice(end, rawEnd));
      copied = rawEnd;
    }
  }
}

function endOf(source: string, start: number, tag: string | undefined): number {
  const close = source.indexOf(tag === undefined ? "}}" : "%}", start + 2);
  const end = close < 0 ? source.length : close + 2;
  if (tag === "doc") return endOf(source, indexOfTag(source, end, "enddoc"), "enddoc");
  return tag === "comment" ? endOfComment(source, end) : end;
}

/** Comments can contain comments. */
function endOfComment(source: string, start: number): number {
  const tags = /\{%-?\s*(comment|endcomment)\b[^%]*%\}/g;
  tags.lastIndex = start;
  for (let depth = 1; depth > 0; ) {
    const found = tags.exec(source);
    if (!found) return source.length;
    depth += found[1] === "comment" ? 1 : -1;
  }
  return tags.lastIndex;
}

function indexOfTag(source: string, start: number, tag: string): number {
  const pattern = new RegExp(String.raw`\{%-?\s*${tag}\b`, "g");
  pattern.lastIndex = start;
  return pattern.exec(source)?.index ?? source.length;
}

/** Keeps line ends. A tag that prints nothing becomes a mark and spaces, so that what follows is a word of its own. */
function marked(liquid: string, tag: string | undefined): string {
  if (tag === "comment" || tag === "doc") return liquid.replace(/[^\n]/g, " ");
  if (tag === undefined || !silentTags.has(tag)) return liquid.replace(/[^\n]/g, outputMark);
  return tagMark + liquid.slice(1).replace(/[^\n]/g, " ");
}

/** Whether a token is a tag that prints nothing, such as `{% if total %}`. */
export function isTagMark([type, text]: CSSToken): boolean {
  return type === TokenType.Ident && text === tagMark;
}

export function isOnlyLiquid(tokens: CSSToken[]): boolean {
  return tokens.every(
    ([type, text]) =>
      type === TokenType.Whitespace || (type === TokenType.Ident && [...text].every((character) => hasMarks(character))),
  );
}

export function withoutMarks(tokens: CSSToken[]): boolean {
  return !tokens.some(([, text]) => hasMarks(text));
}

export function hasMarks(text: string): boolean {
  return text.includes(outputMark) || text.includes(tagMark);
}

/** Replaces the marks of tags that print nothing with spaces. */
export function withoutTagMarks(marked: string): string {
  return marked.replaceAll(tagMark, " ");
}
