// Walks the nodes of a Liquid file in rendering order, and checks every expression.
import { quoted } from "colophon-base/text";
import type { Comparison, Condition, Expression, FilteredExpression, LoopOptions, Node } from "colophon-liquid/syntax";
import { charge } from "../findings.ts";
import { expressionText, expressionType } from "./expression-type.ts";
import { filterType } from "./filter-type.ts";
import { type FileCheck, loopState, namesSet } from "./scope.ts";
import { describe, flatItem, listOf, number, string, unknown, type ValueType } from "./value-type.ts";

type NodeOf<Kind extends Node["kind"]> = Extract<Node, { kind: Kind }>;

export function checkNodes(check: FileCheck, nodes: readonly Node[]): void {
  for (const node of nodes) {
    if (check.budget.workLeft <= 0) return;
    checkNode(check, node);
  }
}

function checkNode(check: FileCheck, node: Node): void {
  const { scope } = check;
  const walk = (body: readonly Node[]) => scope.inBranch(() => checkNodes(check, body));
  switch (node.kind) {
    case "text":
    case "super":
    case "break":
    case "continue":
      return;
    case "output":
      return checkOutput(check, node);
    case "assign":
      return scope.assign(node.variable, filteredType(check, node.expression));
    case "capture":
      checkNodes(check, node.body);
      return scope.assign(node.variable, string);
    case "increment":
    case "decrement":
      if (scope.typeOf(node.variable) === null) scope.assign(node.variable, number);
      return;
    case "ifchanged":
    case "block":
      return walk(node.body);
    case "render":
    case "layout":
      return checkPartUse(check, node);
    case "if":
      for (const { condition } of node.branches) if (condition) checkCondition(check, condition);
      return node.branches.forEach(({ body }) => walk(body));
    case "case":
      return checkCase(check, node, walk);
    case "for":
      checkLoop(check, node, "forloop");
      return walk(node.otherwise);
    case "tablerow":
      if (node.columns) expressionType(check, node.columns);
      return checkLoop(check, node, "tablerowloop");
    case "cycle":
      if (typeof node.group !== "string") expressionType(check, node.group);
      for (const value of node.values) expressionType(check, value);
  }
}

/** Records the types of the arguments for the part or layout, which is checked with them later. */
function checkPartUse(check: FileCheck, node: NodeOf<"render" | "layout">): void {
  const values = new Map(node.named.map(([name, value]) => [name, expressionType(check, value)]));
  const binding = node.kind === "render" ? node.binding : null;
  if (binding) {
    const type = expressionType(check, binding.value);
    values.set(binding.alias, binding.kind === "for" && type.kind === "list" ? type.item : type);
    if (binding.kind === "for") values.set("forloop", loopState);
  }
  check.usePart({ part: node.part, isLayout: node.kind === "layout", values });
}

function filteredType(check: FileCheck, { value, filters }: FilteredExpression): ValueType {
  let type = expressionType(check, value);
  let shown = expressionText(value);
  for (const use of filters) {
    type = filterType(check, use, { type, shown });
    shown = `${shown} | ${use.name}`;
  }
  return type;
}

function checkOutput(check: FileCheck, { expression, line }: NodeOf<"output">): void {
  const type = filteredType(check, expression);
  if (type.kind !== "object" && type.kind !== "list") return;
  const { value, filters } = expression;
  const shown = quoted([expressionText(value), ...filters.map(({ name }) => name)].join(" | "));
  const at = value.kind === "path" ? value.line : line;
  if (flatItem(type).kind === "object") {
    const instead = `print a property of it${type.kind === "list" ? " in a loop" : ""}`;
    check.report(at, `${shown} is ${describe(type)}, so this prints JSON; ${instead}`);
  } else if (flatItem(type).kind !== "unknown") {
    const consequence = "so this prints its items without anything between them";
    check.report(at, `${shown} is a list, ${consequence}; write ${quoted('join: ", "')}`, "warning");
  }
}

function checkCondition(check: FileCheck, { operands }: Condition): void {
  for (const { left, comparison, line } of operands) {
    const type = expressionType(check, left);
    if (comparison) checkComparison(check, { left, type, ...comparison, line });
  }
}

function checkCase(check: FileCheck, { value, branches }: NodeOf<"case">, walk: (body: Node[]) => void): void {
  const type = expressionType(check, value);
  for (const { values, body, line } of branches) {
    for (const right of values ?? []) checkComparison(check, { left: value, type, operator: "==", right, line });
    walk(body);
  }
}

type Compared = { left: Expression; type: ValueType; operator: Comparison; right: Expression; line: number };

/** Reports comparisons that have the same result for all data, because the two values have different types. */
function checkComparison(check: FileCheck, { left, type, operator, right, line }: Compared): void {
  const other = expressionType(check, right);
  const kinds = [type.kind, other.kind];
  if (kinds.includes("unknown") || type.kind === other.kind || operator === "contains") return;
  const shown = (expression: Expression, of: ValueType) => `${quoted(expressionText(expression))} is ${describe(of)}`;
  const isEquality = ["==", "!=", "<>"].includes(operator);
  const consequence = isEquality ? "they are never equal" : "they cannot be compared";
  const isCertain = !isEquality || (kinds.includes("string") && kinds.includes("number"));
  const message = `${shown(left, type)} and ${shown(right, other)}, so ${consequence}`;
  check.report(line, message, isCertain ? "error" : "warning");
}

type LoopNode = { options: LoopOptions; body: Node[]; line: number };

function checkLoop(check: FileCheck, { options, body, line }: LoopNode, stateName: "forloop" | "tablerowloop"): void {
  const { scope } = check;
  const { variable, collection, limit, offset } = options;
  const item = itemType(check, collection, line);
  for (const option of [limit, offset]) if (option && option !== "continue") expressionType(check, option);
  scope.inBranch(() => {
    // From the second iteration on, these variables have the values that the body assigned.
    const names = namesSet(body);
    if (!charge(check.budget, names.size)) return;
    for (const name of names.keys()) scope.assign(name, unknown);
    scope.inLoop({ variable, item, stateName }, () => checkNodes(check, body));
  });
}

/** Returns the type of a loop's items. The items of an object are pairs of a key and a value. */
function itemType(check: FileCheck, collection: Expression, line: number): ValueType {
  const type = expressionType(check, collection);
  if (type.kind === "list") return type.item;
  if (type.kind === "object") return listOf(unknown);
  const at = collection.kind === "path" ? collection.line : line;
  if (type.kind !== "unknown") {
    const shown = `${quoted(expressionText(collection))} is ${describe(type)}`;
    check.report(at, `${shown}, so there is nothing to loop over; a loop needs a list`);
  }
  return unknown;
}
