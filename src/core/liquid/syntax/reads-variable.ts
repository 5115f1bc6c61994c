// Finds out from the parse tree whether a file reads a variable, before any data is known.
import type { Condition, Expression, FilteredExpression, LoopOptions, Node, ParsedLiquid } from "./tree.ts";

/**
 * Whether any expression of the file may read the variable. The result is also true if the file itself sets a variable
 * of this name, and if the name of a variable is known only when the file is rendered, as in `[key].number`.
 */
export function readsVariable({ nodes }: Pick<ParsedLiquid, "nodes">, name: string): boolean {
  return nodes.some((node) => {
    const { expressions, bodies } = partsOf(node);
    return (
      expressions.some((expression) => expressionReads(expression, name)) ||
      bodies.some((body) => readsVariable({ nodes: body }, name))
    );
  });
}

function expressionReads(expression: Expression, name: string): boolean {
  switch (expression.kind) {
    case "literal":
      return false;
    case "range":
      return expressionReads(expression.from, name) || expressionReads(expression.to, name);
    case "path":
      return (
        rootMayBe(expression.root, name) ||
        expression.steps.some((step) => typeof step !== "string" && expressionReads(step, name))
      );
  }
}

function rootMayBe(root: string | Expression, name: string): boolean {
  if (typeof root === "string") return root === name;
  return root.kind !== "literal" || root.value === name;
}

/** The expressions and the blocks that a node contains directly. */
type Parts = { expressions: Expression[]; bodies: Node[][] };

function partsOf(node: Node): Parts {
  switch (node.kind) {
    case "output":
    case "assign":
      return { expressions: filteredParts(node.expression), bodies: [] };
    case "capture":
    case "ifchanged":
      return { expressions: [], bodies: [node.body] };
    case "if":
      return {
        expressions: node.branches.flatMap(({ condition }) => (condition ? conditionParts(condition) : [])),
        bodies: node.branches.map(({ body }) => body),
      };
    case "case":
      return {
        expressions: [node.value, ...node.branches.flatMap(({ values }) => values ?? [])],
        bodies: node.branches.map(({ body }) => body),
      };
    case "for":
      return { expressions: loopParts(node.options), bodies: [node.body, node.otherwise] };
    case "tablerow":
      return { expressions: present([...loopParts(node.options), node.columns]), bodies: [node.body] };
    case "cycle":
      return { expressions: present([node.group, ...node.values]), bodies: [] };
    case "text":
    case "increment":
    case "decrement":
    case "break":
    case "continue":
      return { expressions: [], bodies: [] };
  }
}

function filteredParts({ value, filters }: FilteredExpression): Expression[] {
  return [value, ...filters.flatMap(({ positional, named }) => [...positional, ...named.map(([, option]) => option)])];
}

function conditionParts({ operands }: Condition): Expression[] {
  return operands.flatMap(({ left, comparison }) => (comparison ? [left, comparison.right] : [left]));
}

function loopParts({ collection, limit, offset }: LoopOptions): Expression[] {
  return present([collection, limit, offset]);
}

/** Leaves out what is absent or a plain text, such as the name of a cycle. */
function present(parts: (Expression | string | null)[]): Expression[] {
  return parts.filter((part) => part !== null && typeof part !== "string");
}
