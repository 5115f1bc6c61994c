// Checks the HTML of a Liquid file: markup that a browser would repair, move or drop, and what has no effect in a document.
import { lineCounter } from "../../../line-counter.ts";
import { findingCollector, type FileFinding } from "../finding.ts";
import { checkBalance } from "./check-balance.ts";
import { checkBraces } from "./check-braces.ts";
import { checkElement } from "./check-elements.ts";
import { checkStyleReferences, checkTagReferences } from "./check-references.ts";
import { checkTagErrors } from "./check-tag-errors.ts";
import { checkTree } from "./check-tree.ts";
import { markupTags } from "./markup-tags.ts";
import { markupText } from "./markup-text.ts";

/** `source` must be a valid Liquid file. `isPart` is true for a part, whose surroundings are not known. */
type MarkupFile = { source: string; isPart: boolean };

/** `names` are those that Liquid can read in the template. */
type Known = { assets: ReadonlySet<string>; names: ReadonlySet<string> };

export function checkMarkup({ source, isPart }: MarkupFile, { assets, names }: Known): FileFinding[] {
  const { report, findings, isFull } = findingCollector();
  const lineOf = lineCounter(source);
  const { text, bodies, raw } = markupText(source);
  const { tags, errors } = markupTags(text);
  for (const tag of tags) {
    if (isFull()) return findings;
    checkElement(tag, { report, lineOf });
    checkTagReferences(tag, { report, lineOf, assets });
  }
  checkBraces({ text, tags, raw, names, report, lineOf });
  checkStyleReferences(source, { report, lineOf, assets });
  const { isReadable } = checkTagErrors({ source, text, tags, errors: errors.slice(0, maxErrors), report, lineOf });
  if (!isReadable) return findings;
  const indentOf = (index: number) => {
    const line = text.slice(text.lastIndexOf("\n", index - 1) + 1, index);
    return line.trim() === "" ? line.length : null;
  };
  const { isBalanced, acrossBlocks } = checkBalance({ tags, bodies, isPart, report, lineOf, indentOf });
  // What is not closed makes the parser move other things too. A part, and a block of a layout, may be rows of a table.
  const isWhole = !isPart && !/\{%-?\s*layout\b/.test(source);
  if (isBalanced && isWhole) checkTree({ text, tags, bodies, acrossBlocks, report, lineOf });
  return findings;
}

/** The number of errors of the tokenizer that are looked at. */
const maxErrors = 1_000;
