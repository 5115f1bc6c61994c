// Finds braces in the text of a page that were probably meant as Liquid, such as `{ number }}`. They would be printed.
import { quoted } from "colophon-base/quoted";
import type { Report } from "../finding.ts";
import type { MarkupPiece } from "./markup-tags.ts";

type BracesInput = {
  text: string;
  pieces: readonly MarkupPiece[];
  /** The text that is printed as it is, in the order of the file. */
  raw: { start: number; end: number }[];
  /** The names that Liquid can read in the template. Single braces around anything else are probably meant. */
  names: ReadonlySet<string>;
  report: Report;
  lineOf: (index: number) => number;
};

export function checkBraces({ text, pieces, raw, names, report, lineOf }: BracesInput): void {
  let next = 0;
  for (const [index, piece] of pieces.entries()) {
    const before = pieces[index - 1];
    if (piece.kind === "text" && before?.kind === "start" && (before.name === "style" || before.name === "script"))
      continue;
    for (const found of text.slice(piece.start, piece.end).matchAll(braces)) {
      const at = piece.start + found.index;
      while (raw[next] && (raw[next]?.end ?? 0) <= at) next++;
      const [written, name] = found;
      if ((raw[next]?.start ?? Infinity) <= at || (name !== undefined && !names.has(name.split(".")[0] ?? "")))
        continue;
      const message = `${quoted(written)} would be printed as it is${name === undefined ? reasonOf(written) : `; write ${quoted(`{{ ${name} }}`)} for a value`}`;
      report(lineOf(at), message, name === undefined ? "error" : "warning");
    }
  }
}

const braces = /\{ \{[^{}\n]*\} ?\}|\{ %[^{}\n]*%\}|\}\}|%\}|\{#[^{}]*#\}|\{ ?([A-Za-z_][\w.]*) ?\}(?!\})/g;

function reasonOf(found: string): string {
  if (found === "}}" || found === "%}") return `, because no ${found === "}}" ? "`{{`" : "`{%`"} stands before it`;
  return found.startsWith("{#")
    ? "; write a comment between `{% comment %}` and `{% endcomment %}`"
    : ", because a space divides its braces";
}
