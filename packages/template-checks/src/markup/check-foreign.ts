// Finds code, placeholders, elements and attributes of other template engines and PDF generators, which would be printed or ignored.
import { quoted, shortened } from "colophon-base/text";
import { adviceOf, byWord, type ForeignWord } from "colophon-liquid/foreign-words";
import { hasMarks } from "colophon-liquid/marks";
import type { Report } from "../findings.ts";
import * as foreign from "./foreign-markup.ts";
import { withoutRaw } from "./foreign-tags.ts";
import type { Markup, MarkupTag } from "./read-markup.ts";

/** Code in the text of these elements is assumed to be an example. */
const examples = new Set(["pre", "code", "samp", "kbd"]);
/** Every pattern for text contains one of these, so that most texts need only one look. */
const anySign = /[@#$%][\w({!%]|\{[\w\s#$*!:@]|\[[\w\s[(#]|«|\*\|/;
const wordless = new Set(["style", "script"]);

/**
 * Reports foreign code as mistakes, and everything else as warnings. `names` are the names that Liquid can read. Returns whether there is
 * code, so that elements may begin and end in its branches.
 */
export function checkForeign(source: string, markup: Markup, names: ReadonlySet<string>, reportAt: Report): boolean {
  const text = withoutRaw(markup.text, markup.raw);
  let hasCode = false;
  const report = (row: ForeignWord, start: number, written: string, isCode: boolean) => {
    const shown = quoted(shortened(written.replace(/\s+/g, " ")));
    const reason = isCode ? `is code of ${enginesOf(row)}, which documents do not run` : "would be printed unchanged";
    reportAt(start, `${shown} ${reason}; ${adviceOf(row, written)}`, isCode ? "error" : "warning", row.foreign);
    hasCode ||= isCode;
  };
  for (const { row, start, end, isComment } of markup.foreign) {
    if (!isComment) report(row, start, source.slice(start, end), true);
    else reportAt(start, `${enginesOf(row)} code in a comment has no effect; ${row.advice}`, "warning");
  }
  /** Returns whether a row was found. */
  const search = (
    rows: readonly Searched[],
    { start, end }: { start: number; end: number },
    isCode: boolean,
    isMeant = (_name: string) => true,
  ) => {
    let isFound = false;
    const part = text.slice(start, end);
    for (const { row, pattern } of rows) {
      for (const { index, 0: written, 1: name = "" } of part.matchAll(pattern)) {
        if (!isMeant(name)) continue;
        report(row, start + index, written, isCode);
        isFound = true;
      }
    }
    return isFound;
  };
  let depth = 0;
  for (const [index, piece] of markup.pieces.entries()) {
    if (piece.kind !== "text" && examples.has(piece.name))
      depth = Math.max(0, depth + (piece.kind === "start" ? 1 : -1));
    const before = markup.pieces[index - 1];
    const isSkipped = depth > 0 || (before?.kind === "start" && wordless.has(before.name));
    if (isSkipped || !anySign.test(text.slice(piece.start, piece.end))) continue;
    const isCode = search(code, piece, true);
    if (piece.kind === "text" && !isCode && !search(placeholders, piece, false))
      search(known, piece, false, (name) => names.has(name));
  }
  return hasCode;
}

type Searched = { row: ForeignWord; pattern: RegExp };

function searched(rows: readonly ForeignWord[]): Searched[] {
  return rows.map((row) => ({ row, pattern: new RegExp(row.pattern ?? "$^", "g") }));
}

const code = searched(foreign.foreignTextCode);
const placeholders = searched(foreign.foreignPlaceholders);
const known = searched(foreign.foreignKnownNames);

const findElement = finder(foreign.foreignElements);
const findAttribute = finder(foreign.foreignAttributes);

/** Returns a message about an element of a different program; otherwise null. */
export function foreignElement({ name, isForeign }: MarkupTag): string | null {
  const row = isForeign ? undefined : findElement(name);
  return row ? `${quoted(`<${name}>`)} belongs to ${enginesOf(row)}; ${row.advice}` : null;
}

/** A piece of code between attributes, as in `@if ($a) class="a" @endif`. */
const partOfCode = /^@(?:end)?(?:if|else|for|unless|isset|empty|switch|case)|^\((?![\w.-]+\)$)|^\[[^\]]*$/;

/** Returns a message about an attribute of a different program; otherwise null. */
export function foreignAttribute(name: string): string | null {
  const row = hasMarks(name) || partOfCode.test(name) ? undefined : findAttribute(name);
  return row ? `${quoted(name)} has no effect; ${row.advice}` : null;
}

function enginesOf({ engines }: ForeignWord): string {
  return engines.replaceAll(" ", ", ").replace(/, (\w+)$/, " or $1");
}

/** Returns a function that finds the row of a name: the row with the name, or else with its longest beginning. */
function finder(rows: readonly ForeignWord[]): (name: string) => ForeignWord | undefined {
  const words = byWord(rows);
  const beginnings = [...words]
    .filter(([word]) => word.endsWith("*"))
    .map(([word, row]) => [word.slice(0, -1), row] as const);
  beginnings.sort(([a], [b]) => b.length - a.length);
  const startsWith = (name: string) =>
    beginnings.find(([begin]) => name.length > begin.length && name.startsWith(begin));
  // The beginnings contain a sign.
  return (name) => words.get(name) ?? (/\W/.test(name) ? startsWith(name)?.[1] : undefined);
}
