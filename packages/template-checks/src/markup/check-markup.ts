// Checks the HTML of a Liquid file: markup that a browser would repair, move or drop, and markup that has no effect in a
// document.
import { lineCounter } from "colophon-base/line-counter";
import { quoted } from "colophon-base/text";
import { hasMarks, textBeforeMarks } from "colophon-liquid/marks";
import { findingCollector, type CheckBudget, type FileFinding, type Report } from "../findings.ts";
import { checkBalance } from "./check-balance.ts";
import { checkElement, checkStyleReferences, checkTagReferences } from "./check-elements.ts";
import { checkForeign, foreignAttribute, foreignElement } from "./check-foreign.ts";
import { formulaCheck } from "./check-formulas.ts";
import { readMarkup, type Markup, type MarkupTag, type TagError } from "./read-markup.ts";

/**
 * The positions of tags and outputs in `source` must be certain; `isParsed` is false if some of them could not be parsed. `isPart`
 * is true for a part, whose surroundings are unknown.
 */
type MarkupFile = { source: string; isPart: boolean; isParsed: boolean };

/** `names` are the names that Liquid can read in the template. */
type Known = { assets: ReadonlySet<string>; names: ReadonlySet<string>; budget: CheckBudget };

/** The maximum number of tokenizer errors that are examined. */
const maxErrors = 1_000;

export function checkMarkup({ source, isPart, isParsed }: MarkupFile, { assets, names, budget }: Known): FileFinding[] {
  const { report, findings, isFull } = findingCollector(budget);
  const lineOf = lineCounter(source);
  const reportAt: Report = (index, ...finding) => report(lineOf(index), ...finding);
  const markup = readMarkup(source);
  const { text, pieces, errors, bodies } = markup;
  const tags = pieces.filter((piece) => piece.kind !== "text");
  const checkFormula = formulaCheck(reportAt);
  for (const [index, tag] of tags.entries()) {
    if (isFull()) return findings;
    const isDrawn = !checkFormula(tag);
    if (isDrawn) checkElement(tag, reportAt, tags[index - 1]);
    checkTagReferences(tag, assets, reportAt);
  }
  const hasForeignCode = checkForeign(source, markup, names, reportAt);
  checkBraces(markup, names, reportAt);
  checkStyleReferences(source, { report, lineOf, assets });
  // Code can contain elements, and quotes inside a tag.
  if (hasForeignCode) return findings;
  const { isReadable } = checkTagErrors({ source, text, tags, errors: errors.slice(0, maxErrors) }, reportAt);
  if (!isReadable || !isParsed) return findings;
  const ownPieces = pieces.filter((piece) => piece.kind === "text" || foreignElement(piece) === null);
  checkBalance({ pieces: ownPieces, bodies, isPart, report, lineOf });
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
    if (piece.kind === "start" && piece.attributes.some(({ name }) => foreignAttribute(name) !== null)) continue;
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

const braces = /\{ \{[^{}\n]*\} ?\}|\{ %[^{}\n]*%\}|\}\}|%\}|\{#[^{}]*#\}|(?<![$#*!])\{ ?([A-Za-z_][\w.]*) ?\}(?!\})/g;

function reasonOf(found: string): string {
  if (found === "}}" || found === "%}") return `, because no ${found === "}}" ? "`{{`" : "`{%`"} stands before it`;
  return found.startsWith("{#")
    ? "; write a comment between `{% comment %}` and `{% endcomment %}`"
    : ", because a space separates its braces";
}

type TagErrorInput = { source: string; text: string; tags: MarkupTag[]; errors: TagError[] };

/**
 * Finds mistakes inside single tags that a browser has to repair: missing quotes and brackets, duplicate attributes, unclosed comments,
 * and unknown character references. Returns whether the markup after the first error can be trusted, which is not the case if a tag or
 * comment is unclosed. `reportAt` takes a position in the file instead of a line.
 */
function checkTagErrors(input: TagErrorInput, reportAt: Report): { isReadable: boolean } {
  const { text, tags, errors } = input;
  let isReadable = true;
  for (const { code, start } of errors) {
    const tag = tags.find((each) => each.start <= start && start <= each.end);
    switch (code) {
      case "eof-in-tag":
      case "eof-before-tag-name": {
        const open = lastTagStart(input);
        reportAt(open, `the tag ${quoted(tagBeginning(text, open))} is never closed; a \`>\` or a quote is missing`);
        return { isReadable: false };
      }
      case "eof-in-comment": {
        const reason = "the comment is never closed with `-->`, so everything after it is dropped";
        reportAt(text.lastIndexOf("<!--", start), reason);
        return { isReadable: false };
      }
      case "unexpected-character-in-attribute-name":
      case "unexpected-character-in-unquoted-attribute-value":
        if (!tag || (containsLiquidTags(input, tag) && !containsTag(text, tag))) break;
        reportAt(tag.start, `in the tag ${quoted(tagBeginning(text, tag.start))}, a quote or a \`>\` is missing`);
        isReadable = false;
        break;
      case "duplicate-attribute":
        if (tag && !containsLiquidTags(input, tag)) reportAt(start, duplicateAttribute(text, tag, start));
        break;
      case "unknown-named-character-reference": {
        const reference = /^&\w*;?/.exec(text.slice(text.lastIndexOf("&", start)))?.[0] ?? "";
        reportAt(start, `there is no character ${quoted(reference)}, so it is printed unchanged`, "warning");
      }
    }
  }
  return { isReadable };
}

/** Returns the position of the unclosed tag: the first `<` of a tag after the last complete tag. */
function lastTagStart({ text, tags }: TagErrorInput): number {
  const after = tags.at(-1)?.end ?? 0;
  const offset = text.slice(after).search(/<[/A-Za-z]|<$/);
  return offset < 0 ? after : after + offset;
}

function tagBeginning(text: string, at: number): string {
  const beginning = /^<\/?[^\s>]*/.exec(text.slice(at, at + 60))?.[0] ?? "<";
  return hasMarks(beginning) ? `${textBeforeMarks(beginning)}…` : beginning;
}

/** Attributes in the branches of a tag may exclude each other, and may contain quotes. */
function containsLiquidTags({ source }: TagErrorInput, { start, end }: MarkupTag): boolean {
  return source.slice(start, end).includes("{%");
}

/** Returns whether a tag begins inside this one, which happens if a quote is missing. */
function containsTag(text: string, { start, end }: MarkupTag): boolean {
  return /<\/?[a-z]/i.test(text.slice(start + 1, end));
}

/** Longer names are shown without their beginning. */
const maxNameChars = 100;

function duplicateAttribute(text: string, tag: MarkupTag, at: number): string {
  // The error is at the end of the second attribute's name.
  const name = /([^\s"'<>/=]+)[^\s"'<>/=]*$/.exec(text.slice(Math.max(tag.start, at - maxNameChars), at))?.[1] ?? "";
  return `${quoted(`<${tag.name}>`)} has the attribute ${quoted(name)} twice, and the second one is ignored`;
}
