// Finds comparisons whose result is the same whatever the data is, because the two values are of different kinds.
import type { Comparison, Expression } from "../../../liquid/syntax/tree.ts";
import { quoted } from "../../styles/support/style-message.ts";
import { expressionText } from "./expression-text.ts";
import { describe, type ValueType } from "./value-type.ts";

type Compared = { expression: Expression; type: ValueType };

/** What is wrong with a comparison. A comparison that fails when a document is rendered is always an error. */
export type ComparisonProblem = { message: string; severity: "error" | "warning" };

export function comparisonProblem(left: Compared, operator: Comparison, right: Compared): ComparisonProblem | null {
  if (isOpen(left.type) || isOpen(right.type)) return null;
  switch (operator) {
    case "contains":
      return containsProblem(left);
    case "==":
    case "!=":
    case "<>":
      return equalityProblem(left, right, operator === "==" ? "never" : "always");
    default:
      return orderProblem(left, right);
  }
}

/** Returns a problem if two values can never be equal. */
export function equalityProblem(left: Compared, right: Compared, result: "never" | "always"): ComparisonProblem | null {
  if (isOpen(left.type) || isOpen(right.type) || left.type.kind === right.type.kind) return null;
  const pair = [left.type.kind, right.type.kind];
  const isText = pair.includes("string") && pair.includes("number");
  const consequence = result === "never" ? "they are never equal" : "they always differ";
  const message = `${both(left, right)}, so ${consequence}${quoteHint(left, right)}`;
  return { message, severity: isText ? "error" : "warning" };
}

function orderProblem(left: Compared, right: Compared): ComparisonProblem | null {
  const kinds = [left.type.kind, right.type.kind];
  const isOrdered = left.type.kind === right.type.kind && (kinds.includes("number") || kinds.includes("string"));
  if (isOrdered) return null;
  if (kinds.includes("boolean")) return { message: `${both(left, right)}, so the comparison is never true`, severity: "warning" };
  const isCount = left.type.kind === "list" && right.type.kind === "number";
  const hint = isCount ? `; write ${quoted(`${expressionText(left.expression)}.size`)}` : quoteHint(left, right);
  return { message: `${both(left, right)}, and only two numbers or two strings can be compared${hint}`, severity: "error" };
}

function containsProblem({ expression, type }: Compared): ComparisonProblem | null {
  if (type.kind !== "number" && type.kind !== "boolean") return null;
  const message = `${quoted(expressionText(expression))} is ${describe(type)} and contains nothing`;
  return { message, severity: "error" };
}

function both(left: Compared, right: Compared): string {
  const shown = ({ expression, type }: Compared) => `${quoted(expressionText(expression))} is ${describe(type)}`;
  return `${shown(left)} and ${shown(right)}`;
}

/** Says how to write a literal that stands beside a value of the other kind: a number beside a string, or the reverse. */
function quoteHint(...sides: Compared[]): string {
  const kinds = sides.map(({ type }) => type.kind);
  const literal = sides.find(({ expression }) => expression.kind === "literal")?.expression;
  if (literal?.kind !== "literal" || !kinds.includes("string") || !kinds.includes("number")) return "";
  const { value } = literal;
  if (typeof value === "string") return /^-?\d+(\.\d+)?$/.test(value) ? `; write ${quoted(value)} without quotes` : "";
  return `; write ${quoted(JSON.stringify(expressionText(literal)))}`;
}

/** Whether the value may be of several kinds. Everything can be compared with `nil`. */
function isOpen({ kind }: ValueType): boolean {
  return kind === "unknown" || kind === "nil";
}
