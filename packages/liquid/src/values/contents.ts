// Reads the contents of values: their properties, and the items that loops and list filters iterate over. Only own properties of data can
// be read, never properties that JavaScript adds.
import { costs } from "../costs.ts";
import type { Meter } from "../meter.ts";
import { checkedName, keysOf } from "./compare.ts";
import { isNumber, plainNumber } from "./numbers.ts";
import { checkDepth, characterCount } from "./text.ts";
import { EmptyValue, isNil, isRecord, Markup, Range, WithProperties } from "./value.ts";

/** Returns the property, or `undefined` if the value does not have it. */
export function property(meter: Meter, value: unknown, key: unknown): unknown {
  meter.charge(costs.step);
  if (isNil(value) || isNil(key)) return undefined;
  if (value instanceof WithProperties) {
    const name = keyText(meter, key);
    const isOwn = name !== null && Object.hasOwn(value.properties, name);
    return isOwn ? value.properties[name] : property(meter, value.value, key);
  }
  if (isRecord(value)) return recordProperty(meter, value, keyText(meter, key));
  if (Array.isArray(value) || value instanceof Range) return listProperty(value, key);
  const text = value instanceof Markup ? value.html : value;
  return typeof text === "string" ? textProperty(meter, text, key) : undefined;
}

/** Like `property`, but a key such as `seller.name` reads a nested property. */
export function deepProperty(meter: Meter, value: unknown, key: unknown): unknown {
  const direct = property(meter, value, key);
  if (direct !== undefined || typeof key !== "string" || !key.includes(".")) return direct;
  meter.chargeChars(key.length, costs.convertedChar);
  return key.split(".").reduce((inner, name) => property(meter, inner, name), value);
}

/** Returns null for lists and objects, which are never keys. */
function keyText(meter: Meter, key: unknown): string | null {
  const plain = key instanceof Markup ? key.html : isNumber(key) ? plainNumber(key) : key;
  return typeof plain === "object" ? null : checkedName(meter, String(plain));
}

function recordProperty(meter: Meter, record: Record<string, unknown>, key: string | null): unknown {
  if (key === null) return undefined;
  if (Object.hasOwn(record, key)) return record[key];
  if (key === "size") return keysOf(meter, record).length;
  const first = key === "first" ? keysOf(meter, record)[0] : undefined;
  return first === undefined ? undefined : [first, record[first]];
}

function listProperty(list: unknown[] | Range, key: unknown): unknown {
  if (isNumber(key)) {
    const index = Math.trunc(plainNumber(key));
    return itemAt(list, index < 0 ? list.length + index : index);
  }
  if (key === "size") return list.length;
  if (key === "first") return itemAt(list, 0);
  return key === "last" ? itemAt(list, list.length - 1) : undefined;
}

export function itemAt(list: readonly unknown[] | Range, index: number): unknown {
  if (index < 0 || index >= list.length) return undefined;
  return list instanceof Range ? list.from + index : list[index];
}

function textProperty(meter: Meter, text: string, key: unknown): unknown {
  if (key === "size") return characterCount(meter, text);
  if (key === "first") return text === "" ? "" : String.fromCodePoint(text.codePointAt(0) ?? 0);
  return key === "last" ? lastCharacter(text) : undefined;
}

function lastCharacter(text: string): string {
  const pair = text.slice(-2);
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(pair) ? pair : text.slice(-1);
}

/** Returns the items of a loop: the items of a list, the numbers of a range, or the pairs of an object. */
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
 * Returns the input of a list filter: the flattened list, or a list that contains only the value. The result may be the value itself, so
 * it must not be changed.
 */
export function listItems(meter: Meter, value: unknown): readonly unknown[] {
  meter.charge(costs.step);
  if (isNil(value) || value instanceof EmptyValue) return [];
  if (value instanceof Range) {
    reserveItems(meter, value.length);
    return Array.from({ length: value.length }, (_, index) => value.from + index);
  }
  if (!Array.isArray(value)) return [value];
  meter.charge(value.length);
  return value.some(Array.isArray) ? flatItems(meter, value) : value;
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
