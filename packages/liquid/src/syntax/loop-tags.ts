// Parses the tags `for` and `tablerow`.
import { stripBlank, type BlockParser, type TagToken } from "./block-parser.ts";
import { ExpressionParser } from "./expression-parser.ts";
import type { Expression, LoopOptions, NodeKind } from "./tree.ts";

export function loopNode(parser: BlockParser, tag: TagToken): NodeKind {
  const { options, reversed } = loopHead(tag);
  return parser.nested(tag, () => {
    const body = parser.body(["else", "endfor"], tag);
    const otherwise = body.ending?.name === "else" ? parser.body(["endfor"], tag) : null;
    const isBlank = stripBlank(otherwise ? [body, otherwise] : [body]);
    return { kind: "for", options, reversed, body: body.nodes, otherwise: otherwise?.nodes ?? [], isBlank };
  });
}

export function tablerowNode(parser: BlockParser, tag: TagToken): NodeKind {
  const { options, columns } = loopHead(tag);
  return { kind: "tablerow", options, columns, body: parser.wholeBody(tag).nodes };
}

type LoopHead = { options: LoopOptions; reversed: boolean; columns: Expression | null };

/** Parses `item in items reversed limit: 2, offset: 3 cols: 4`. Commas between the options may be left out. */
function loopHead({ name, markup, markupLine }: TagToken): LoopHead {
  const parser = new ExpressionParser(markup, markupLine);
  const variable = parser.name(`the name of the variable in \`${name}\``);
  if (!parser.takes("in")) throw parser.error(`\`in\` is missing in \`${name}\``);
  const start = parser.position();
  const collection = parser.expression();
  const head: LoopHead = {
    options: { variable, collection, name: `${variable}-${parser.textFrom(start)}`, limit: null, offset: null },
    reversed: false,
    columns: null,
  };
  while (!parser.isAtEnd()) loopOption(parser, name, head);
  return head;
}

function loopOption(parser: ExpressionParser, tag: string, head: LoopHead): void {
  if (parser.takes(",")) return;
  if (!parser.startsNamedArgument()) {
    if (tag !== "for" || !parser.takes("reversed")) parser.expectEnd();
    head.reversed = true;
    return;
  }
  const option = parser.name("the name of the option");
  parser.expects(":");
  if (option === "limit") head.options.limit = parser.expression();
  else if (option === "offset") head.options.offset = parser.takes("continue") ? "continue" : parser.expression();
  else if (option === "cols" && tag === "tablerow") head.columns = parser.expression();
  else throw parser.error(`\`${tag}\` has no option \`${option}\``);
}
