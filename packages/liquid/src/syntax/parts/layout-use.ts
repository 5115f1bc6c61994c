// Finds the layout that a file begins with, and divides the file into the blocks that fill the layout and the rest.
import { newlinesIn } from "colophon-base/line-counter";
import { printsOnlySpace } from "../block-parser.ts";
import { allNodes } from "../node-contents.ts";
import { LiquidSyntaxError } from "../syntax-error.ts";
import type { BlockNode, LayoutUse, Node } from "../tree.ts";

/** `nodes` are those of a whole file. Returns null when the file has no layout. */
export function layoutOf(nodes: Node[]): LayoutUse | null {
  const index = nodes.findIndex(({ kind }) => kind === "layout");
  const layout = nodes[index];
  if (layout?.kind !== "layout") return null;
  if (nodes.slice(0, index).some((node) => node.kind !== "text" || node.text.trim() !== "")) {
    throw new LiquidSyntaxError("`layout` must come first in the file; only comments may precede it", layout.line);
  }
  const rest = nodes.slice(index + 1);
  const second = rest.find(({ kind }) => kind === "layout");
  if (second) throw new LiquidSyntaxError("the file has a layout already", second.line);
  const outside = rest.filter((node) => !isNamedBlock(node));
  for (const node of allNodes(outside)) {
    if (isNamedBlock(node)) throw new LiquidSyntaxError(conditionalBlock(node.name), node.line);
  }
  const { part, named, line } = layout;
  const printed = outside.find((node) => !printsOnlySpace(node));
  const printLine = printed ? firstLine(printed) : null;
  return { part, named, line, blocks: blocksOf(rest), outside, printLine };
}

/** Returns the line on which the node prints its first character that is not a space. */
function firstLine(node: Node): number {
  if (node.kind !== "text") return node.line;
  return node.line + newlinesIn(node.text.slice(0, node.text.search(/\S/)));
}

function blocksOf(nodes: Node[]): LayoutUse["blocks"] {
  const blocks = new Map<string, BlockNode & { line: number }>();
  for (const node of nodes) {
    if (!isNamedBlock(node)) continue;
    if (blocks.has(node.name)) throw new LiquidSyntaxError(`the block \`${node.name}\` is filled twice`, node.line);
    blocks.set(node.name, node);
  }
  return blocks;
}

function isNamedBlock(node: Node): node is BlockNode & { line: number } {
  return node.kind === "block" && node.name !== "";
}

function conditionalBlock(name: string): string {
  return `the block \`${name}\` fills the layout, so it must not be inside another tag; put the other tag into the block`;
}
