// Parts and layouts: parses the tags `render`, `layout` and `block`, divides a file with a layout into the blocks that fill it and the
// rest, and lists the parts that a file uses.
import { newlinesIn } from "colophon-base/line-counter";
import { shortened } from "colophon-base/text";
import { LiquidSyntaxError } from "../errors.ts";
import { printsOnlySpace, type BlockParser, type TagToken } from "./block-parser.ts";
import { ExpressionParser } from "./expression-parser.ts";
import { maxArguments } from "./limits.ts";
import { allNodes } from "./node-contents.ts";
import type { Binding, BlockNode, LayoutUse, NamedArguments, Node, NodeKind, ParsedLiquid } from "./tree.ts";

/** Parses `"row" with item as row, size: 2`. */
export function renderNode(_parser: BlockParser, tag: TagToken): NodeKind {
  const parser = new ExpressionParser(tag.markup, tag.line);
  const part = partName(parser, tag);
  return { kind: "render", part, binding: bindingOf(parser, part), named: namedArguments(parser, tag) };
}

export function layoutNode(block: BlockParser, tag: TagToken): NodeKind {
  if (!block.isAtTop()) throw new LiquidSyntaxError("`layout` must not be inside another tag", tag.line);
  const parser = new ExpressionParser(tag.markup, tag.line);
  const part = partName(parser, tag);
  return { kind: "layout", part, named: namedArguments(parser, tag) };
}

export function blockNode(parser: BlockParser, tag: TagToken): NodeKind {
  const name = parser.attempt(tag, () => blockName(tag), "");
  return { kind: "block", name, body: parser.wholeBody(tag).nodes };
}

function blockName({ markup, line }: TagToken): string {
  const name = /^(?:(["']?)(\w[\w-]*)\1)?$/.exec(markup);
  if (!name) throw new LiquidSyntaxError("the name of a block consists of letters, digits, `_` and `-`", line);
  return name[2] ?? "";
}

/** Returns whether templates can render a file with this name, given without `.liquid`. */
export function isPartName(name: string): boolean {
  return /^[\w-]+$/.test(name);
}

function partName(parser: ExpressionParser, { name: tag }: TagToken): string {
  const expression = parser.isAtEnd() ? null : parser.expression();
  const name = expression?.kind === "literal" ? expression.value : null;
  if (typeof name !== "string") {
    const reason = "because all parts must be known when a template is pushed";
    throw parser.error(`\`${tag}\` needs the name of a part in quotes, ${reason}`);
  }
  if (isPartName(name)) return name;
  const short = name.replace(/^(?:\.?\/)?(?:parts\/)?/, "").replace(/\.liquid$/, "");
  const remedy = isPartName(short) ? `write \`${shortened(short)}\`` : "it consists of letters, digits, `_` and `-`";
  throw parser.error(`\`${shortened(name)}\` is not the name of a part; ${remedy}`);
}

function bindingOf(parser: ExpressionParser, part: string): Binding | null {
  if (parser.startsNamedArgument()) return null;
  const kind = parser.takes("with") ? "with" : parser.takes("for") ? "for" : null;
  if (!kind) return null;
  const value = parser.expression();
  const alias = parser.takes("as") ? parser.name("the name of the variable after `as`") : part;
  return { kind, value, alias };
}

/** The commas between arguments are optional. */
function namedArguments(parser: ExpressionParser, { name: tag }: TagToken): NamedArguments {
  const named: NamedArguments = [];
  while (!parser.isAtEnd()) {
    if (parser.takes(",")) continue;
    if (!parser.startsNamedArgument()) {
      throw parser.error(`every argument of \`${tag}\` needs a name and a colon, as in \`item: item\``);
    }
    const name = parser.name("the name of the argument");
    parser.expects(":");
    if (named.some(([other]) => other === name)) throw parser.error(`the argument \`${name}\` is given twice`);
    named.push([name, parser.expression()]);
    if (named.length > maxArguments) throw parser.error(`\`${tag}\` has more than ${maxArguments} arguments`);
  }
  return named;
}

/** `nodes` are all nodes of a file. Returns null if the file has no layout. */
export function layoutOf(nodes: Node[]): LayoutUse | null {
  const index = nodes.findIndex(({ kind }) => kind === "layout");
  const layout = nodes[index];
  if (layout?.kind !== "layout") return null;
  if (nodes.slice(0, index).some((node) => node.kind !== "text" || node.text.trim() !== "")) {
    throw new LiquidSyntaxError("`layout` must come first in the file; only comments may precede it", layout.line);
  }
  const rest = nodes.slice(index + 1);
  const second = rest.find(({ kind }) => kind === "layout");
  if (second) throw new LiquidSyntaxError("the file already has a layout", second.line);
  const outside = rest.filter((node) => !isNamedBlock(node));
  for (const node of allNodes(outside)) {
    if (!isNamedBlock(node)) continue;
    const reason = `the block \`${node.name}\` fills the layout, so it must not be inside another tag`;
    throw new LiquidSyntaxError(`${reason}; put the other tag into the block`, node.line);
  }
  const { part, named, line } = layout;
  const printed = outside.find((node) => !printsOnlySpace(node));
  const printLine = printed ? firstLine(printed) : null;
  return { part, named, line, blocks: blocksOf(rest), outside, printLine };
}

/** Returns the line on which the node prints its first non-space character. */
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

/**
 * One tag that uses a part. In a rendered part, only the arguments and the binding are variables; a layout can read all
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

/** Returns the uses of parts in file order. */
export function partUses({ nodes }: { nodes: readonly Node[] }): PartUse[] {
  const uses: PartUse[] = [];
  for (const node of allNodes(nodes)) {
    if (node.kind !== "render" && node.kind !== "layout") continue;
    const { kind, part, named, line } = node;
    uses.push({ tag: kind, part, binding: node.kind === "render" ? node.binding : null, named, line });
  }
  return uses;
}

/** Returns the file and all parts that it uses directly or indirectly. Missing parts are left out. */
export function filesUsedBy(file: ParsedLiquid, parts: Parts): ParsedLiquid[] {
  const files = new Set([file]);
  // The set grows while it is iterated.
  for (const { nodes } of files) {
    for (const { part } of partUses({ nodes })) {
      const used = parts.get(part);
      if (used) files.add(used);
    }
  }
  return [...files];
}
