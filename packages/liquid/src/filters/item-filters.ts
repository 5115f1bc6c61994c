// Filters that select, sort and group the items of a list.
import { costs } from "../costs.ts";
import { LiquidError } from "../errors.ts";
import type { Meter } from "../meter.ts";
import { isEqual, order, orderTexts, searchChars } from "../values/compare.ts";
import { deepProperty, listItems, reserveItems } from "../values/contents.ts";
import { decimalIdentity, ExactDecimal } from "../values/exact-decimal.ts";
import { isNumber } from "../values/numbers.ts";
import { toText } from "../values/text.ts";
import { isNil, isRecord, isTruthy, Markup, WithProperties } from "../values/value.ts";
import { filter, type Filter, type FilterCall } from "./filter.ts";
import { formatterOf } from "./format-filters.ts";

export const itemFilters: Record<string, Filter> = {
  find: query((items, matches) => items.find(matches)),
  find_index: query((items, matches) => {
    const index = items.findIndex(matches);
    return index < 0 ? undefined : index;
  }),
  has: query((items, matches) => items.some(matches), false),
  reject: query((items, matches) => items.filter((item) => !matches(item)), []),
  where: query((items, matches) => items.filter(matches), []),
  /** Returns a list of `{ name, items, size }`, in the order in which the names first occur. */
  group_by: filter([1, 1], ({ meter }, input, key) => {
    const items = listItems(meter, input);
    reserveItems(meter, items.length * 5);
    const longTexts = new Set<string>();
    const groups = Map.groupBy(items, (item) => identityOf(meter, deepProperty(meter, item, key), longTexts));
    return [...groups].map(([identity, members]) => {
      const name = deepProperty(meter, members[0], key);
      return { name: isNumber(name) ? name : identified(identity), items: members, size: members.length };
    });
  }),
  sort: filter([0, 1], (call, input, key) => {
    const items = listItems(call.meter, input);
    return sorted(call.meter, items, sortKeys(call, items, key), (a, b) => order(call.meter, a, b));
  }),
  sort_natural: filter([0, 1], (call, input, key) => {
    const { meter, scope } = call;
    const options = { sensitivity: "accent", ignorePunctuation: false } as const;
    const collator = formatterOf(call, "collator", () => new Intl.Collator(scope.locale, options));
    const items = listItems(meter, input);
    const keys = sortKeys(call, items, key).map((value) => (isNil(value) ? null : collatedText(meter, value)));
    return sorted(meter, items, keys, (a, b) => orderCollated(meter, collator, a, b));
  }),
};

type Matches = (item: unknown) => boolean;

/** A filter `name: property` or `name: property, value`. `otherwise` is its result for an empty list. */
function query(select: (items: readonly unknown[], matches: Matches) => unknown, otherwise?: unknown): Filter {
  return filter([1, 2], (call, input, key, value) => {
    const items = listItems(call.meter, input);
    if (items.length === 0) return otherwise;
    reserveItems(call.meter, items.length);
    // As in Liquid, the result is nil if an item cannot have properties.
    if (items.some((item) => isNil(item) || typeof item === "boolean")) return undefined;
    return select(items, (item) => {
      call.meter.charge(costs.step);
      const actual = propertyOf(call, item, key);
      return isNil(value) ? isTruthy(actual) : isEqual(call.meter, actual, value);
    });
  });
}

/** Returns a property of an object. If the item is a string that contains the key, returns the key. */
function propertyOf({ meter, name }: FilterCall, item: unknown, key: unknown): unknown {
  if (isRecord(item) || item instanceof WithProperties) return deepProperty(meter, item, key);
  if ((typeof item === "string" || item instanceof Markup) && !isNumber(key)) {
    const text = toText(meter, item);
    const searched = toText(meter, key);
    meter.chargeChars(searchChars(text, searched), costs.searchedChar);
    return text.includes(searched) ? searched : undefined;
  }
  if (isNumber(item) && isNumber(key)) return true;
  throw new LiquidError(`\`${name}\` needs a list of objects`);
}

/** Returns the values by which the items are sorted: a property of each item, or the items themselves. */
function sortKeys({ meter }: FilterCall, items: readonly unknown[], key: unknown): readonly unknown[] {
  reserveItems(meter, items.length);
  return isNil(key) ? items : items.map((item) => deepProperty(meter, item, key));
}

/** Sorts the items by their keys; `nil` comes last. Equal items keep their order. */
function sorted<K>(
  meter: Meter,
  items: readonly unknown[],
  keys: readonly (K | null | undefined)[],
  compare: (left: K, right: K) => number,
): unknown[] {
  reserveItems(meter, items.length);
  meter.charge(items.length * Math.ceil(Math.log2(items.length + 1)) * costs.step);
  const keyed = items.map((item, index) => ({ item, by: keys[index] }));
  keyed.sort((left, right) => {
    if (isNil(left.by) || isNil(right.by)) return Number(isNil(left.by)) - Number(isNil(right.by));
    return compare(left.by, right.by);
  });
  return keyed.map(({ item }) => item);
}

/**
 * A string's beginning, which is compared by the rules of a language, and its rest, which is compared by code units. A run
 * of combining marks takes time in proportion to the square of its length, so the beginning has a maximum length.
 */
type CollatedText = { start: string; rest: string; unitsPerChar: number };

const maxCollatedChars = 200;

function collatedText(meter: Meter, value: unknown): CollatedText {
  const text = toText(meter, value);
  meter.chargeChars(Math.min(text.length, maxCollatedChars), 2 * costs.convertedChar);
  meter.allocateItems(1);
  const start = text.slice(0, maxCollatedChars);
  const isAscii = /^[\0-\x7f]*$/.test(start);
  const otherUnits = /\p{M}{3}/u.test(start) ? costs.collatedMark : costs.collatedChar;
  return { start, rest: text.slice(maxCollatedChars), unitsPerChar: isAscii ? costs.collatedAscii : otherUnits };
}

function orderCollated(meter: Meter, { compare }: Intl.Collator, left: CollatedText, right: CollatedText): number {
  const chars = Math.min(left.start.length, right.start.length);
  meter.chargeChars(chars, Math.max(left.unitsPerChar, right.unitsPerChar));
  return compare(left.start, right.start) || orderTexts(meter, left.rest, right.rest);
}

/**
 * Returns the same key for equal values. A list or an object is identified by its string form. `longTexts` are the list's long strings so
 * far.
 */
export function identityOf(meter: Meter, value: unknown, longTexts: Set<string>): unknown {
  meter.charge(costs.listedKey);
  if (isNil(value)) return null;
  if (typeof value === "boolean") return value;
  // It is easy to compute many numbers with the same hash in V8, and also strings of ten digits. A leading `#` prevents such
  // collisions.
  if (typeof value === "number") return `#${value}`;
  if (value instanceof ExactDecimal) {
    meter.charge(value.chars * costs.decimalDigit);
    return `#${decimalIdentity(value)}`;
  }
  const text = toText(meter, value);
  meter.chargeChars(text.length, 4 * costs.searchedChar);
  if (text.length > maxHashedChars) {
    meter.charge(longTexts.size * text.length * costs.searchedChar);
    longTexts.add(text);
  }
  return /^[#\d]/.test(text) ? `##${text}` : text;
}

/** V8 hashes longer strings only by their length, so each would be compared with all others of the same length. */
const maxHashedChars = 16_383;

/** Returns the value for a key that does not represent a number; for a list or an object, returns its text. */
function identified(key: unknown): unknown {
  return typeof key === "string" && key.startsWith("##") ? key.slice(2) : key;
}
