// The lists that loops and list filters iterate over, and the lists that filters create.
import { costs } from "../costs.ts";
import type { Meter } from "../meter.ts";
import { keysOf } from "./compare.ts";
import { EmptyValue } from "./special.ts";
import { checkDepth } from "./text.ts";
import { isNil, isRecord, Range, WithProperties } from "./value.ts";

/** Returns what a loop iterates over: the items of a list, the numbers of a range, or the pairs of an object. */
export function loopItems(meter: Meter, value: unknown): readonly unknown[] | Range {
  meter.charge(costs.step);
  if (Array.isArray(value) || value instanceof Range) return value;
  if (value instanceof WithProperties) return loopItems(meter, value.value);
  if (typeof value === "string") return value === "" ? [] : [value];
  if (!isRecord(value)) return [];
  const keys = keysOf(meter, value);
  reserveItems(meter, keys.length * 3);
  meter.charge(keys.length * costs.listedKey);
  return keys.map((key) => [key, value[key]]);
}

/**
 * Returns what a list filter works on: the flattened list, or a list that contains only the value. The list may be the
 * value itself, so it must not be changed.
 */
export function listItems(meter: Meter, value: unknown): readonly unknown[] {
  meter.charge(costs.step);
  if (isNil(value) || value instanceof EmptyValue) return [];
  if (value instanceof Range) return rangeItems(meter, value);
  if (!Array.isArray(value)) return [value];
  meter.charge(value.length);
  return value.some(Array.isArray) ? flatItems(meter, value) : value;
}

export function rangeItems(meter: Meter, range: Range): number[] {
  reserveItems(meter, range.length);
  const items: number[] = [];
  for (let index = 0; index < range.length; index++) items.push(range.from + index);
  return items;
}

/** Accounts for a new list of this length: the work of filling it, and its memory. */
export function reserveItems(meter: Meter, length: number): void {
  meter.allocateItems(length);
  meter.charge(length * costs.movedItem);
}

function flatItems(meter: Meter, list: readonly unknown[]): unknown[] {
  const flat: unknown[] = [];
  const collect = (items: readonly unknown[], depth: number): void => {
    checkDepth(depth);
    reserveItems(meter, items.length);
    for (const item of items) {
      if (Array.isArray(item)) collect(item, depth + 1);
      else flat.push(item);
    }
  };
  collect(list, 0);
  return flat;
}
