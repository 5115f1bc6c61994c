// The names that Liquid files set and read, found without types.
import { allExpressions, allNodes } from "../../../liquid/syntax/node-contents.ts";
import type { Node, ParsedLiquid } from "../../../liquid/syntax/tree.ts";
import type { SetName } from "./file-check.ts";

/** Returns the variables that the nodes set, those of loops too, each with the line of the first tag that does. */
export function namesSet(nodes: readonly Node[]): Map<string, SetName> {
  const names = new Map<string, SetName>();
  for (const node of allNodes(nodes)) {
    const name = "variable" in node ? node.variable : "options" in node ? node.options.variable : null;
    if (name !== null && !names.has(name)) names.set(name, { line: node.line, isLoop: "options" in node });
  }
  return names;
}

/**
 * Returns the names of all values and properties that the files read, and all words of their literals, because some filters take the
 * path of a property. Null if a name is known only when the template is rendered.
 */
export function namesRead(files: readonly ParsedLiquid[]): Set<string> | null {
  const names = new Set<string>();
  for (const expression of files.flatMap(({ nodes }) => [...allExpressions(nodes)])) {
    if (expression.kind === "literal" && typeof expression.value === "string") for (const word of expression.value.split(".")) names.add(word);
    for (const name of expression.kind === "path" ? [expression.root, ...expression.steps] : []) {
      if (typeof name === "string") names.add(name);
      else if (name.kind !== "literal") return null;
    }
  }
  return names;
}
