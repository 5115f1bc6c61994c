// Finds braces in the text of a page that were probably meant as Liquid, such as `{ number }}`. They would be printed.
import { quoted } from "../../styles/support/style-message.ts";
import type { Finding, Report } from "../finding.ts";
import type { MarkupTag } from "./markup-tags.ts";

type BracesInput = {
  text: string;
  tags: MarkupTag[];
  /** The text that is printed as it is, in the order of the file. */
  raw: { start: number; end: number }[];
  /** The names that Liquid can read in the template. Single braces around anything else are probably meant. */
  names: ReadonlySet<string>;
  report: Report;
  lineOf: (index: number) => number;
};

export function checkBraces({ text, tags, raw, names, report, lineOf }: BracesInput): void {
  let next = 0;
  for (const { start, end } of printedTexts(text, tags)) {
    for (const found of text.slice(start, end).matchAll(braces)) {
      const at = start + found.index;
      while (raw[next] && (raw[next]?.end ?? 0) <= at) next++;
      if ((raw[next]?.start ?? Infinity) <= at) continue;
      if (found[1] !== undefined && !names.has(found[1].split(".")[0] ?? "")) continue;
      const { message, severity } = braceProblem(found[0], found[1]);
      report(lineOf(at), message, severity);
    }
  }
}

const braces = /\{ \{[^{}\n]*\} ?\}|\{ %[^{}\n]*%\}|\}\}|%\}|\{#[^{}]*#\}|\{ ?([A-Za-z_][\w.]*) ?\}(?!\})/g;

function braceProblem(found: string, name: string | undefined): { message: string; severity: Finding["severity"] } {
  const printed = "would be printed as it is";
  if (name !== undefined) {
    return { message: `${quoted(found)} is printed as it is; write ${quoted(`{{ ${name} }}`)} for a value`, severity: "warning" };
  }
  const shown = quoted(found.length > maxShownChars ? `${found.slice(0, maxShownChars)}…` : found);
  return { message: `${shown} ${printed}${reasonOf(found)}`, severity: "error" };
}

const maxShownChars = 40;

function reasonOf(found: string): string {
  if (found === "}}") return ", because no `{{` stands before it";
  if (found === "%}") return ", because no `{%` stands before it";
  if (found.startsWith("{#")) return "; write a comment between `{% comment %}` and `{% endcomment %}`";
  return ", because a space divides its braces";
}

/** Yields what is printed between the tags, without comments, styles and scripts, and the attributes of the tags. */
function* printedTexts(text: string, tags: MarkupTag[]): Generator<{ start: number; end: number }> {
  let from = 0;
  let isCode = false;
  for (const tag of tags) {
    if (!isCode) yield* withoutComments(text, from, tag.start);
    yield { start: tag.start, end: tag.end };
    from = tag.end;
    isCode = tag.kind === "start" && (tag.name === "style" || tag.name === "script");
  }
  if (!isCode) yield* withoutComments(text, from, text.length);
}

function* withoutComments(text: string, start: number, end: number): Generator<{ start: number; end: number }> {
  const between = text.slice(start, end);
  let from = 0;
  for (let at = between.indexOf("<!--"); at >= 0; at = between.indexOf("<!--", from)) {
    yield { start: start + from, end: start + at };
    const close = between.indexOf("-->", at + 4);
    if (close < 0) return;
    from = close + 3;
  }
  yield { start: start + from, end };
}
