// Replaces the code of other engines that HTML would read as tags or comments with blanks.
import type { ForeignWord } from "colophon-liquid/foreign-words";
import { foreignComments, foreignTagCode } from "./foreign-markup.ts";

type Range = { start: number; end: number };

/** Code or a comment of a different engine. `start` and `end` are positions in the text. */
export type ForeignPart = { row: ForeignWord; start: number; end: number; isComment: boolean };

const directives = "if|else|list|items|sep|assign|local|global|include|import|macro|switch|case|function|setting|ftl";
const openings = new RegExp(
  String.raw`<!--|<\?(?:php\b|[=!\s])|<%|<#--|</?#(?:${directives})|</@[a-z]|<@[a-z][\w.]*(?=\s+\w+=|\s*/>)|<<(?=/?[a-z_][\w.]*>>)`,
  "gi",
);

/** Returns the text with blanks for the code that HTML would read as tags or comments, so every other character keeps its position. */
export function withoutForeignTags(text: string, raw: readonly Range[]): { text: string; foreign: ForeignPart[] } {
  const found: ForeignPart[] = [];
  const kept: string[] = [];
  /** The ends that do not occur any more, so that they are not searched for again. */
  const absent = new Set<string>();
  let from = 0;
  for (const { index: start, 0: opening } of withoutRaw(text, raw).matchAll(openings)) {
    if (start < from) continue;
    const close = closeOf(text.slice(start, start + 4));
    const closed = absent.has(close) ? -1 : text.indexOf(close, start + opening.length);
    if (closed < 0) absent.add(close);
    // PHP may end with the file. Without their ends, `<%` and `<?` are text.
    if (closed < 0 && !/^<\?php/i.test(opening)) continue;
    const end = closed < 0 ? text.length : closed + close.length;
    const written = text.slice(start, Math.min(end, start + 200));
    const isComment = opening === "<!--";
    const row = (isComment ? foreignComments : foreignTagCode).find(({ pattern }) => pattern?.test(written));
    if (row) found.push({ row, start, end, isComment });
    kept.push(text.slice(from, start), isComment ? text.slice(start, end) : blank(text.slice(start, end)));
    from = end;
  }
  return { text: kept.join("") + text.slice(from), foreign: found };
}

/** Returns the text with blanks for the parts in `raw` tags, which are printed unchanged on purpose. */
export function withoutRaw(text: string, raw: readonly Range[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of raw) {
    parts.push(text.slice(from, start), blank(text.slice(start, end)));
    from = end;
  }
  return parts.join("") + text.slice(from);
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

function closeOf(opening: string): string {
  if (opening === "<!--" || opening === "<#--") return "-->";
  if (opening.startsWith("<?")) return "?>";
  return opening.startsWith("<%") ? "%>" : opening.startsWith("<<") ? ">>" : ">";
}
