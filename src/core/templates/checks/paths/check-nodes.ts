// Walks the nodes of a Liquid file in the order in which they are rendered, and checks every expression in them.
import { allNodes } from "../../../liquid/syntax/node-contents.ts";
import type { Condition, Expression, FilteredExpression, LoopOptions, Node } from "../../../liquid/syntax/tree.ts";
import { assetName } from "../../asset-names.ts";
import { quoted } from "../../styles/support/style-message.ts";
import { filterType } from "../filters/filter-type.ts";
import { comparisonProblem, equalityProblem } from "./comparison.ts";
import { expressionText } from "./expression-text.ts";
import { expressionType } from "./expression-type.ts";
import type { FileCheck, NamesSet } from "./file-check.ts";
import { checkImageSource, markupBefore } from "./image-source.ts";
import { pairOf } from "./read-property.ts";
import { forloopType } from "./scope.ts";
import { describe, flatItem, nil, number, string, unknown, type ValueType } from "./value-type.ts";

type NodeOf<Kind extends Node["kind"]> = Extract<Node, { kind: Kind }>;

export function checkNodes(check: FileCheck, nodes: readonly Node[]): void {
  let before = "";
  for (const node of nodes) {
    checkNode(check, node, before);
    before = markupBefore(before, node);
  }
}

/** `before` is the end of the markup before the node. */
function checkNode(check: FileCheck, node: Node, before: string): void {
  const { scope } = check;
  switch (node.kind) {
    case "text":
    case "super":
    case "break":
    case "continue":
      return;
    case "output":
      return checkOutput(check, node, before);
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
      return scope.inBranches([() => checkNodes(check, node.body)], false);
    case "block":
      return scope.inBranches([() => checkNodes(check, node.body)], false);
    case "render":
    case "layout":
      return checkPartUse(check, node);
    case "if":
      return checkIf(check, node);
    case "case":
      return checkCase(check, node);
    case "for":
      return checkLoop(check, node, "for");
    case "tablerow":
      if (node.columns) checkWhole(check, "cols", node.columns, node.line);
      return checkLoop(check, { ...node, otherwise: [] }, "tablerow");
    case "cycle":
      if (typeof node.group !== "string") useExpression(check, node.group);
      for (const value of node.values) useExpression(check, value);
  }
}

/** Records the types of what is passed to a part or layout, which is checked with them later. */
function checkPartUse(check: FileCheck, node: NodeOf<"render" | "layout">): void {
  const { kind, part, line } = node;
  const values = new Map(node.named.map(([name, value]) => [name, expressionType(check, value)]));
  const binding = node.kind === "render" ? node.binding : null;
  if (binding?.kind === "with") values.set(binding.alias, expressionType(check, binding.value));
  if (binding?.kind === "for") {
    values.set(binding.alias, itemType(check, binding.value, { line, mayBeOne: true }));
    values.set("forloop", forloopType(nil));
  }
  check.usePart({ tag: kind, part, line, values });
}

/** Returns the type of an expression with its filters. */
export function filteredType(check: FileCheck, { value, filters }: FilteredExpression): ValueType {
  let type = expressionType(check, value);
  let shown = expressionText(value);
  for (const use of filters) {
    type = filterType(check, use, { type, shown });
    shown = `${shown} | ${use.name}`;
  }
  return type;
}

function checkOutput(check: FileCheck, { expression, line }: NodeOf<"output">, before: string): void {
  const type = filteredType(check, expression);
  check.useWhole(type);
  const { value, filters } = expression;
  reportFileName(check, expression, line);
  checkImageSource(check, before, { type, expression, line });
  if (type.kind !== "object" && type.kind !== "list") return;
  const shown = quoted([expressionText(value), ...filters.map(({ name }) => name)].join(" | "));
  const at = value.kind === "path" ? value.line : line;
  if (flatItem(type).kind === "object") {
    check.report(at, `${shown} is ${describe(type)}, so this prints JSON; print a property of it${type.kind === "list" ? " in a loop" : ""}`);
  } else if (flatItem(type).kind !== "unknown") {
    check.report(at, `${shown} is a list, so this prints its items without anything between them; write ${quoted('join: ", "')}`, "warning");
  }
}

/** Reports an output that prints the name of an asset instead of the asset. */
function reportFileName({ assets, report }: FileCheck, { value, filters }: FilteredExpression, line: number): void {
  if (value.kind !== "literal" || typeof value.value !== "string" || filters.length > 0) return;
  const name = assetName(value.value);
  if (assets.has(name)) report(line, `this prints only the name of the file; write ${quoted(`{{ '${name}' | asset }}`)}`);
}

