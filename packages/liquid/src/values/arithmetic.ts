// Arithmetic in decimals. Two decimals are scaled to whole numbers, which JavaScript calculates exactly, and the result
// is scaled back. Where the whole numbers would be too large to be exact, the ordinary floating-point result is used.
import { decimal, isDecimal, plainNumber, type LiquidNumber } from "./numbers.ts";

export function add(left: LiquidNumber, right: LiquidNumber): LiquidNumber {
  return calculate(left, right, (a, b, scale) => quotient(a + b, scale)) ?? result(left, right, (a, b) => a + b);
}

export function subtract(left: LiquidNumber, right: LiquidNumber): LiquidNumber {
  return calculate(left, right, (a, b, scale) => quotient(a - b, scale)) ?? result(left, right, (a, b) => a - b);
}

export function multiply(left: LiquidNumber, right: LiquidNumber): LiquidNumber {
  return (
    calculate(left, right, (a, b, scale) => quotient(a * b, scale * scale)) ?? result(left, right, (a, b) => a * b)
  );
}

/** The quotient of two whole numbers is rounded down to a whole number. Null when `right` is the whole number 0. */
export function divide(left: LiquidNumber, right: LiquidNumber): LiquidNumber | null {
  if (isDecimal(left) || isDecimal(right)) {
    return calculate(left, right, quotient) ?? result(left, right, (a, b) => a / b);
  }
  const divisor = plainNumber(right);
  return divisor === 0 ? null : Math.floor(plainNumber(left) / divisor);
}

/** The remainder has the sign of the divisor. Returns null when `right` is the whole number 0. */
export function modulo(left: LiquidNumber, right: LiquidNumber): LiquidNumber | null {
  if (plainNumber(right) === 0 && !isDecimal(right)) return null;
  const remainder = (a: number, b: number) => a - b * Math.floor(a / b);
  return calculate(left, right, (a, b, scale) => quotient(remainder(a, b), scale)) ?? result(left, right, remainder);
}

/** Rounds half away from zero. With `digits` above 0, the result is a decimal. */
export function round(value: LiquidNumber, digits: number): LiquidNumber {
  const number = plainNumber(value);
  if (!isDecimal(value) && digits >= 0) return number;
  const rounded = roundTo(number, Math.max(-20, Math.min(20, digits)));
  return digits > 0 ? decimal(rounded) : rounded;
}

function roundTo(number: number, digits: number): number {
  // The decimal point is shifted in the text of the number, so that the printed digits are rounded and not their binary
  // approximation.
  const shifted = Number(shiftPoint(Math.abs(number), digits));
  if (!Number.isFinite(shifted) || shifted > Number.MAX_SAFE_INTEGER) return number;
  const whole = Number(shiftPoint(Math.round(shifted), -digits));
  return number < 0 ? 0 - whole : whole;
}

function shiftPoint(number: number, digits: number): string {
  const [mantissa, exponent] = String(number).split("e");
  return `${mantissa}e${Number(exponent ?? 0) + digits}`;
}

/** Applies the operation to both numbers, scaled to whole numbers. Returns null when that would not be exact. */
function calculate(
  left: LiquidNumber,
  right: LiquidNumber,
  operation: (a: number, b: number, scale: number) => number | null,
): LiquidNumber | null {
  const a = plainNumber(left);
  const b = plainNumber(right);
  for (let scale = 1; scale <= 1e9; scale *= 10) {
    const scaledA = Math.round(a * scale);
    const scaledB = Math.round(b * scale);
    if (scaledA / scale !== a || scaledB / scale !== b) continue;
    if (!Number.isSafeInteger(scaledA) || !Number.isSafeInteger(scaledB)) return null;
    const value = operation(scaledA, scaledB, scale);
    return value === null ? null : typed(left, right, value);
  }
  return null;
}

/** Divides a whole number, or returns null when the division would not be exact to the last digit. */
function quotient(dividend: number, divisor: number): number | null {
  return Number.isSafeInteger(dividend) && Number.isSafeInteger(divisor) ? dividend / divisor : null;
}

function result(left: LiquidNumber, right: LiquidNumber, operation: (a: number, b: number) => number): LiquidNumber {
  return typed(left, right, operation(plainNumber(left), plainNumber(right)));
}

/** The result is a decimal when one of the two numbers is. */
function typed(left: LiquidNumber, right: LiquidNumber, value: number): LiquidNumber {
  return isDecimal(left) || isDecimal(right) ? decimal(value) : value;
}
