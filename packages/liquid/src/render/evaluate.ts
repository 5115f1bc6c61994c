// Evaluates expressions, filters and conditions. An evaluation cannot pause; the limits on expressions and values bound
// its time.
import { costs } from "../costs.ts";
import { LiquidError } from "../errors.ts";
import { type FilterCall, type FilterScope } from "../filters/filter.ts";
import type { Meter } from "../meter.ts";
import type { Comparison, Condition, Expression, FilteredExpression, FilterUse, Operand } from "../syntax/tree.ts";
import { checkedName, contains, isEqual, isOrdered } from "../values/compare.ts";
import { property } from "../values/contents.ts";
import { chargedNumber, plainNumber, wholeNumberIn } from "../values/numbers.ts";
import { toText } from "../values/text.ts";
import { isTruthy, Range } from "../values/value.ts";
import type { Variables } from "./variables.ts";

export type Evaluation = { meter: Meter; scope: FilterScope; variables: Variables };

export function evaluateFiltered(evaluation: Evaluation, { value, filters }: FilteredExpression): unknown {
  let result = evaluate(evaluation, value);
  for (const use of filters) result = applyFilter(evaluation, use, result);
  return result;
}

export function evaluate(evaluation: Evaluation, expression: Expression): unknown {
  evaluation.meter.charge(costs.step);
  switch (expression.kind) {
    case "literal":
      return expression.value;
    case "range":
      return new Range(wholeNumber(evaluation, expression.from), wholeNumber(evaluation, expression.to));
    case "path": {
      const { root, steps } = expression;
      const { meter } = evaluation;
      const name = typeof root === "string" ? root : checkedName(meter, toText(meter, evaluate(evaluation, root)));
      let value = evaluation.variables.get(name);
      for (const step of steps) {
        value = property(meter, value, typeof step === "string" ? step : evaluate(evaluation, step));
      }
      return value;
    }
  }
}

export function isConditionMet(evaluation: Evaluation, { operands, connectives }: Condition): boolean {
  for (const [index, operand] of operands.entries()) {
    const isMet = isOperandMet(evaluation, operand);
    const connective = connectives[index];
    // `a or …` is true if `a` is, and `a and …` is false if `a` is not. The rest is then not evaluated.
    if (!connective || isMet === (connective === "or")) return isMet;
  }
  return false;
}

function isOperandMet(evaluation: Evaluation, { left, comparison }: Operand): boolean {
  const value = evaluate(evaluation, left);
  if (!comparison) return isTruthy(value);
  return compare(evaluation.meter, comparison.operator, value, evaluate(evaluation, comparison.right));
}

function compare(meter: Meter, operator: Comparison, left: unknown, right: unknown): boolean {
  if (operator === "contains") return contains(meter, left, right);
  if (operator === "==") return isEqual(meter, left, right);
  if (operator === "!=" || operator === "<>") return !isEqual(meter, left, right);
  return isOrdered(meter, left, right, orders[operator]);
}

/** The order of two values that each operator requires. */
const orders = {
  "<": (order: number) => order < 0,
  ">": (order: number) => order > 0,
  "<=": (order: number) => order <= 0,
  ">=": (order: number) => order >= 0,
};

function applyFilter(evaluation: Evaluation, { name, filter, positional, named }: FilterUse, input: unknown): unknown {
  const { meter, scope } = evaluation;
  meter.charge(costs.step);
  // Without a prototype, an argument named `__proto__` is an ordinary argument.
  const options: FilterCall["options"] = Object.create(null) as Record<string, unknown>;
  for (const [option, value] of named) options[option] = evaluate(evaluation, value);
  const values = positional.map((value) => evaluate(evaluation, value));
  return filter.apply({ name, meter, scope, options, argumentCount: values.length }, input, ...values);
}

function wholeNumber(evaluation: Evaluation, expression: Expression): number {
  return Math.trunc(plainNumber(chargedNumber(evaluation.meter, evaluate(evaluation, expression))));
}

/** Returns an option of a loop as a whole number, or null when it is absent. Throws when it is not a whole number. */
export function loopNumber(evaluation: Evaluation, option: string, expression: Expression | null): number | null {
  const value = expression && evaluate(evaluation, expression);
  if (value === null || value === undefined) return null;
  const number = wholeNumberIn(value);
  if (number === null) throw new LiquidError(`\`${option}\` must be a whole number`);
  return number;
}
