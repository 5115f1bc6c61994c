// Finds out from the parse tree whether a file reads a variable, before any data is known.
import { allExpressions } from "./node-contents.ts";
import type { Expression, ParsedLiquid } from "./tree.ts";

/**
 * Whether any expression of the file may read the variable. The result is also true if the file itself sets a variable
 * of this name, and if the name of a variable is known only when the file is rendered, as in `[key].number`.
 */
export function readsVariable({ nodes }: Pick<ParsedLiquid, "nodes">, name: string): boolean {
  for (const expression of allExpressions(nodes)) {
    if (expression.kind === "path" && rootMayBe(expression.root, name)) return true;
  }
  return false;
}

function rootMayBe(root: string | Expression, name: string): boolean {
  if (typeof root === "string") return root === name;
  return root.kind !== "literal" || root.value === name;
}
