// Liquid's numbers: whole numbers, decimals and exact decimals. Decimals are added, multiplied and divided as decimals, so that `10.1 |
// minus: 2.2` is 7.9, up to about 15 digits. A calculation with an exact decimal is exact at any size.
import { costs } from "../costs.ts";
import { LiquidError } from "../errors.ts";
import type { Meter } from "../meter.ts";
import { decimalIdentity, ExactDecimal, parseDecimal, tooManyDigits } from "./exact-decimal.ts";
import { Markup } from "./value.ts";

/** A number has at most about 300 digits, so longer strings are not read to their end. */
const maxNumberChars = 400;

/** A decimal whose value is whole: Liquid prints and divides 5.0 differently from 5. */
export class WholeDecimal {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** A number that is not exact, which JavaScript calculates. */
export type FloatNumber = number | WholeDecimal;
export type LiquidNumber = FloatNumber | ExactDecimal;

/** JavaScript represents every number of at most this many characters without losing digits. */
const maxFloatChars = 15;

/** Parses the digits of a number as a template writes it. A number that would lose digits in JavaScript becomes an exact decimal. */
export function parseNumber(text: string): LiquidNumber {
  const value = Number(text);
  const whole = text.length > maxFloatChars ? parseDecimal(text) : null;
  const hasExponent = Math.abs(value) >= 1e21;
  if (whole && (hasExponent || decimalIdentity(whole) !== decimalIdentity(exactDecimal(value)))) return whole;
  return text.includes(".") ? decimal(value) : value;
}

/** Returns the number as a decimal: 5 becomes 5.0. */
export function decimal(value: number): FloatNumber {
  return Number.isInteger(value) ? new WholeDecimal(value) : value;
}

/** Returns the number with the digits that it prints. */
export function exactDecimal(value: LiquidNumber): ExactDecimal {
  const exact = value instanceof ExactDecimal ? value : parseDecimal(numberText(value));
  if (!exact) throw new LiquidError(tooManyDigits);
  return exact;
}

export function isNumber(value: unknown): value is LiquidNumber {
  return typeof value === "number" || value instanceof WholeDecimal || value instanceof ExactDecimal;
}

export function isDecimal(value: FloatNumber): boolean {
  return value instanceof WholeDecimal || !Number.isInteger(value);
}

export function plainNumber(value: LiquidNumber): number {
  if (typeof value === "number") return value;
  return value instanceof ExactDecimal ? Number(value.text) : value.value;
}

/**
 * Converts a value to a number as Liquid's filters do: a string counts as the number at its beginning, and anything else as 0.
 * Charges the work; strings of many digits take longer than numbers.
 */
export function chargedNumber(meter: Meter, value: unknown): LiquidNumber {
  if (isNumber(value)) {
    meter.charge(costs.number);
    return value;
  }
  const text = value instanceof Markup ? value.html : value;
  const start = typeof text === "string" ? text.slice(0, maxNumberChars) : "";
  meter.charge(costs.number + start.length * costs.digit);
  const digits = /^\s*(-?\d+\.\d+)\s*$/.exec(start)?.[1] ?? /^\s*([+-]?\d+)/.exec(start)?.[1] ?? "0";
  if (digits.length > maxFloatChars) meter.charge(2 * digits.length * costs.decimalDigit);
  const isLong = digits.length > maxFloatChars && !digits.includes(".");
  return (isLong ? parseDecimal(digits) : null) ?? parseNumber(digits);
}

/** Returns the value as a number if it is a number or a string that contains only a number; otherwise null. */
export function numberIn(value: unknown): number | null {
  if (isNumber(value)) return Number.isFinite(plainNumber(value)) ? plainNumber(value) : null;
  if (typeof value !== "string" || value.length > maxNumberChars || value.trim() === "") return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** Like `numberIn`, but keeps the digits of exact decimals and of texts. */
export function exactNumberIn(value: unknown): number | ExactDecimal | null {
  if (value instanceof ExactDecimal) return value;
  const number = numberIn(value);
  if (number === null || typeof value !== "string" || value.length <= maxFloatChars) return number;
  return parseDecimal(value.trim()) ?? number;
}

/** Returns the value as a whole number if it is one or a string that contains only one; otherwise null. */
export function wholeNumberIn(value: unknown): number | null {
  const number = numberIn(value instanceof Markup ? value.html : value);
  return Number.isSafeInteger(number) ? number : null;
}

export function numberText(value: LiquidNumber): string {
  if (value instanceof ExactDecimal) return value.text;
  return value instanceof WholeDecimal
    ? `${value.value}${Number.isSafeInteger(value.value) ? ".0" : ""}`
    : String(value);
}
