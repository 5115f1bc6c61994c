// Compares a document with its test case's expectations. Each failure is a sentence with the expected and the actual value.
import { counted, shortened } from "colophon-base/text";
import type { Expectations } from "./read-cases.ts";

type ExpectedText = Expectations["texts"][number];

/** `texts` contains the text of each page of a PDF; empty for an image. */
export type Outcome = { pageCount: number; warnings: string[]; texts: string[] };

/** A position in the document: a page, counted from 1, and an index in its text. */
type Place = { page: number; index: number };

export function failuresOf(expect: Expectations, { pageCount, warnings, texts }: Outcome): string[] {
  const pages = texts.map(readable);
  return [
    ...pageFailures(expect, pageCount),
    ...textFailures(expect.texts, pages),
    ...expect.absentTexts.flatMap((text) => absentTextFailures(text, pages)),
    ...warningFailures(expect.warnings, warnings),
  ];
}

function pageFailures({ pages, pictures }: Expectations, count: number): string[] {
  const { min = 1, max = Infinity } = typeof pages === "number" ? { min: pages, max: pages } : pages;
  const wanted = min === max ? `${min}` : max === Infinity ? `at least ${min}` : `${min} to ${max}`;
  const missing = pictures === true ? [] : pictures.filter((page) => page > count);
  return [
    ...(count < min || count > max ? [`The document has ${counted(count, "page")}, expected ${wanted}.`] : []),
    ...missing.map((page) => `Page ${page} does not exist, but a picture of it is expected.`),
  ];
}

function textFailures(expected: ExpectedText[], pages: string[]): string[] {
  let last: Place & { text: string } = { page: 1, index: 0, text: "" };
  return expected.flatMap(({ text, page }) => {
    const end = endOfText(text, pages, page, last);
    if (end) last = { ...end, text };
    if (end) return [];
    const others = pagesWith(text, pages);
    const where = page === null ? "" : ` on page ${page}`;
    const isBefore = page === null ? others.length > 0 : others.includes(page);
    if (isBefore)
      return [`The text ${quotedText(text)}${where} comes before ${quotedText(last.text)}, but should come after it.`];
    const hint = others.length > 0 ? ` It is on page ${others.join(", ")}.` : "";
    return [`The text ${quotedText(text)} is missing${where}.${hint}`];
  });
}

/** Returns the end of the text that begins at `from` or later, on the given page if there is one; null if it is missing. */
function endOfText(text: string, pages: string[], page: number | null, from: Place): Place | null {
  const pattern = patternOf(text);
  for (let number = from.page; number <= pages.length; number++) {
    pattern.lastIndex = number === from.page ? from.index : 0;
    const isHere = (page ?? number) === number && pattern.test(pages[number - 1] ?? "");
    if (isHere) return { page: number, index: pattern.lastIndex };
  }
  return null;
}

function absentTextFailures({ text, page }: ExpectedText, pages: string[]): string[] {
  if (page !== null && page > pages.length)
    return [`Page ${page}, which must not contain ${quotedText(text)}, does not exist.`];
  const foundOnPages = pagesWith(text, pages).filter((each) => page === null || each === page);
  return foundOnPages.length > 0
    ? [`The text ${quotedText(text)} is on page ${foundOnPages.join(", ")}, expected none.`]
    : [];
}

function pagesWith(text: string, pages: string[]): number[] {
  return pages.flatMap((page, index) => (patternOf(text).test(page) ? [index + 1] : []));
}

const rightToLeft = /[\p{Script=Arab}\p{Script=Hebr}]/u;
const otherForms = /[\ufb00-\ufdff\ufe70-\ufefc\uff01-\uff9f]/g;
/** Hyphenation and direction marks, which are not part of a text. */
const invisible = /[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * Matches the text with any white space in it, and across line ends, where words may be hyphenated. At each position, no two parts of
 * the pattern match the same characters, so the time is at most proportional to the product of both lengths.
 */
function patternOf(text: string): RegExp {
  const wanted = readable(text).trim();
  const isRightToLeft = rightToLeft.test(wanted);
  const words = wanted.split(/\s+/).map((word) => {
    const letters = Array.from(word);
    const escaped = letters.map((letter) => letter.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&"));
    // Between joined letters, pdf.js confuses gaps and spaces.
    if (isRightToLeft) return escaped.join("\\s*");
    const joined = escaped.map((letter, index) => letter + gapBetween(letters[index], letters[index + 1])).join("");
    // Letters that are set far apart have spaces between them.
    return letters.length > 2 ? `(?:${joined}|${escaped.join(" ")})` : joined;
  });
  return new RegExp(words.join("\\s*"), "gu");
}

/**
 * Returns a pattern for what may be between two characters of a word: a line break, with a hyphen between letters, but not in a number.
 */
function gapBetween(before: string | undefined, after: string | undefined): string {
  if (before === undefined || after === undefined || (/\d/.test(before) && /\d/.test(after))) return "";
  return isLetter.test(before) && isLetter.test(after) ? "(?:-?\\n)?" : "\\n?";
}

const isLetter = /[\p{Letter}\p{Mark}]/u;

/** Replaces ligatures, Arabic letter forms, wide letters and hyphens with plain ones. */
function readable(text: string): string {
  const plain = text.normalize("NFC").replace(otherForms, (form) => form.normalize("NFKC"));
  return plain.replace(/[\u2010\u2011]/g, "-").replace(invisible, "");
}

function warningFailures(expected: string[], warnings: string[]): string[] {
  const surplus = warnings.filter((warning) => !expected.some((part) => warning.includes(part)));
  const missing = expected.filter((part) => !warnings.some((warning) => warning.includes(part)));
  return [
    ...surplus.map((warning) => `The document has a warning: ${warning}`),
    ...missing.map((part) => `No warning contains ${quotedText(part)}.`),
  ];
}

function quotedText(text: string): string {
  return `“${shortened(text.trim(), 80)}”`;
}