function checkIf(check: FileCheck, { branches }: NodeOf<"if">): void {
  // Any condition may be evaluated before one of the branches is rendered, and none of them sets a variable.
  for (const { condition } of branches) if (condition) checkCondition(check, condition);
  const isComplete = branches.some(({ condition }) => condition === null);
  check.scope.inBranches(
    branches.map(({ body }) => () => checkNodes(check, body)),
    isComplete,
  );
}

function checkCondition(check: FileCheck, { operands }: Condition): void {
  for (const { left, comparison, line } of operands) {
    const compared = { expression: left, type: expressionType(check, left) };
    if (!comparison) continue;
    const other = { expression: comparison.right, type: expressionType(check, comparison.right) };
    const problem = comparisonProblem(compared, comparison.operator, other);
    if (problem) check.report(line, problem.message, problem.severity);
  }
}

function checkCase(check: FileCheck, { value, branches }: NodeOf<"case">): void {
  const compared = { expression: value, type: expressionType(check, value) };
  for (const { values, line } of branches) {
    for (const expression of values ?? []) {
      const other = { expression, type: expressionType(check, expression) };
      const problem = equalityProblem(compared, other, "never");
      if (problem) check.report(line, problem.message, problem.severity);
    }
  }
  const isComplete = branches.some(({ values }) => values === null);
  check.scope.inBranches(
    branches.map(({ body }) => () => checkNodes(check, body)),
    isComplete,
  );
}

type LoopNode = { options: LoopOptions; body: Node[]; otherwise: Node[]; line: number };

function checkLoop(check: FileCheck, { options, body, otherwise, line }: LoopNode, tag: "for" | "tablerow"): void {
  const { scope } = check;
  const { variable, collection, limit, offset } = options;
  const item = itemType(check, collection, { line, mayBeOne: false });
  if (limit) checkWhole(check, "limit", limit, line);
  if (offset && offset !== "continue") checkWhole(check, "offset", offset, line);
  const walkBody = () => {
    // From the second time on, these variables have the values that the body has assigned.
    for (const name of namesSet(body).variables.keys()) scope.forget(name);
    scope.inLoop({ variable, item, tag }, () => checkNodes(check, body));
  };
  scope.inBranches([walkBody, () => checkNodes(check, otherwise)], false);
}

/** `mayBeOne` is true if a value that is not a list is used like a list with that item. */
type LoopPlace = { line: number; mayBeOne: boolean };

/** Returns the type of the items over which a loop runs. */
function itemType(check: FileCheck, collection: Expression, { line, mayBeOne }: LoopPlace): ValueType {
  const type = expressionType(check, collection);
  const at = collection.kind === "path" ? collection.line : line;
  switch (type.kind) {
    case "list":
      return type.item;
    case "object":
      check.useWhole(type);
      return pairOf(type.properties);
    case "string":
    case "number":
    case "boolean":
      if (mayBeOne && type.kind === "string") return type;
      check.report(at, `${quoted(expressionText(collection))} is ${describe(type)}, so there is nothing to loop over; a loop needs a list`);
      return unknown;
    default:
      return unknown;
  }
}

/** Checks an option of a loop, which must be a whole number. A string that contains one is accepted. */
function checkWhole(check: FileCheck, option: string, expression: Expression, line: number): void {
  const type = expressionType(check, expression);
  const isText = type.kind === "string" && !(expression.kind === "literal" && !/^\s*[+-]?\d+\s*$/.test(String(expression.value)));
  if (type.kind === "number" || type.kind === "unknown" || type.kind === "nil" || isText) return;
  check.report(line, `${quoted(option)} must be a whole number, and ${quoted(expressionText(expression))} is ${describe(type)}`);
}

function useExpression(check: FileCheck, expression: Expression): void {
  check.useWhole(expressionType(check, expression));
}

/** Returns the names that the nodes set, also those inside other nodes, with the first line of each. */
export function namesSet(nodes: readonly Node[]): NamesSet {
  const variables = new Map<string, number>();
  const loops = new Map<string, number>();
  for (const node of allNodes(nodes)) {
    if ("variable" in node && !variables.has(node.variable)) variables.set(node.variable, node.line);
    if ("options" in node && !loops.has(node.options.variable)) loops.set(node.options.variable, node.line);
  }
  return { variables, loops };
}
