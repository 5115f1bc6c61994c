// Finds out from the parse tree whether a file reads a variable, before any data is known.
import { contentsOf } from "./node-contents.ts";
import type { Expression, ParsedLiquid } from "./tree.ts";

/**
 * Whether any expression of the file may read the variable. The result is also true if the file itself sets a variable
 * of this name, and if the name of a variable is known only when the file is rendered, as in `[key].number`.
 */
export function readsVariable({ nodes }: Pick<ParsedLiquid, "nodes">, name: string): boolean {
  return nodes.some((node) => {
    const { expressions, bodies } = contentsOf(node);
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
