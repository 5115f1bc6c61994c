// Checks the HTML of a Liquid file: markup that a browser would repair, move or drop, and markup that has no effect in a
// document.
import { lineCounter } from "colophon-base/line-counter";
import { quoted } from "colophon-base/quoted";
import { findingCollector, type CheckBudget, type FileFinding, type Report } from "../findings.ts";
import { checkBalance } from "./check-balance.ts";
import { checkElement, checkStyleReferences, checkTagReferences } from "./check-elements.ts";
import { checkTagErrors } from "./check-tag-errors.ts";
import { readMarkup, type Markup } from "./read-markup.ts";

/** `source` must be a valid Liquid file. `isPart` is true for a part, whose surroundings are unknown. */
type MarkupFile = { source: string; isPart: boolean };

/** `names` are the names that Liquid can read in the template. */
type Known = { assets: ReadonlySet<string>; names: ReadonlySet<string>; budget: CheckBudget };

/** The maximum number of tokenizer errors that are examined. */
const maxErrors = 1_000;

export function checkMarkup({ source, isPart }: MarkupFile, { assets, names, budget }: Known): FileFinding[] {
  const { report, findings, isFull } = findingCollector(budget);
  const lineOf = lineCounter(source);
  const reportAt: Report = (index, ...finding) => report(lineOf(index), ...finding);
  const markup = readMarkup(source);
  const { text, pieces, errors, bodies } = markup;
  const tags = pieces.filter((piece) => piece.kind !== "text");
  for (const tag of tags) {
    if (isFull()) return findings;
    checkElement(tag, reportAt);
    checkTagReferences(tag, assets, reportAt);
  }
  checkBraces(markup, names, reportAt);
  checkStyleReferences(source, { report, lineOf, assets });
  const { isReadable } = checkTagErrors({ source, text, tags, errors: errors.slice(0, maxErrors) }, reportAt);
  if (isReadable) checkBalance({ pieces, bodies, isPart, report, lineOf });
  return findings;
}

/**
 * Finds braces in text that were probably meant as Liquid, such as `{ number }}`, and would be printed. Single braces are
 * reported only around `names`.
 */
function checkBraces({ text, pieces, raw }: Markup, names: ReadonlySet<string>, reportAt: Report): void {
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
      const reason = name === undefined ? reasonOf(written) : `; write ${quoted(`{{ ${name} }}`)} for a value`;
      reportAt(at, `${quoted(written)} would be printed unchanged${reason}`, name === undefined ? "error" : "warning");
    }
  }
}

const braces = /\{ \{[^{}\n]*\} ?\}|\{ %[^{}\n]*%\}|\}\}|%\}|\{#[^{}]*#\}|\{ ?([A-Za-z_][\w.]*) ?\}(?!\})/g;

function reasonOf(found: string): string {
  if (found === "}}" || found === "%}") return `, because no ${found === "}}" ? "`{{`" : "`{%`"} stands before it`;
  return found.startsWith("{#")
    ? "; write a comment between `{% comment %}` and `{% endcomment %}`"
    : ", because a space separates its braces";
}
