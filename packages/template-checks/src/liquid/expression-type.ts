import { similarName } from "colophon-base/similar-name";
// The type of an expression, and its text for messages. Reports paths in it that lead nowhere.
import { quoted } from "colophon-base/text";
import { byWord, foreignNames } from "colophon-liquid/foreign-words";
import type { Expression, PathStep } from "colophon-liquid/syntax";
import { EmptyValue, isNumber, numberText, plainNumber } from "colophon-liquid/values";
import { charge } from "../findings.ts";
import type { FileCheck } from "./scope.ts";
import { boolean, listOf, number, readProperty, unknown, type ValueType } from "./value-type.ts";

export function expressionType(check: FileCheck, expression: Expression): ValueType {
  // A message about a path may compare it with all names.
  if (check.isFull()) return unknown;
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
  if (isNumber(value)) return number;
  if (typeof value === "boolean") return boolean;
  // `nil`, `empty` and `blank` can be compared with everything.
  return typeof value === "string" ? { kind: "string", known: { text: value, isWhole: true } } : unknown;
}

function pathType(check: FileCheck, { root, steps, line }: Extract<Expression, { kind: "path" }>): ValueType {
  const name = typeof root === "string" ? root : literalKey(root);
  if (typeof name !== "string") {
    if (typeof root !== "string") expressionType(check, root);
    return stepsType(check, { type: unknown, shown: "", line }, steps);
  }
  const type = check.scope.typeOf(name);
  if (type === null && !check.isFull()) {
    const problem = unknownName(check, name);
    if (problem !== null) check.report(line, problem);
  }
  return stepsType(check, { type: type ?? unknown, shown: name, line }, steps);
}

/** `shown` is how messages refer to the value, e.g. `items[0]`. */
type Reached = { type: ValueType; shown: string; line: number };

function stepsType(check: FileCheck, { type: from, shown: start, line }: Reached, steps: PathStep[]): ValueType {
  let [type, shown] = [from, start];
  for (const step of steps) {
    const key = typeof step === "string" ? step : literalKey(step);
    if (key === null) {
      const isIndex = typeof step !== "string" && expressionType(check, step).kind === "number";
      type = type.kind === "list" && isIndex ? type.item : unknown;
      shown = `${shown}[…]`;
      continue;
    }
    const read = readProperty(type, key, shown);
    const withStep = (name: string | number) =>
      `${shown}${typeof step === "string" ? `.${name}` : `[${JSON.stringify(name)}]`}`;
    if ("similar" in read)
      check.report(line, `${quoted(withStep(key))}: did you mean ${quoted(withStep(read.similar))}?`);
    if ("reason" in read) check.report(line, `${quoted(withStep(key))} does not exist: ${read.reason}`);
    type = "type" in read ? read.type : unknown;
    shown = withStep(key);
  }
  return type;
}

/** Returns the key in a literal; null if the expression is not a literal. */
export function literalKey(expression: Expression): string | number | null {
  if (expression.kind !== "literal") return null;
  const { value } = expression;
  if (isNumber(value)) return plainNumber(value);
  return typeof value === "string" ? value : null;
}

const foreign = byWord(foreignNames);

/** Reports a name that is neither a field nor a variable. Null if code that could not be parsed may have defined it. */
function unknownName(check: FileCheck, name: string): string | null {
  const { scope, part, unparsed } = check;
  const elsewhere = existsElsewhere(check, name);
  if (elsewhere !== null) return `${quoted(name)} ${elsewhere}`;
  if (part?.isField(name)) {
    return `${quoted(name)} is ${name === "data" ? "what the page reads" : "a field"}, but a part reads only what is passed to it, as in ${quoted(`{% render "${part.name}", ${name}: ${name} %}`)}`;
  }
  // Each message compares the name with all fields.
  if (!charge(check.budget, scope.given.size)) return "";
  const owner = ownerOf(check, name);
  const advice = owner === null ? foreign.get(name)?.advice : undefined;
  if (advice !== undefined) return `${quoted(name)} is neither a field in template.json nor a variable; ${advice}`;
  if (unparsed.some(({ words, changesNames }) => changesNames || words.has(name))) return null;
  const meant = owner ?? similarName(name, [...scope.names(), "true", "false"]);
  if (meant !== null) return `${quoted(name)}: did you mean ${quoted(meant)}?`;
  if (part) return `${quoted(name)} is neither passed to the part ${quoted(part.name)} nor a variable in it`;
  return `${quoted(name)} is neither a field in template.json nor a variable`;
}

/** Returns where else in the template the name exists; null if it does not. */
function existsElsewhere({ names }: FileCheck, name: string): string | null {
  if (name === "forloop") return "exists only inside `for`";
  if (name === "tablerowloop") return "exists only inside `tablerow`";
  const set = names.get(name);
  if (set?.isLoop) return `exists only inside the loop on line ${set.line}`;
  if (set) return `is assigned only later, on line ${set.line}`;
  return name === "page" ? "exists only in headers and footers" : null;
}

/** Returns the path of the property with this name in an item of an enclosing loop, or in the only field that has it. */
function ownerOf({ scope }: FileCheck, name: string): string | null {
  const has = (type: ValueType) => type.kind === "object" && type.properties.has(name);
  const loop = scope.loopVariables().find(({ item }) => has(item));
  if (loop) return `${loop.variable}.${name}`;
  const [owner, ...others] = [...scope.given].filter(
    ([key, type]) => key !== "document" && key !== "page" && has(type),
  );
  return owner && others.length === 0 ? `${owner[0]}.${name}` : null;
}

/** Returns an expression in template syntax. */
export function expressionText(expression: Expression): string {
  switch (expression.kind) {
    case "literal":
      return literalText(expression.value);
    case "range":
      return `(${expressionText(expression.from)}..${expressionText(expression.to)})`;
    case "path": {
      const { root, steps } = expression;
      const written = steps.map((step) => (typeof step === "string" ? `.${step}` : `[${expressionText(step)}]`));
      return (typeof root === "string" ? root : `[${expressionText(root)}]`) + written.join("");
    }
  }
}

function literalText(value: unknown): string {
  if (isNumber(value)) return numberText(value);
  if (value instanceof EmptyValue) return value.name;
  return value === undefined ? "nil" : JSON.stringify(value);
}
