// Filters that calculate. Decimals are calculated as decimals: they are scaled to whole numbers, which JavaScript calculates exactly, and
// the result is scaled back. Where the whole numbers would be too large to be exact, the ordinary floating-point result is used, unless one
// of the numbers is an exact decimal.
import { costs } from "../costs.ts";
import { LiquidError } from "../errors.ts";
import type { Meter } from "../meter.ts";
import { orderNumbers } from "../values/compare.ts";
import { deepProperty, listItems } from "../values/contents.ts";
import {
  absolute,
  addDecimals,
  divideDecimals,
  ExactDecimal,
  maxDecimalChars,
  moduloDecimals,
  multiplyDecimals,
  roundDecimal,
  subtractDecimals,
} from "../values/exact-decimal.ts";
import {
  chargedNumber,
  decimal,
  exactDecimal,
  type FloatNumber,
  isDecimal,
  type LiquidNumber,
  plainNumber,
  WholeDecimal,
} from "../values/numbers.ts";
import { isNil, isRecord, WithProperties } from "../values/value.ts";
import { filter, type Filter, type FilterCall, wholeArgument } from "./filter.ts";

const addition: Calculation = {
  operation: (left, right) => calculate(left, right, (a, b, scale) => [a + b, scale]),
  exact: addDecimals,
};

export const numberFilters: Record<string, Filter> = {
  abs: oneNumber(
    (value) => (value instanceof WholeDecimal ? new WholeDecimal(Math.abs(value.value)) : Math.abs(value)),
    ({ coefficient, scale }) => new ExactDecimal(absolute(coefficient), scale),
  ),
  at_least: limit((order) => order < 0),
  at_most: limit((order) => order > 0),
  ceil: oneNumber(
    (value) => Math.ceil(plainNumber(value)),
    (value) => roundDecimal(value, 0, "ceil"),
  ),
  /** `divided_by: 3, scale: 2` calculates with exact decimals, and rounds to two of them. */
  divided_by: {
    arity: [1, 1],
    options: ["scale"],
    apply(call, input, operand) {
      const scale = isNil(call.options["scale"]) ? null : wholeArgument(call, call.options["scale"], "the scale", 0);
      const exact = (a: ExactDecimal, b: ExactDecimal) => {
        if (scale === null) call.meter.charge(costs.decimalQuotient);
        return divideDecimals(a, b, scale);
      };
      if (scale === null) return division(call, input, operand, { operation: divide, exact });
      if (scale < 0 || scale > maxScale)
        throw new LiquidError(`the scale of \`${call.name}\` must be from 0 to ${maxScale}`);
      call.meter.charge(scale * costs.decimalDigit);
      const value = exactDecimal(chargedNumber(call.meter, input));
      return division(call, value, operand, { operation: divide, exact });
    },
  },
  floor: oneNumber(
    (value) => Math.floor(plainNumber(value)),
    (value) => roundDecimal(value, 0, "floor"),
  ),
  minus: twoNumbers({
    operation: (left, right) => calculate(left, right, (a, b, scale) => [a - b, scale]),
    exact: subtractDecimals,
  }),
  modulo: filter([1, 1], (call, input, operand) =>
    division(call, input, operand, { operation: modulo, exact: moduloDecimals }),
  ),
  plus: twoNumbers(addition),
  round: filter([0, 1], ({ meter }, input, digits) => {
    meter.charge(2 * costs.number);
    const value = chargedNumber(meter, input);
    const places = Math.trunc(plainNumber(chargedNumber(meter, digits)));
    if (!(value instanceof ExactDecimal)) return round(value, places);
    meter.charge((value.chars + Math.min(Math.abs(places), maxDecimalChars)) * costs.decimalDigit);
    return roundDecimal(value, places, "half");
  }),
  sum: filter([0, 1], ({ meter, name }, input, key) => {
    let sum: LiquidNumber = 0;
    for (const item of listItems(meter, input)) {
      if (!isNil(key) && !isRecord(item) && !(item instanceof WithProperties)) {
        throw new LiquidError(`\`${name}\` with a property needs a list of objects`);
      }
      const value = chargedNumber(meter, isNil(key) ? item : deepProperty(meter, item, key));
      sum = calculated(meter, sum, value, addition);
    }
    return sum;
  }),
  times: twoNumbers({
    operation: (left, right) => calculate(left, right, (a, b, scale) => [a * b, scale * scale]),
    exact: multiplyDecimals,
  }),
};

const maxScale = 100;

type Unary<N> = (value: N) => LiquidNumber;
type Binary<N> = (value: N, operand: N) => LiquidNumber;

