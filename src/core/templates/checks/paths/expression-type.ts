// The type of an expression. Reports the paths in it that lead nowhere, and records the fields that they read.
import type { Expression, PathStep } from "../../../liquid/syntax/tree.ts";
import { isNumber, plainNumber } from "../../../liquid/values/numbers.ts";
import { EmptyValue } from "../../../liquid/values/special.ts";
import { quoted } from "../../styles/support/style-message.ts";
import type { FileCheck } from "./file-check.ts";
import { readProperty } from "./read-property.ts";
import { unknownName } from "./unknown-name.ts";
import { boolean, listOf, nil, number, string, unknown, type ValueType } from "./value-type.ts";

type Path = Extract<Expression, { kind: "path" }>;

export function expressionType(check: FileCheck, expression: Expression): ValueType {
  switch (expression.kind) {
    case "literal":
      return literalType(expression.value);
    case "range":
      expressionType(check, expression.from);
      expressionType(check, expression.to);
      return listOf(number);
    case "path":
      return pathType(check, expression);
  }
}

function literalType(value: unknown): ValueType {
  if (value === undefined) return nil;
  if (value instanceof EmptyValue) return unknown;
  if (isNumber(value)) return number;
  if (typeof value === "boolean") return boolean;
  return typeof value === "string" ? { kind: "string", texts: [{ text: value, isWhole: true }] } : string;
}

function pathType(check: FileCheck, { root, steps, line }: Path): ValueType {
  const { scope } = check;
  const name = typeof root === "string" ? root : literalKey(root);
  if (typeof name !== "string") {
    // The name is known only when the file is rendered, so any field can be read.
    if (typeof root !== "string") expressionType(check, root);
    check.useWhole({ kind: "object", properties: scope.given });
    return stepsType(check, { type: unknown, shown: "", line }, steps);
  }
  const type = scope.typeOf(name);
  if (type === null && !check.isFull()) check.report(line, unknownName(check, name));
  if (scope.readsGiven(name)) for (const field of scope.given.get(name)?.fields ?? []) check.used.add(field);
  return stepsType(check, { type: type ?? unknown, shown: name, line }, steps);
}

/** `shown` is how a message shows the value, e.g. `items[0]`. */
type Reached = { type: ValueType; shown: string; line: number };

function stepsType(check: FileCheck, from: Reached, steps: PathStep[]): ValueType {
  let { type, shown } = from;
  for (const step of steps) {
    const key = typeof step === "string" ? step : literalKey(step);
    if (key === null) {
      type = typeof step === "string" ? unknown : indexedType(check, type, step);
      shown = `${shown}[…]`;
      continue;
    }
    const read = readProperty(type, key, shown);
    const next = shownStep(shown, step, key);
    if (read.status === "wrong") {
      check.report(from.line, wrongStep(next, read.similar === null ? read.reason : null, shownStep(shown, step, read.similar ?? "")));
      type = unknown;
    } else {
      for (const field of read.fields) check.used.add(field);
      type = read.type;
    }
    shown = next;
  }
  return type;
}

function wrongStep(shown: string, reason: string | null, similar: string): string {
  return reason === null ? `${quoted(shown)}: did you mean ${quoted(similar)}?` : `${quoted(shown)} does not exist: ${reason}`;
}

function shownStep(shown: string, step: PathStep, key: string | number): string {
  if (typeof step === "string") return `${shown}.${key}`;
  return `${shown}[${typeof key === "number" ? key : JSON.stringify(key)}]`;
}

/** Returns the type of `value[index]`, where the index is known only when the file is rendered. */
function indexedType(check: FileCheck, type: ValueType, index: Expression): ValueType {
  const isNumeric = expressionType(check, index).kind === "number";
  if (type.kind === "list" && isNumeric) return type.item;
  check.useWhole(type);
  return unknown;
}

/** Returns the key that a literal stands for; null if the expression is not one. */
export function literalKey(expression: Expression): string | number | null {
  if (expression.kind !== "literal") return null;
  const { value } = expression;
  if (isNumber(value)) return plainNumber(value);
  return typeof value === "string" ? value : null;
}
