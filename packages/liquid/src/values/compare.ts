// Compares values: equality, order and `contains`. Characters and items are charged before they are compared.
import { costs } from "../costs.ts";
import { LiquidError } from "../errors.ts";
import type { Meter } from "../meter.ts";
import { ExactDecimal, orderDecimals } from "./exact-decimal.ts";
import { exactDecimal, isNumber, type LiquidNumber, plainNumber } from "./numbers.ts";
import { checkDepth, toText } from "./text.ts";
import { EmptyValue, isNil, isRecord, Markup, Range, WithProperties } from "./value.ts";

export function isEqual(meter: Meter, left: unknown, right: unknown, depth = 0): boolean {
  meter.charge(costs.step);
  checkDepth(depth);
  if (right instanceof EmptyValue) return isLike(meter, left, right);
  if (left instanceof EmptyValue) return isLike(meter, right, left);
  const a = unwrapped(left);
  const b = unwrapped(right);
  if (typeof a === "string" && typeof b === "string") {
    if (a.length === b.length) meter.chargeChars(a.length, 2 * costs.searchedChar);
    return a === b;
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isEqual(meter, item, b[index], depth + 1));
  }
  if (a instanceof Range && b instanceof Range) return a.from === b.from && a.to === b.to;
  if (isRecord(a) && isRecord(b)) {
    if (a === b) return true;
    const keys = keysOf(meter, a);
    if (keys.length !== keysOf(meter, b).length) return false;
    return keys.every((key) => Object.hasOwn(b, key) && isEqual(meter, a[key], b[key], depth + 1));
  }
  if (isNumber(a) && isNumber(b)) return orderNumbers(meter, a, b) === 0;
  return a === b || (isNil(a) && isNil(b));
}

/** Returns a negative number, 0 or a positive number if `left` is less than, equal to or greater than `right`. */
export function order(meter: Meter, left: unknown, right: unknown): number {
  const a = unwrapped(left);
  const b = unwrapped(right);
  if (isNumber(a) && isNumber(b)) return orderNumbers(meter, a, b);
  if (typeof a === "string" && typeof b === "string") return orderTexts(meter, a, b);
  throw new LiquidError(`${describe(a)} cannot be compared with ${describe(b)}`);
}

/** The order of two numbers; exact decimals are compared with the digits that a number prints. */
export function orderNumbers(meter: Meter, left: LiquidNumber, right: LiquidNumber): number {
  if (!(left instanceof ExactDecimal || right instanceof ExactDecimal)) return plainNumber(left) - plainNumber(right);
  const [a, b] = [exactDecimal(left), exactDecimal(right)];
  meter.charge(costs.number + (a.chars + b.chars) * costs.decimalDigit);
  return orderDecimals(a, b);
}

export function orderTexts(meter: Meter, left: string, right: string): number {
  meter.chargeChars(Math.min(left.length, right.length), 2 * costs.searchedChar);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Returns whether a comparison such as `left < right` is true. Nothing is less or greater than `nil`, `true` or `empty`. */
export function isOrdered(meter: Meter, left: unknown, right: unknown, holds: (order: number) => boolean): boolean {
  meter.charge(costs.step);
  const isComparable = (value: unknown) =>
    !isNil(value) && typeof value !== "boolean" && !(value instanceof EmptyValue);
  return isComparable(left) && isComparable(right) && holds(order(meter, left, right));
}

/** Returns whether a string contains a string, a list contains an item, or an object has a key. */
export function contains(meter: Meter, container: unknown, item: unknown): boolean {
  meter.charge(costs.step);
  const whole = unwrapped(container);
  if (isNil(item) || item === false) return false;
  if (Array.isArray(whole)) return whole.some((each) => isEqual(meter, each, item));
  if (typeof whole === "string") {
    const text = toText(meter, item);
    meter.chargeChars(searchChars(whole, text), costs.searchedChar);
    return whole.includes(text);
  }
  const searched = isNumber(item) ? plainNumber(item) : unwrapped(item);
  if (whole instanceof Range) {
    return Number.isInteger(searched) && Number(searched) >= whole.from && Number(searched) <= whole.to;
  }
  return isRecord(whole) && typeof searched === "string" && Object.hasOwn(whole, checkedName(meter, searched));
}

const maxNameChars = 1_000;

/**
 * Charges a name that the template computed, before it is looked up. Long names are refused, because V8 hashes strings over 16,383
 * characters only by their length, so each look-up would compare the name with all others of the same length.
 */
export function checkedName(meter: Meter, name: string): string {
  if (name.length > maxNameChars) throw new LiquidError(`a name exceeds ${maxNameChars} characters`);
  meter.chargeChars(name.length, 4 * costs.searchedChar);
  return name;
}

/**
 * Returns the maximum number of characters that a search compares. At each position, it may compare the searched string
 * up to its last character. Moving to the next position takes as long as 16 comparisons.
 */
export function searchChars(text: string, searched: string): number {
  const positions = Math.max(0, text.length - searched.length + 1);
  return 16 * text.length + positions * searched.length;
}

/** Returns the keys of an object. They are listed only once per render, because objects come from the data and never change. */
export function keysOf(meter: Meter, record: Record<string, unknown>): readonly string[] {
  meter.charge(costs.step);
  const listedKeys = meter.listedKeys.get(record);
  if (listedKeys) return listedKeys;
  // The number of keys is known only after listing them, so they are charged afterwards.
  const keys = Object.keys(record);
  meter.listedKeys.set(record, keys);
  meter.charge(keys.length * costs.listedKey);
  return keys;
}

/** Returns whether a value equals `empty` or `blank`. */
function isLike(meter: Meter, value: unknown, { name }: EmptyValue): boolean {
  if (value instanceof EmptyValue) return value.name === name;
  if (name === "blank" && (isNil(value) || value === false)) return true;
  const plain = unwrapped(value);
  if (typeof plain === "string") return plain === "" || (name === "blank" && isSpace(meter, plain));
  if (Array.isArray(plain)) return plain.length === 0;
  return isRecord(plain) && keysOf(meter, plain).length === 0;
}

function isSpace(meter: Meter, text: string): boolean {
  meter.chargeChars(text.length, costs.convertedChar);
  return !/\S/.test(text);
}

function unwrapped(value: unknown): unknown {
  if (isNumber(value)) return value instanceof ExactDecimal ? value : plainNumber(value);
  if (value instanceof Markup) return value.html;
  return value instanceof WithProperties ? value.value : value;
}

function describe(value: unknown): string {
  if (isNumber(value)) return "a number";
  if (typeof value === "string") return "a string";
  return Array.isArray(value) ? "a list" : "an object";
}