function oneNumber(operation: Unary<FloatNumber>, exact: Unary<ExactDecimal>): Filter {
  return filter([0, 0], ({ meter }, input) => {
    const value = chargedNumber(meter, input);
    if (!(value instanceof ExactDecimal)) return operation(value);
    meter.charge(value.chars * costs.decimalDigit);
    return exact(value);
  });
}

/** The calculation is exact if either of the two numbers is exact. */
type Calculation = { operation: Binary<FloatNumber>; exact: Binary<ExactDecimal> };

function twoNumbers(calculation: Calculation): Filter {
  return filter([1, 1], ({ meter }, input, operand) =>
    calculated(meter, chargedNumber(meter, input), chargedNumber(meter, operand), calculation),
  );
}

function calculated(
  meter: Meter,
  value: LiquidNumber,
  operand: LiquidNumber,
  { operation, exact }: Calculation,
): LiquidNumber {
  if (!(value instanceof ExactDecimal || operand instanceof ExactDecimal)) return operation(value, operand);
  const [a, b] = [exactDecimal(value), exactDecimal(operand)];
  meter.charge((a.chars + b.chars) * costs.decimalDigit);
  return exact(a, b);
}

/** Returns the operand if the value is beyond it in the given direction; otherwise the value. */
function limit(isBeyond: (order: number) => boolean): Filter {
  return filter([1, 1], ({ meter }, input, operand) => {
    const [value, bound] = [chargedNumber(meter, input), chargedNumber(meter, operand)];
    return isBeyond(orderNumbers(meter, value, bound)) ? bound : value;
  });
}

function division(
  { meter, name }: FilterCall,
  input: unknown,
  operand: unknown,
  calculation: Calculation,
): LiquidNumber {
  const [value, divisor] = [chargedNumber(meter, input), chargedNumber(meter, operand)];
  const result = plainNumber(divisor) === 0 ? Number.NaN : calculated(meter, value, divisor, calculation);
  if (Number.isFinite(plainNumber(result))) return result;
  throw new LiquidError(`\`${name}\`: nothing can be divided by 0`);
}

/** The quotient of two whole numbers is rounded down to a whole number. */
function divide(left: FloatNumber, right: FloatNumber): FloatNumber {
  if (isDecimal(left) || isDecimal(right)) return calculate(left, right, (a, b) => [a, b]);
  return Math.floor(plainNumber(left) / plainNumber(right));
}

/** The remainder has the sign of the divisor. */
function modulo(left: FloatNumber, right: FloatNumber): FloatNumber {
  return calculate(left, right, (a, b, scale) => [a - b * Math.floor(a / b), scale]);
}

/** Rounds half away from zero. With `digits` above 0, the result is a decimal. */
function round(value: FloatNumber, digits: number): FloatNumber {
  const number = plainNumber(value);
  if (!isDecimal(value) && digits >= 0) return number;
  const rounded = roundTo(number, Math.max(-20, Math.min(20, digits)));
  return digits > 0 ? decimal(rounded) : rounded;
}

function roundTo(number: number, digits: number): number {
  // The decimal point is shifted in the printed number, so that the printed digits are rounded, not their binary
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

/**
 * Returns the result of an operation, divided by `scale`. The numbers that it receives are `scale` times the template's numbers.
 */
type Operation = (a: number, b: number, scale: number) => [dividend: number, divisor: number];

/** The result is a decimal if either number is a decimal. */
function calculate(left: FloatNumber, right: FloatNumber, operation: Operation): FloatNumber {
  const [a, b] = [plainNumber(left), plainNumber(right)];
  const scale = wholeScale(a, b);
  const scaled = scale && operation(Math.round(a * scale), Math.round(b * scale), scale);
  // Without safe integers, the last digit of the division would not be exact.
  const isExact = scaled && Number.isSafeInteger(scaled[0]) && Number.isSafeInteger(scaled[1]);
  const [dividend, divisor] = isExact ? scaled : operation(a, b, 1);
  const value = dividend / divisor;
  return isDecimal(left) || isDecimal(right) ? decimal(value) : value;
}

/** Returns the power of ten that makes both numbers whole; null if they would not be exact. */
function wholeScale(a: number, b: number): number | null {
  for (let scale = 1; scale <= 1e9; scale *= 10) {
    const scaledA = Math.round(a * scale);
    const scaledB = Math.round(b * scale);
    if (scaledA / scale !== a || scaledB / scale !== b) continue;
    return Number.isSafeInteger(scaledA) && Number.isSafeInteger(scaledB) ? scale : null;
  }
  return null;
}
