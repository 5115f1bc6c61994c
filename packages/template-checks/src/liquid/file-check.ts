// What the checks of one Liquid file share, and the names in a file.
import { allNodes, type Node } from "colophon-liquid/syntax";
import type { MessageUses } from "../check-messages.ts";
import type { CheckBudget, Report } from "../findings.ts";
import type { Scope } from "./scope.ts";
import type { ValueType } from "./value-type.ts";

export type FileCheck = {
  file: string;
  scope: Scope;
  report: Report;
  /** Whether so much has been reported that messages need not be made any more. */
  isFull(): boolean;
  budget: CheckBudget;
  /** The names that the file sets, each with the first tag that does. */
  names: ReadonlyMap<string, SetName>;
  /** What a part is called, and whether its template has a field of a name; null for the other files. */
  part: { name: string; isField(name: string): boolean } | null;
  usePart(use: PartUse): void;
  /** The template's messages, and which of them are used so far. */
  messages: MessageUses;
};

type SetName = { line: number; isLoop: boolean };

/** The types of what a tag passes to a part, or to the layout of the file. */
export type PartUse = { part: string; isLayout: boolean; values: ReadonlyMap<string, ValueType> };

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
