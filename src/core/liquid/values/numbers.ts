// Liquid's numbers: whole numbers and decimals. Decimals are added, multiplied and divided as decimals, so that `10.1 |
// minus: 2.2` is 7.9.
import { Markup } from "./value.ts";

/**
 * A decimal whose value is whole, such as `5.0`. JavaScript cannot tell it from 5, but Liquid prints and divides the
 * two differently.
 */
export class WholeDecimal {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

export type LiquidNumber = number | WholeDecimal;

/** Parses the digits of a number as a template writes it. */
export function parseNumber(text: string): LiquidNumber {
  const value = Number(text);
  return text.includes(".") ? decimal(value) : value;
}

/** Returns the number as a decimal: 5 becomes 5.0. */
export function decimal(value: number): LiquidNumber {
  return Number.isInteger(value) ? new WholeDecimal(value) : value;
}

export function isNumber(value: unknown): value is LiquidNumber {
  return typeof value === "number" || value instanceof WholeDecimal;
}

export function isDecimal(value: LiquidNumber): boolean {
  return value instanceof WholeDecimal || !Number.isInteger(value);
}

export function plainNumber(value: LiquidNumber): number {
  return typeof value === "number" ? value : value.value;
}

/**
 * Converts a value to a number as Liquid's filters do: text counts as the number at its beginning, and anything else
 * counts as 0.
 */
export function toNumber(value: unknown): LiquidNumber {
  if (isNumber(value)) return value;
  const text = value instanceof Markup ? value.html : value;
  if (typeof text !== "string") return 0;
  // A number has at most about 300 digits, so longer texts are not read to their end.
  const start = text.slice(0, 400).trim();
  if (/^-?\d+\.\d+$/.test(start)) return decimal(Number(start));
  return Number(/^[+-]?\d+/.exec(start)?.[0] ?? 0);
}

/** Like `toNumber`, but returns null when the text as a whole is not a number. */
export function numberIn(value: unknown): number | null {
  if (isNumber(value)) return Number.isFinite(plainNumber(value)) ? plainNumber(value) : null;
  if (typeof value !== "string" || value.length > 400 || value.trim() === "") return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

export function numberText(value: LiquidNumber): string {
  return value instanceof WholeDecimal
    ? `${value.value}${Number.isSafeInteger(value.value) ? ".0" : ""}`
    : String(value);
}
