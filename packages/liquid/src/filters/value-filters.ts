// Filters for values of several types.
import { costs } from "../costs.ts";
import { maxListItems } from "../meter.ts";
import { checkedName, isEqual, keysOf, searchChars } from "../values/compare.ts";
import { property, reserveItems } from "../values/contents.ts";
import { detached, toText, characterCount, unitOffset } from "../values/text.ts";
import { EmptyValue, isNil, isRecord, Markup, WithProperties } from "../values/value.ts";
import { filter, type Filter, type FilterCall, wholeArgument } from "./filter.ts";

const empty = new EmptyValue("empty");

export const valueFilters: Record<string, Filter> = {
  /** `{{ 'logo.svg' | asset }}` inlines a file from the template's `assets/`. */
  asset: filter([0, 0], ({ meter, scope }, input) => {
    meter.charge(costs.formatted);
    return scope.assetReference(checkedName(meter, toText(meter, input)));
  }),
  default: {
    arity: [0, 1],
    options: ["allow_false"],
    apply({ meter, options }, input, otherwise) {
      if (input === false) return options["allow_false"] === true ? false : otherwise;
      return isNil(input) || input instanceof EmptyValue || isEqual(meter, input, empty) ? otherwise : input;
    },
  },
  first: filter([0, 0], ({ meter }, input) => property(meter, input, "first")),
  last: filter([0, 0], ({ meter }, input) => (isRecord(input) ? undefined : property(meter, input, "last"))),
  size: filter([0, 0], (call, input) => sizeOf(call, input)),
  slice: filter([1, 2], (call, input, start, length) => slice(call, input, start, length)),
  split: filter([1, 1], (call, input, separator) => split(call, input, separator)),
};

/** Returns the number of keys of an object, even if it has a key `size`. */
function sizeOf({ meter }: FilterCall, input: unknown): unknown {
  const value = input instanceof WithProperties ? input.value : input;
  return isRecord(value) ? keysOf(meter, value).length : (property(meter, value, "size") ?? 0);
}

function slice(call: FilterCall, input: unknown, start: unknown, length: unknown): unknown {
  const { meter } = call;
  const from = wholeArgument(call, isNil(start) ? "" : start, "the start", 0);
  const count = wholeArgument(call, length, "the length", 1);
  const whole = Array.isArray(input) ? input : toText(meter, input);
  const size = Array.isArray(whole) ? whole.length : characterCount(meter, whole);
  const begin = from < 0 ? from + size : from;
  if (begin < 0 || begin > size || count < 0) return Array.isArray(whole) ? [] : "";
  const end = Math.min(size, begin + count);
  if (Array.isArray(whole)) {
    reserveItems(meter, end - begin);
    return whole.slice(begin, end);
  }
  meter.chargeChars(whole.length, costs.convertedChar);
  const offset = unitOffset(whole, 0, begin);
  const cut = whole.slice(offset, unitOffset(whole, offset, end - begin));
  meter.allocateText(cut.length);
  const part = detached(cut, whole);
  return input instanceof Markup ? new Markup(part) : part;
}

/** Splits a string at the separators, and drops empty strings at the end. */
function split({ meter }: FilterCall, input: unknown, separator: unknown): unknown[] {
  const text = toText(meter, input);
  const between = toText(meter, separator);
  meter.chargeChars(text.length + between.length, costs.convertedChar);
  meter.chargeChars(searchChars(text, between), costs.searchedChar);
  if (text === "") return [];
  if (between === "") meter.allocateItems(text.length);
  const parts = between === "" ? Array.from(text) : between === " " ? words(text) : text.split(between, maxParts);
  // The number of parts is known only after splitting, so they are charged afterwards. `maxParts` bounds them.
  reserveItems(meter, parts.length);
  meter.charge(parts.length * costs.splitPart);
  meter.allocateText(text.length);
  while (parts.at(-1) === "") parts.pop();
  const detachedParts = parts.map((part) => detached(part, text));
  return input instanceof Markup ? detachedParts.map((part) => new Markup(part)) : detachedParts;
}

/** One part more than a list may have, so that too many parts are detected. */
const maxParts = maxListItems + 1;

/** Splits a string at any white space, as Liquid does for a single space as separator. */
function words(text: string): string[] {
  const trimmed = text.trim();
  return trimmed === "" ? [] : trimmed.split(/\s+/, maxParts);
}
