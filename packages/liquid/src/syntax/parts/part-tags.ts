// Parses the tags `render`, `layout` and `block`.
import type { BlockParser, TagToken } from "../block-parser.ts";
import { ExpressionParser } from "../expression-parser.ts";
import { maxArguments } from "../limits.ts";
import { LiquidSyntaxError } from "../syntax-error.ts";
import type { Binding, NamedArguments, NodeKind } from "../tree.ts";
import { shortened } from "colophon-base/text";

/** Parses `"row" with item as row, size: 2`. */
export function renderNode(_parser: BlockParser, tag: TagToken): NodeKind {
  const parser = new ExpressionParser(tag.markup, tag.line);
  const part = partName(parser, tag);
  const binding = bindingOf(parser, part);
  return { kind: "render", part, binding, named: namedArguments(parser, tag) };
}

export function layoutNode(block: BlockParser, tag: TagToken): NodeKind {
  if (!block.isAtTop()) throw new LiquidSyntaxError("`layout` must not be inside another tag", tag.line);
  const parser = new ExpressionParser(tag.markup, tag.line);
  const part = partName(parser, tag);
  return { kind: "layout", part, named: namedArguments(parser, tag) };
}

export function blockNode(parser: BlockParser, tag: TagToken): NodeKind {
  const name = /^(?:(["']?)(\w[\w-]*)\1)?$/.exec(tag.markup);
  if (!name) {
    throw new LiquidSyntaxError("the name of a block consists of letters, digits, `_` and `-`", tag.line);
  }
  return { kind: "block", name: name[2] ?? "", body: parser.wholeBody(tag).nodes };
}

const validPartName = /^[\w-]+$/;

/** Whether templates can render a file of this name, given without `.liquid`. */
export function isPartName(name: string): boolean {
  return validPartName.test(name);
}

function partName(parser: ExpressionParser, { name: tag }: TagToken): string {
  const expression = parser.isAtEnd() ? null : parser.expression();
  const name = expression?.kind === "literal" ? expression.value : null;
  if (typeof name !== "string") {
    throw parser.error(
      `\`${tag}\` needs the name of a part in quotes, because all parts must be known when a template is pushed`,
    );
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

/** Commas between the arguments may be left out. */
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
