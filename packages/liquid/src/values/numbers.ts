// Liquid's numbers: whole numbers and decimals. Decimals are added, multiplied and divided as decimals, so that `10.1 |
// minus: 2.2` is 7.9.
import { costs } from "../costs.ts";
import type { Meter } from "../meter.ts";
import { Markup } from "./value.ts";

/** A number has at most about 300 digits, so longer texts are not read to their end. */
const maxNumberChars = 400;

/**
 * A decimal of which JavaScript's number loses information: Liquid prints and divides 5.0 differently from 5, and a value that is printed
 * as it was written may be 4.10.
 */
export class ExactDecimal {
  readonly value: number;
  readonly text: string;

  constructor(value: number, text = `${value}${Number.isSafeInteger(value) ? ".0" : ""}`) {
    this.value = value;
    this.text = text;
  }
}

export type LiquidNumber = number | ExactDecimal;

/** Parses the digits of a number as a template writes it. */
export function parseNumber(text: string): LiquidNumber {
  const value = Number(text);
  return text.includes(".") ? decimal(value) : value;
}

/** Parses a number of JSON that is printed as it is written. */
export function writtenNumber(text: string): LiquidNumber {
  const value = Number(text);
  return text.includes(".") && text !== String(value) ? new ExactDecimal(value, text) : value;
}

/** Returns the number as a decimal: 5 becomes 5.0. */
export function decimal(value: number): LiquidNumber {
  return Number.isInteger(value) ? new ExactDecimal(value) : value;
}

export function isNumber(value: unknown): value is LiquidNumber {
  return typeof value === "number" || value instanceof ExactDecimal;
}

export function isDecimal(value: LiquidNumber): boolean {
  return value instanceof ExactDecimal || !Number.isInteger(value);
}

export function plainNumber(value: LiquidNumber): number {
  return typeof value === "number" ? value : value.value;
}

/**
 * Converts a value to a number as Liquid's filters do: text counts as the number at its beginning, and anything else counts as 0.
 * Charges the work; texts of many digits take longer than numbers.
 */
export function chargedNumber(meter: Meter, value: unknown): LiquidNumber {
  const text = value instanceof Markup ? value.html : value;
  const start = typeof text === "string" ? text.slice(0, maxNumberChars) : "";
  meter.charge(costs.number + start.length * costs.digit);
  if (isNumber(value)) return value;
  if (/^\s*-?\d+\.\d+\s*$/.test(start)) return decimal(Number(start));
  return Number(/^\s*([+-]?\d+)/.exec(start)?.[1] ?? 0);
}

/** Returns the value as a number if it is one or its whole text is; otherwise null. */
export function numberIn(value: unknown): number | null {
  if (isNumber(value)) return Number.isFinite(plainNumber(value)) ? plainNumber(value) : null;
  if (typeof value !== "string" || value.length > maxNumberChars || value.trim() === "") return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** Returns the value as a whole number if it is one or its whole text is; otherwise null. */
export function wholeNumberIn(value: unknown): number | null {
  const number = numberIn(value instanceof Markup ? value.html : value);
  return Number.isSafeInteger(number) ? number : null;
}

export function numberText(value: LiquidNumber): string {
  return value instanceof ExactDecimal ? value.text : String(value);
}
