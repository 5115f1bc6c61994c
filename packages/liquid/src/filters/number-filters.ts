// Filters that calculate. Decimals are calculated as decimals: they are scaled to whole numbers, which JavaScript calculates exactly, and
// the result is scaled back. Where the whole numbers would be too large to be exact, the ordinary floating-point result is used.
import { costs } from "../costs.ts";
import { LiquidError } from "../errors.ts";
import { deepProperty, listItems } from "../values/contents.ts";
import { chargedNumber, decimal, ExactDecimal, isDecimal, plainNumber, type LiquidNumber } from "../values/numbers.ts";
import { isNil, isRecord, WithProperties } from "../values/value.ts";
import { filter, type Filter } from "./filter.ts";

export const numberFilters: Record<string, Filter> = {
  abs: oneNumber((value) =>
    value instanceof ExactDecimal ? new ExactDecimal(Math.abs(value.value)) : Math.abs(value),
  ),
  at_least: twoNumbers((value, minimum) => (plainNumber(value) < plainNumber(minimum) ? minimum : value)),
  at_most: twoNumbers((value, maximum) => (plainNumber(value) > plainNumber(maximum) ? maximum : value)),
  ceil: oneNumber((value) => Math.ceil(plainNumber(value))),
  divided_by: twoNumbers((value, divisor) => nonZero(divide(value, divisor), "divided_by")),
  floor: oneNumber((value) => Math.floor(plainNumber(value))),
  minus: twoNumbers((left, right) => calculate(left, right, (a, b, scale) => [a - b, scale])),
  modulo: twoNumbers((value, divisor) => nonZero(modulo(value, divisor), "modulo")),
  plus: twoNumbers(add),
  round: filter([0, 1], ({ meter }, input, digits) => {
    meter.charge(2 * costs.number);
    return round(chargedNumber(meter, input), Math.trunc(plainNumber(chargedNumber(meter, digits))));
  }),
  sum: filter([0, 1], ({ meter, name }, input, key) => {
    let sum: LiquidNumber = 0;
    for (const item of listItems(meter, input)) {
      if (!isNil(key) && !isRecord(item) && !(item instanceof WithProperties)) {
        throw new LiquidError(`\`${name}\` with a property needs a list of objects`);
      }
      sum = add(sum, chargedNumber(meter, isNil(key) ? item : deepProperty(meter, item, key)));
    }
    return sum;
  }),
  times: twoNumbers((left, right) => calculate(left, right, (a, b, scale) => [a * b, scale * scale])),
};

function oneNumber(operation: (value: LiquidNumber) => LiquidNumber): Filter {
  return filter([0, 0], ({ meter }, input) => operation(chargedNumber(meter, input)));
}

function twoNumbers(operation: (value: LiquidNumber, operand: LiquidNumber) => LiquidNumber): Filter {
  return filter([1, 1], ({ meter }, input, operand) =>
    operation(chargedNumber(meter, input), chargedNumber(meter, operand)),
  );
}

function nonZero(result: LiquidNumber, filter: string): LiquidNumber {
  if (Number.isFinite(plainNumber(result))) return result;
  throw new LiquidError(`\`${filter}\`: nothing can be divided by 0`);
}

function add(left: LiquidNumber, right: LiquidNumber): LiquidNumber {
  return calculate(left, right, (a, b, scale) => [a + b, scale]);
}

/** The quotient of two whole numbers is rounded down to a whole number. */
function divide(left: LiquidNumber, right: LiquidNumber): LiquidNumber {
  if (isDecimal(left) || isDecimal(right)) return calculate(left, right, (a, b) => [a, b]);
  return Math.floor(plainNumber(left) / plainNumber(right));
}

/** The remainder has the sign of the divisor. */
function modulo(left: LiquidNumber, right: LiquidNumber): LiquidNumber {
  return calculate(left, right, (a, b, scale) => [a - b * Math.floor(a / b), scale]);
}

/** Rounds half away from zero. With `digits` above 0, the result is a decimal. */
function round(value: LiquidNumber, digits: number): LiquidNumber {
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

/** Returns the result of an operation divided by `scale`. The two numbers passed to it are `scale` times the template's numbers. */
type Operation = (a: number, b: number, scale: number) => [dividend: number, divisor: number];

/** The result is a decimal if either of the two numbers is. */
function calculate(left: LiquidNumber, right: LiquidNumber, operation: Operation): LiquidNumber {
  const [a, b] = [plainNumber(left), plainNumber(right)];
  const scale = wholeScale(a, b);
  const scaled = scale && operation(Math.round(a * scale), Math.round(b * scale), scale);
  // Without safe integers, the division would not be exact to the last digit.
  const isExact = scaled && Number.isSafeInteger(scaled[0]) && Number.isSafeInteger(scaled[1]);
  const [dividend, divisor] = isExact ? scaled : operation(a, b, 1);
  const value = dividend / divisor;
  return isDecimal(left) || isDecimal(right) ? decimal(value) : value;
}

/** Returns the power of ten with which both numbers become whole numbers; null if these would not be exact. */
function wholeScale(a: number, b: number): number | null {
  for (let scale = 1; scale <= 1e9; scale *= 10) {
    const scaledA = Math.round(a * scale);
    const scaledB = Math.round(b * scale);
    if (scaledA / scale !== a || scaledB / scale !== b) continue;
    return Number.isSafeInteger(scaledA) && Number.isSafeInteger(scaledB) ? scale : null;
  }
  return null;
}
