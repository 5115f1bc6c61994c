// Checks the HTML of a Liquid file: markup that a browser would repair, move or drop, and what has no effect in a document.
import { lineCounter } from "colophon-base/line-counter";
import { findingCollector, type FileFinding, type CheckBudget } from "../finding.ts";
import { checkBalance } from "./check-balance.ts";
import { checkBraces } from "./check-braces.ts";
import { checkElement } from "./check-elements.ts";
import { checkStyleReferences, checkTagReferences } from "./check-references.ts";
import { checkTagErrors } from "./check-tag-errors.ts";
import { markupPieces } from "./markup-tags.ts";
import { markupText } from "./markup-text.ts";

/** `source` must be a valid Liquid file. `isPart` is true for a part, whose surroundings are not known. */
type MarkupFile = { source: string; isPart: boolean };

/** `names` are those that Liquid can read in the template. */
type Known = { assets: ReadonlySet<string>; names: ReadonlySet<string>; budget: CheckBudget };

export function checkMarkup({ source, isPart }: MarkupFile, { assets, names, budget }: Known): FileFinding[] {
  const { report, findings, isFull } = findingCollector(budget);
  const lineOf = lineCounter(source);
  const { text, bodies, raw } = markupText(source);
  const { pieces, errors } = markupPieces(text);
  const tags = pieces.filter((piece) => piece.kind !== "text");
  for (const tag of tags) {
    if (isFull()) return findings;
    checkElement(tag, { report, lineOf });
    checkTagReferences(tag, { report, lineOf, assets });
  }
  checkBraces({ text, pieces, raw, names, report, lineOf });
  checkStyleReferences(source, { report, lineOf, assets });
  const { isReadable } = checkTagErrors({ source, text, tags, errors: errors.slice(0, maxErrors), report, lineOf });
  if (isReadable) checkBalance({ pieces, bodies, isPart, report, lineOf });
  return findings;
}

/** The number of errors of the tokenizer that are looked at. */
const maxErrors = 1_000;
