// Filters that change, cut, join or replace text.
import { costs } from "../costs.ts";
import { LiquidError } from "../liquid-error.ts";
import { maxTextChars } from "../meter.ts";
import { searchChars } from "../values/compare.ts";
import { isNil } from "../values/value.ts";
import { textFilter, wholeArgument, type Filter, type FilterCall } from "./filter.ts";

/** Changing the case can turn one character into up to three. */
const maxCaseGrowth = 3;
const caseLength = (_call: FilterCall, text: string) => Math.min(text.length * maxCaseGrowth, text.length + 10_000);

export const textFilters: Record<string, Filter> = {
  append: textFilter((text, [suffix = ""]) => text + suffix, {
    arity: [1, 1],
    unitsPerChar: costs.copiedChar,
    maxLength: (_call, text, [suffix = ""]) => text.length + suffix.length,
  }),
  capitalize: textFilter((text) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase(), {
    maxLength: caseLength,
  }),
  downcase: textFilter((text) => text.toLowerCase(), { maxLength: caseLength }),
  lstrip: textFilter((text) => text.trimStart()),
  normalize_whitespace: textFilter((text) => text.replace(/\s+/g, " ")),
  prepend: textFilter((text, [prefix = ""]) => prefix + text, {
    arity: [1, 1],
    unitsPerChar: costs.copiedChar,
    maxLength: (_call, text, [prefix = ""]) => text.length + prefix.length,
  }),
  remove: replacing([1, 1], (text, searched) => text.replaceAll(searched, "")),
  remove_first: replacing([1, 1], (text, searched) => text.replace(searched, "")),
  remove_last: replacing([1, 1], (text, searched) => replaceLast(text, searched, "")),
  replace: replacing([1, 2], (text, searched, replacement) => text.replaceAll(searched, literal(replacement))),
  replace_first: replacing([1, 2], (text, searched, replacement) => text.replace(searched, literal(replacement))),
  replace_last: replacing([2, 2], replaceLast),
  rstrip: textFilter((text) => text.trimEnd()),
  slugify: textFilter((text) => slug(text)),
  strip: textFilter((text) => text.trim()),
  strip_newlines: textFilter((text) => text.replaceAll("\r\n", "").replaceAll("\n", "")),
  truncate: truncating(truncate),
  truncatewords: truncating(truncateWords),
  upcase: textFilter((text) => text.toUpperCase(), { maxLength: caseLength }),
};

/**
 * A filter that replaces parts of a string. The occurrences are counted first, so that the length of the result is
 * known.
 */
function replacing(
  arity: readonly [number, number],
  replace: (text: string, searched: string, replacement: string) => string,
): Filter {
  return textFilter((text, [searched = "", replacement = ""]) => replace(text, searched, replacement), {
    arity,
    maxLength({ meter }, text, [searched = "", replacement = ""]) {
      meter.chargeChars(searchChars(text, searched), costs.searchedChar);
      const count = occurrences(text, searched);
      meter.charge(count * (searched === "" ? costs.step : costs.convertedChar));
      return text.length + count * Math.max(0, replacement.length - searched.length);
    },
  });
}

/** Escapes every `$` in the replacement, because `$` has a special meaning in JavaScript's replacements. */
function literal(replacement: string): string {
  return replacement.replaceAll("$", "$$$$");
}

function occurrences(text: string, searched: string): number {
  if (searched === "") return text.length + 1;
  let count = 0;
  for (let at = text.indexOf(searched); at >= 0; at = text.indexOf(searched, at + searched.length)) count++;
  return count;
}

function replaceLast(text: string, searched: string, replacement: string): string {
  const at = text.lastIndexOf(searched);
  return at < 0 ? text : text.slice(0, at) + replacement + text.slice(at + searched.length);
}

/**
 * A filter that shortens a string to a number of characters or words. The second argument is appended to the shortened
 * string.
 */
function truncating(shorten: (text: string, length: number, ellipsis: string) => string): Filter {
  return {
    arity: [0, 2],
    apply(call, input, length, ellipsis) {
      if (call.argumentCount > 0 && isNil(length)) {
        throw new LiquidError(`the length of \`${call.name}\` must be a whole number`);
      }
      const count = wholeArgument(call, length, "the length", shorten === truncate ? 50 : 15);
      const suffix = call.argumentCount < 2 ? "..." : ellipsis;
      const shortened = textFilter((text, [end = ""]) => shorten(text, count, end), {
        arity: [1, 1],
        maxLength: (_call, text, [end = ""]) => text.length + end.length,
      });
      return shortened.apply(call, input, suffix);
    },
  };
}

function truncate(text: string, length: number, ellipsis: string): string {
  // A character has at most two code units, so this prefix is long enough to tell whether the text is too long.
  const characters = Array.from(text.slice(0, Math.max(0, Math.min(length, maxTextChars)) * 2 + 2));
  if (characters.length <= length) return text;
  return characters.slice(0, Math.max(0, length - Array.from(ellipsis).length)).join("") + ellipsis;
}

function truncateWords(text: string, length: number, ellipsis: string): string {
  const count = Math.max(1, length);
  const words: string[] = [];
  for (const [word] of text.matchAll(/\S+/g)) {
    if (words.length === count) return words.join(" ") + ellipsis;
    words.push(word);
  }
  return text;
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}
