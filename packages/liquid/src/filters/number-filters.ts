// Filters that calculate. Decimals are calculated as decimals; dividing two whole numbers gives a whole number.
import { costs } from "../costs.ts";
import { LiquidError } from "../liquid-error.ts";
import { add, divide, modulo, multiply, round, subtract } from "../values/arithmetic.ts";
import { deepProperty } from "../values/lookup.ts";
import { listItems } from "../values/list.ts";
import { chargedNumber, isDecimal, plainNumber, ExactDecimal, type LiquidNumber } from "../values/numbers.ts";
import { isNil, isRecord, WithProperties } from "../values/value.ts";
import type { Filter } from "./filter.ts";

export const numberFilters: Record<string, Filter> = {
  abs: oneNumber((value) =>
    value instanceof ExactDecimal ? new ExactDecimal(Math.abs(value.value)) : Math.abs(value),
  ),
  at_least: twoNumbers((value, minimum) => (plainNumber(value) < plainNumber(minimum) ? minimum : value)),
  at_most: twoNumbers((value, maximum) => (plainNumber(value) > plainNumber(maximum) ? maximum : value)),
  ceil: oneNumber((value) => Math.ceil(plainNumber(value))),
  divided_by: twoNumbers((value, divisor) => nonZero(divide(value, divisor), "divided_by")),
  floor: oneNumber((value) => Math.floor(plainNumber(value))),
  minus: twoNumbers(subtract),
  modulo: twoNumbers((value, divisor) => nonZero(modulo(value, divisor), "modulo")),
  plus: twoNumbers(add),
  round: {
    arity: [0, 1],
    apply({ meter }, input, digits) {
      meter.charge(2 * costs.number);
      return round(chargedNumber(meter, input), Math.trunc(plainNumber(chargedNumber(meter, digits))));
    },
  },
  sum: {
    arity: [0, 1],
    apply({ meter, name }, input, key) {
      let sum: LiquidNumber = 0;
      for (const item of listItems(meter, input)) {
        if (!isNil(key) && !isRecord(item) && !(item instanceof WithProperties)) {
          throw new LiquidError(`\`${name}\` with a property needs a list of objects`);
        }
        sum = add(sum, chargedNumber(meter, isNil(key) ? item : deepProperty(meter, item, key)));
      }
      return sum;
    },
  },
  times: twoNumbers(multiply),
};

function oneNumber(calculate: (value: LiquidNumber) => LiquidNumber): Filter {
  return {
    arity: [0, 0],
    apply: ({ meter }, input) => calculate(chargedNumber(meter, input)),
  };
}

function twoNumbers(calculate: (value: LiquidNumber, operand: LiquidNumber) => LiquidNumber): Filter {
  return {
    arity: [1, 1],
    apply: ({ meter }, input, operand) => calculate(chargedNumber(meter, input), chargedNumber(meter, operand)),
  };
}

function nonZero(result: LiquidNumber | null, filter: string): LiquidNumber {
  if (result === null || (isDecimal(result) && !Number.isFinite(plainNumber(result)))) {
    throw new LiquidError(`\`${filter}\`: nothing can be divided by 0`);
  }
  return result;
}
