// Lists the parts that a file renders or uses as its layout.
import { allNodes } from "../node-contents.ts";
import type { Binding, NamedArguments, Node, ParsedLiquid } from "../tree.ts";

/**
 * One tag that uses a part. In a part that is rendered, only the arguments and the binding are variables; a layout sees all
 * variables of the file that uses it. `line` counts from 1.
 */
export type PartUse = {
  tag: "render" | "layout";
  part: string;
  binding: Binding | null;
  named: NamedArguments;
  line: number;
};

/** The parsed parts of a template, by name. */
export type Parts = ReadonlyMap<string, ParsedLiquid>;

/** Returns the uses of parts in the order of the file. */
export function partUses({ nodes }: { nodes: readonly Node[] }): PartUse[] {
  const uses: PartUse[] = [];
  for (const node of allNodes(nodes)) {
    if (node.kind !== "render" && node.kind !== "layout") continue;
    const { kind, part, named, line } = node;
    uses.push({ tag: kind, part, binding: node.kind === "render" ? node.binding : null, named, line });
  }
  return uses;
}

/** Returns the file and all parts that it uses, also indirectly. Parts that do not exist are left out. */
export function filesUsedBy(file: ParsedLiquid, parts: Parts): ParsedLiquid[] {
  const found = new Set([file]);
  // The set grows while it is iterated.
  for (const { nodes } of found) {
    for (const { part } of partUses({ nodes })) {
      const used = parts.get(part);
      if (used) found.add(used);
    }
  }
  return [...found];
}
