// The names that Liquid files set.
import { allNodes, type Node } from "colophon-liquid/syntax";
import type { SetName } from "./file-check.ts";

/** Returns the variables that the nodes set, including loop variables, each with the line of the first tag that does. */
export function namesSet(nodes: readonly Node[]): Map<string, SetName> {
  const names = new Map<string, SetName>();
  for (const node of allNodes(nodes)) {
    const name = "variable" in node ? node.variable : "options" in node ? node.options.variable : null;
    if (name !== null && !names.has(name)) names.set(name, { line: node.line, isLoop: "options" in node });
  }
  return names;
}

/** Returns the names that the nodes only ask for, as in `{% if note %}` and `{% unless note %}`. */
export function namesTested(nodes: readonly Node[]): string[] {
  const names = new Set<string>();
  for (const node of allNodes(nodes)) {
    if (node.kind !== "if") continue;
    for (const { left, comparison } of node.branches.flatMap(({ condition }) => condition?.operands ?? []))
      if (!comparison && left.kind === "path" && typeof left.root === "string" && left.steps.length === 0)
        names.add(left.root);
  }
  return [...names];
}
