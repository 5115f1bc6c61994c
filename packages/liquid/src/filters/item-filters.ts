// Filters that select, sort and group the items of a list.
import { costs } from "../costs.ts";
import { LiquidError } from "../liquid-error.ts";
import type { Meter } from "../meter.ts";
import { isEqual, order, orderTexts, searchChars } from "../values/compare.ts";
import { listItems, reserveItems } from "../values/list.ts";
import { deepProperty } from "../values/lookup.ts";
import { isNumber } from "../values/numbers.ts";
import { toText } from "../values/text.ts";
import { isNil, isRecord, isTruthy, Markup, WithProperties } from "../values/value.ts";
import type { Filter, FilterCall } from "./filter.ts";

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
  group_by: {
    arity: [1, 1],
    apply({ meter }, input, key) {
      const items = listItems(meter, input);
      reserveItems(meter, items.length * 5);
      const longTexts = new Set<string>();
      const groups = Map.groupBy(items, (item) => identityOf(meter, deepProperty(meter, item, key), longTexts));
      return [...groups].map(([name, members]) => ({ name: identified(name), items: members, size: members.length }));
    },
  },
  sort: {
    arity: [0, 1],
    apply: ({ meter }, input, key) => sorted(meter, input, key, (a, b) => order(meter, a, b)),
  },
  sort_natural: {
    arity: [0, 1],
    apply: ({ meter }, input, key) =>
      sorted(meter, input, key, (a, b) => orderTexts(meter, foldedText(meter, a), foldedText(meter, b))),
  },
};

type Matches = (item: unknown) => boolean;

/** A filter `name: property` or `name: property, value`. `otherwise` is its result for an empty list. */
function query(select: (items: readonly unknown[], matches: Matches) => unknown, otherwise?: unknown): Filter {
  return {
    arity: [1, 2],
    apply(call, input, key, value) {
      const items = listItems(call.meter, input);
      if (items.length === 0) return otherwise;
      reserveItems(call.meter, items.length);
      // As in Liquid, the result is nil when an item has no properties at all.
      if (items.some((item) => isNil(item) || typeof item === "boolean")) return undefined;
      return select(items, (item) => {
        call.meter.charge(costs.step);
        const found = propertyOf(call, item, key);
        return isNil(value) ? isTruthy(found) : isEqual(call.meter, found, value);
      });
    },
  };
}

/** Returns a property of an object. If the item is a string, returns the key if the string contains it. */
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

/** Sorts by the items or by one of their properties; `nil` comes last. Equal items keep their order. */
function sorted(
  meter: Meter,
  input: unknown,
  key: unknown,
  compare: (left: unknown, right: unknown) => number,
): unknown[] {
  const items = listItems(meter, input);
  reserveItems(meter, items.length * 2);
  meter.charge(items.length * Math.ceil(Math.log2(items.length + 1)) * costs.step);
  const keyed = items.map((item) => ({ item, by: isNil(key) ? item : deepProperty(meter, item, key) }));
  keyed.sort((left, right) => {
    if (isNil(left.by) || isNil(right.by)) return Number(isNil(left.by)) - Number(isNil(right.by));
    return compare(left.by, right.by);
  });
  return keyed.map(({ item }) => item);
}

function foldedText(meter: Meter, value: unknown): string {
  const text = toText(meter, value);
  meter.chargeChars(text.length, costs.casedChar);
  return text.toLowerCase();
}

/** Maps equal values to the same key. A list or an object is equal to its text. `longTexts` are those of the same list so far. */
export function identityOf(meter: Meter, value: unknown, longTexts: Set<string>): unknown {
  meter.charge(costs.listedKey);
  if (isNil(value)) return null;
  if (typeof value === "boolean") return value;
  // Anyone can compute many numbers for which V8 has the same hash, and texts of ten digits too: `#` before them prevents that.
  if (typeof value === "number") return `#${value}`;
  const text = toText(meter, value);
  meter.chargeChars(text.length, 4 * costs.searchedChar);
  if (text.length > maxHashedChars) {
    meter.charge(longTexts.size * text.length * costs.searchedChar);
    longTexts.add(text);
  }
  return /^[#\d]/.test(text) ? `##${text}` : text;
}

/** V8 hashes longer texts by their length alone, so it compares each of them with all others of its length. */
const maxHashedChars = 16_383;

/** Returns the value that has this key, of a list or an object its text. */
function identified(key: unknown): unknown {
  if (typeof key !== "string" || !key.startsWith("#")) return key;
  return key.startsWith("##") ? key.slice(2) : Number(key.slice(1));
}
