// An expression as a template writes it, for messages.
import type { Expression, PathStep } from "colophon-liquid/syntax";
import { EmptyValue, isNumber, numberText } from "colophon-liquid/values";

export function expressionText(expression: Expression): string {
  switch (expression.kind) {
    case "literal":
      return literalText(expression.value);
    case "range":
      return `(${expressionText(expression.from)}..${expressionText(expression.to)})`;
    case "path": {
      const { root, steps } = expression;
      return (typeof root === "string" ? root : `[${expressionText(root)}]`) + steps.map(stepText).join("");
    }
  }
}

function literalText(value: unknown): string {
  if (isNumber(value)) return numberText(value);
  if (value instanceof EmptyValue) return value.name;
  return value === undefined ? "nil" : JSON.stringify(value);
}

function stepText(step: PathStep): string {
  return typeof step === "string" ? `.${step}` : `[${expressionText(step)}]`;
}
