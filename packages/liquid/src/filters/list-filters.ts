// Filters that build a list from other lists.
import { costs } from "../costs.ts";
import { LiquidError } from "../errors.ts";
import type { Meter } from "../meter.ts";
import { deepProperty, listItems, reserveItems } from "../values/contents.ts";
import { toHtml, toText } from "../values/text.ts";
import { EmptyValue, isNil, isRecord, Markup, Range, WithProperties } from "../values/value.ts";
import { filter, type Filter, type FilterCall } from "./filter.ts";
import { identityOf } from "./item-filters.ts";

export const listFilters: Record<string, Filter> = {
  array_to_sentence_string: filter([0, 1], (call, input, connector = "and") => {
    const items = listItems(call.meter, input);
    const last = items.at(-1);
    if (items.length < 2) return join(call, items, "");
    const head = join(call, items.slice(0, -1), ", ");
    return join(call, [head, items.length > 2 ? `, ` : " ", connector, " ", last], "");
  }),
  compact: filter([0, 1], ({ meter }, input, key) =>
    filtered(meter, listItems(meter, input), (item) => !isNil(isNil(key) ? item : deepProperty(meter, item, key))),
  ),
  concat: filter([1, 1], ({ meter, name }, input, other) => {
    if (!Array.isArray(other) && !(other instanceof Range)) {
      throw new LiquidError(`the argument of \`${name}\` must be a list`);
    }
    return joined(meter, listItems(meter, input), listItems(meter, other));
  }),
  join: filter([0, 1], (call, input, separator) =>
    join(call, listItems(call.meter, input), call.argumentCount === 0 ? " " : separator),
  ),
  map: filter([1, 1], ({ meter, name }, input, key) => {
    const items = listItems(meter, input);
    reserveItems(meter, items.length);
    return items.map((item) => {
      if (isNil(item)) return undefined;
      if (!isRecord(item) && !(item instanceof WithProperties)) {
        throw new LiquidError(`\`${name}\` needs a list of objects`);
      }
      return deepProperty(meter, item, key);
    });
  }),
  // The list is not flattened.
  push: filter([1, 1], ({ meter }, input, item) => {
    const isEmpty = isNil(input) || input instanceof EmptyValue;
    return joined(meter, Array.isArray(input) ? input : isEmpty ? [] : [input], [item]);
  }),
  reverse: filter([0, 0], ({ meter }, input) => {
    const items = listItems(meter, input);
    reserveItems(meter, items.length);
    return items.toReversed();
  }),
  uniq: filter([0, 1], ({ meter }, input, key) => {
    const seen = new Set<unknown>();
    const longTexts = new Set<string>();
    return filtered(meter, listItems(meter, input), (item) => {
      const identity = identityOf(meter, isNil(key) ? item : deepProperty(meter, item, key), longTexts);
      const { size } = seen;
      return seen.add(identity).size > size;
    });
  }),
};

function joined(meter: Meter, first: readonly unknown[], second: readonly unknown[]): unknown[] {
  reserveItems(meter, first.length + second.length);
  return [...first, ...second];
}

function filtered(meter: Meter, items: readonly unknown[], keeps: (item: unknown) => boolean): unknown[] {
  reserveItems(meter, items.length);
  return items.filter((item) => {
    meter.charge(costs.step);
    return keeps(item);
  });
}

/** Joins the items. If an item or the separator is markup, the result is markup, and all other parts are escaped. */
function join({ meter }: FilterCall, items: readonly unknown[], separator: unknown): unknown {
  const isMarkup = separator instanceof Markup || items.some((item) => item instanceof Markup);
  const text = (value: unknown) => {
    const part = isMarkup ? toHtml(meter, value) : toText(meter, value);
    meter.chargeChars(part.length, costs.joinedChar);
    meter.allocateText(part.length);
    return part;
  };
  const between = text(separator);
  meter.allocateText(between.length * items.length);
  meter.charge(between.length * items.length * costs.joinedChar);
  reserveItems(meter, items.length);
  const joinedText = items.map(text).join(between);
  return isMarkup ? new Markup(joinedText) : joinedText;
}
