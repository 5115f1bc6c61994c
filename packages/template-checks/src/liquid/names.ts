// The names that Liquid files set.
import { allNodes, type Node } from "colophon-liquid/syntax";
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
