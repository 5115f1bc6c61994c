// Decimals of any size up to a limit, calculated exactly. A result has at least as many decimals as the values it comes from, and no
// additional trailing zeros: 19.00 and 1.00 make 20.00.
import { LiquidError } from "../errors.ts";

/** `Intl` prints numbers of more than 308 digits as infinity. */
export const maxDecimalChars = 300;

export class ExactDecimal {
  /** The value without its decimal point: 1900 for 19.00. */
  readonly coefficient: bigint;
  /** The number of decimals: 2 for 19.00. */
  readonly scale: number;
  /** The value as it is printed. */
  readonly text: string;
  /** The length of the text without an exponent, with which the work for the value grows. */
  readonly chars: number;

  constructor(coefficient: bigint, scale: number, text = digitsOf(coefficient, scale), chars = text.length) {
    if (chars > maxDecimalChars) throw new LiquidError(tooManyDigits);
    this.coefficient = coefficient;
    this.scale = scale;
    this.text = text;
    this.chars = chars;
  }
}

export const tooManyDigits = `a decimal exceeds ${maxDecimalChars} characters; round it`;

/** Parses a number of JSON, and keeps its text. Returns null for other texts and for more digits than a decimal may have. */
export function parseDecimal(text: string): ExactDecimal | null {
  const match = /^(-?\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (!match) return null;
  const [, whole = "", decimals = "", exponent = 0] = match;
  const scale = decimals.length - Number(exponent);
  const sign = whole.startsWith("-") ? 1 : 0;
  const digits = whole.length - sign + decimals.length;
  const written = sign + (scale <= 0 ? digits - scale : Math.max(digits, scale + 1) + 1);
  const chars = Math.max(text.length, written);
  if (chars > maxDecimalChars) return null;
  const coefficient = BigInt(whole + decimals) * powerOfTen(Math.max(0, -scale));
  return new ExactDecimal(coefficient, Math.max(0, scale), text, chars);
}

/** Returns the digits without an exponent and with all decimals. */
function digitsOf(coefficient: bigint, scale: number): string {
  if (scale === 0) return String(coefficient);
  const sign = coefficient < 0n ? "-" : "";
  const digits = String(coefficient < 0n ? -coefficient : coefficient).padStart(scale + 1, "0");
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Returns a text that is the same for equal decimals. */
export function decimalIdentity({ coefficient, scale }: ExactDecimal): string {
  return trimmed(coefficient, scale, 0).text;
}

export function addDecimals(left: ExactDecimal, right: ExactDecimal): ExactDecimal {
  const [a, b, scale] = aligned(left, right);
  return new ExactDecimal(a + b, scale);
}

export function subtractDecimals(left: ExactDecimal, right: ExactDecimal): ExactDecimal {
  const [a, b, scale] = aligned(left, right);
  return new ExactDecimal(a - b, scale);
}

export function multiplyDecimals(left: ExactDecimal, right: ExactDecimal): ExactDecimal {
  const scale = Math.max(left.scale, right.scale);
  return trimmed(left.coefficient * right.coefficient, left.scale + right.scale, scale);
}

/** The decimals of a quotient, unless the values have more. */
const quotientScale = 20;

/** Rounds half away from zero: to `scale` decimals if it is given; otherwise to 20 decimals, without unnecessary trailing zeros. */
export function divideDecimals(left: ExactDecimal, right: ExactDecimal, scale: number | null): ExactDecimal {
  const least = Math.max(left.scale, right.scale);
  const digits = scale ?? Math.max(least, quotientScale);
  const dividend = left.coefficient * powerOfTen(right.scale + digits);
  const quotient = rounded(dividend, right.coefficient * powerOfTen(left.scale), "half");
  return scale === null ? trimmed(quotient, digits, least) : new ExactDecimal(quotient, digits);
}

/** The remainder has the sign of the divisor. */
export function moduloDecimals(left: ExactDecimal, right: ExactDecimal): ExactDecimal {
  const [a, b, scale] = aligned(left, right);
  return new ExactDecimal(a - b * rounded(a, b, "floor"), scale);
}

/** Returns a negative number, 0 or a positive number if `left` is less than, equal to or greater than `right`. */
export function orderDecimals(left: ExactDecimal, right: ExactDecimal): number {
  const [a, b] = aligned(left, right);
  return a === b ? 0 : a < b ? -1 : 1;
}

/** `half` rounds to the nearest, and away from zero if two are equally near. */
export type Rounding = "half" | "floor" | "ceil";

/** Returns the value with this number of decimals; a negative number rounds to tens, hundreds and so on. */
export function roundDecimal({ coefficient, scale }: ExactDecimal, digits: number, rounding: Rounding): ExactDecimal {
  if (Math.abs(digits) > maxDecimalChars) throw new LiquidError(tooManyDigits);
  if (digits >= scale) return new ExactDecimal(coefficient * powerOfTen(digits - scale), digits);
  const whole = rounded(coefficient, powerOfTen(scale - digits), rounding);
  return digits < 0 ? new ExactDecimal(whole * powerOfTen(-digits), 0) : new ExactDecimal(whole, digits);
}

function rounded(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  const quotient = dividend / divisor;
  const rest = dividend % divisor;
  const isNegative = dividend < 0n !== divisor < 0n;
  if (rounding === "half")
    return absolute(rest) * 2n < absolute(divisor) ? quotient : quotient + (isNegative ? -1n : 1n);
  return rest !== 0n && isNegative === (rounding === "floor") ? quotient + (isNegative ? -1n : 1n) : quotient;
}

export function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** Leaves out zeros at the end, as long as `least` decimals remain. */
function trimmed(coefficient: bigint, scale: number, least: number): ExactDecimal {
  if (scale === least || coefficient % 10n !== 0n) return new ExactDecimal(coefficient, scale);
  const digits = String(coefficient).padStart(scale + 1, "0");
  let dropped = 0;
  while (dropped < scale - least && digits.at(-1 - dropped) === "0") dropped++;
  return new ExactDecimal(coefficient / powerOfTen(dropped), scale - dropped);
}

/** Returns the coefficients of both values with the same number of decimals. */
function aligned(left: ExactDecimal, right: ExactDecimal): [left: bigint, right: bigint, scale: number] {
  const scale = Math.max(left.scale, right.scale);
  const scaled = (value: ExactDecimal) =>
    value.scale === scale ? value.coefficient : value.coefficient * powerOfTen(scale - value.scale);
  return [scaled(left), scaled(right), scale];
}

function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}
