// Filters that change, truncate, join or replace text.
import { costs } from "../costs.ts";
import { LiquidError } from "../errors.ts";
import { searchChars } from "../values/compare.ts";
import { charactersIn, unitOffset } from "../values/text.ts";
import { isNil } from "../values/value.ts";
import { filter, type Filter, type FilterCall, textFilter, wholeArgument } from "./filter.ts";

/** Changing the case can replace one character by up to three. */
const caseLength = (_call: FilterCall, text: string) => Math.min(text.length * 3, text.length + 10_000);

const changedCase = { unitsPerCall: costs.casedText, unitsPerChar: costs.casedChar, maxLength: caseLength };
const bothCases = { ...changedCase, unitsPerCall: 2 * costs.casedText };

const upper = (text: string, { scope }: FilterCall) => text.toLocaleUpperCase(scope.language);
const lower = (text: string, { scope }: FilterCall) => text.toLocaleLowerCase(scope.language);

export const textFilters: Record<string, Filter> = {
  append: textFilter((text, [suffix = ""]) => text + suffix, {
    arity: [1, 1],
    unitsPerChar: costs.searchedChar,
    maxLength: (_call, text, [suffix = ""]) => text.length + suffix.length,
  }),
  capitalize: textFilter((text, _, call) => upper(text.slice(0, 1), call) + lower(text.slice(1), call), bothCases),
  downcase: textFilter((text, _, call) => lower(text, call), changedCase),
  lstrip: textFilter((text) => text.trimStart()),
  prepend: textFilter((text, [prefix = ""]) => prefix + text, {
    arity: [1, 1],
    unitsPerChar: costs.searchedChar,
    maxLength: (_call, text, [prefix = ""]) => text.length + prefix.length,
  }),
  remove: replacing([1, 1], (text, searched) => replaceEach(text, searched, "")),
  remove_first: replacing([1, 1], (text, searched) => text.replace(searched, "")),
  remove_last: replacing([1, 1], (text, searched) => replaceLast(text, searched, "")),
  replace: replacing([1, 2], replaceEach),
  // The replacement is given by a function, because `$` has a special meaning in replacement strings.
  replace_first: replacing([1, 2], (text, searched, replacement) => text.replace(searched, () => replacement)),
  replace_last: replacing([2, 2], replaceLast),
  rstrip: textFilter((text) => text.trimEnd()),
  slugify: textFilter((text) => slug(text), { unitsPerChar: 5 * costs.convertedChar }),
  strip: textFilter((text) => text.trim()),
  strip_newlines: textFilter((text) => text.replace(/\r?\n/g, "")),
  truncate: truncating(truncate),
  truncatewords: truncating(truncateWords),
  upcase: textFilter((text, _, call) => upper(text, call), changedCase),
};

/**
 * A filter that replaces occurrences in a string. They are counted first, so that the length of the result is known.
 */
function replacing(
  arity: readonly [number, number],
  replace: (text: string, searched: string, replacement: string) => string,
): Filter {
  return textFilter((text, [searched = "", replacement = ""]) => replace(text, searched, replacement), {
    arity,
    maxLength({ meter }, text, [searched = "", replacement = ""]) {
      // The text is searched twice: for counting and for replacing.
      meter.chargeChars(2 * searchChars(text, searched), costs.searchedChar);
      const count = occurrences(text, searched);
      meter.charge(count * costs.replacedText);
      return text.length + count * Math.max(0, replacement.length - searched.length);
    },
  });
}

function occurrences(text: string, searched: string): number {
  if (searched === "") return text.length + 1;
  let count = 0;
  for (let at = text.indexOf(searched); at >= 0; at = text.indexOf(searched, at + searched.length)) count++;
  return count;
}

/** Splitting and joining takes less memory than JavaScript's `replaceAll`, and `$` has no special meaning. */
function replaceEach(text: string, searched: string, replacement: string): string {
  if (searched !== "") return text.split(searched).join(replacement);
  return text === "" ? replacement : replacement + text.split("").join(replacement) + replacement;
}

function replaceLast(text: string, searched: string, replacement: string): string {
  const at = text.lastIndexOf(searched);
  return at < 0 ? text : text.slice(0, at) + replacement + text.slice(at + searched.length);
}

/**
 * A filter that shortens a string to a number of characters or words. The second argument is appended to the result.
 */
function truncating(shorten: (text: string, length: number, ellipsis: string) => string): Filter {
  return filter([0, 2], (call, input, length, ellipsis) => {
    if (call.argumentCount > 0 && isNil(length)) {
      throw new LiquidError(`the length of \`${call.name}\` must be a whole number`);
    }
    const count = wholeArgument(call, length, "the length", shorten === truncate ? 50 : 15);
    const suffix = call.argumentCount < 2 ? "..." : ellipsis;
    const shortened = textFilter((text, [end = ""]) => shorten(text, count, end), {
      arity: [1, 1],
      unitsPerChar: 4 * costs.convertedChar,
      maxLength: (_call, text, [end = ""]) => text.length + end.length,
    });
    return shortened.apply(call, input, suffix);
  });
}

function truncate(text: string, length: number, ellipsis: string): string {
  if (unitOffset(text, 0, length) === text.length) return text;
  return text.slice(0, unitOffset(text, 0, length - charactersIn(ellipsis))) + ellipsis;
}

function truncateWords(text: string, length: number, ellipsis: string): string {
  const word = /\S+/g;
  let end = 0;
  for (let left = Math.max(1, length); left > 0; left--) {
    if (!word.test(text)) return text;
    end = word.lastIndex;
  }
  return word.test(text) ? text.slice(0, end).trimStart().replace(/\s+/g, " ") + ellipsis : text;
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}
