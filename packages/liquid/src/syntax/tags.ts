// The tags of the template language. To add a tag, add its parser here, its node to `tree.ts` and its evaluation to
// `render/`.
import { newlinesIn } from "colophon-base/line-counter";
import { LiquidSyntaxError } from "../errors.ts";
import { outputNode, stripBlank, type BlockParser, type Body, type TagParser, type TagToken } from "./block-parser.ts";
import { ExpressionParser } from "./expression-parser.ts";
import { blockNode, layoutNode, renderNode } from "./parts.ts";
import type { Condition, Expression, LoopOptions, NodeKind } from "./tree.ts";

export const tagParsers: Record<string, TagParser> = {
  "#": inlineComment,
  assign: assignNode,
  block: blockNode,
  break: () => ({ kind: "break" }),
  capture: (parser, tag) => ({
    kind: "capture",
    variable: capturedName(parser, tag),
    body: parser.wholeBody(tag).nodes,
  }),
  case: caseNode,
  comment(parser, tag) {
    parser.skipComment(tag);
    return null;
  },
  continue: () => ({ kind: "continue" }),
  cycle: cycleNode,
  decrement: (_parser, tag) => ({ kind: "decrement", variable: variableName(tag) }),
  echo: (parser, { markup, markupLine }) => outputNode(parser, markup, markupLine),
  for: loopNode,
  if: (parser, tag) => ifNode(parser, tag, false),
  ifchanged: (parser, tag) => ({ kind: "ifchanged", body: parser.wholeBody(tag).nodes }),
  increment: (_parser, tag) => ({ kind: "increment", variable: variableName(tag) }),
  layout: layoutNode,
  render: renderNode,
  tablerow: tablerowNode,
  unless: (parser, tag) => ifNode(parser, tag, true),
};

function inlineComment(_parser: BlockParser, { markup, line }: TagToken): null {
  const [, ...lines] = markup.split("\n");
  const isComment = lines.every((text) => text.trim() === "" || text.trim().startsWith("#"));
  if (!isComment) throw new LiquidSyntaxError("every line of an inline comment must begin with `#`", line);
  return null;
}

function assignNode(parser: BlockParser, { markup, line, markupLine }: TagToken): NodeKind {
  const target = /^([\w][\w-]*)\s*=(?!=)/.exec(markup);
  if (!target?.[1]) throw new LiquidSyntaxError("`assign` needs a name, `=` and a value", line);
  const expression = parser.filtered(markup.slice(target[0].length), markupLine + newlinesIn(target[0]));
  return { kind: "assign", variable: target[1], expression };
}

function variableName({ name, markup, line }: TagToken): string {
  const match = /^(["']?)(\w[\w-]*)\1$/.exec(markup);
  if (!match?.[2]) throw new LiquidSyntaxError(`\`${name}\` needs the name of a variable`, line);
  return match[2];
}

function capturedName(parser: BlockParser, tag: TagToken): string {
  return parser.attempt(tag, () => variableName(tag), firstWord(tag.markup));
}

function ifNode(parser: BlockParser, tag: TagToken, negated: boolean): NodeKind {
  const conditionOf = (token: TagToken) => parser.attempt(token, () => branchCondition(token), unparsedCondition);
  return parser.nested(tag, () => {
    const end = `end${tag.name}`;
    const branches: { condition: Condition | null; body: Body }[] = [];
    for (let begin: TagToken | null = tag; begin && begin.name !== end;) {
      const condition = conditionOf(begin);
      const body = parser.body(["elsif", "else", end], tag);
      branches.push({ condition, body });
      begin = body.ending;
    }
    const isBlank = stripBlank(branches.map(({ body }) => body));
    return {
      kind: "if",
      branches: branches.map(({ condition, body: { nodes } }, index) => {
        return { condition, negated: negated && index === 0, body: nodes };
      }),
      isBlank,
    };
  });
}

const unparsedCondition: Condition = { operands: [], connectives: [] };

function branchCondition(token: TagToken): Condition | null {
  if (token.name !== "else") return parsedMarkup(token, (expressions) => expressions.condition());
  if (/^if\b/.test(token.markup)) throw new LiquidSyntaxError("`else` takes no condition; write `elsif`", token.line);
  return null;
}

/** Parses the whole inside of a tag. */
function parsedMarkup<T>({ markup, markupLine }: TagToken, parse: (parser: ExpressionParser) => T): T {
  const parser = new ExpressionParser(markup, markupLine);
  const parsed = parse(parser);
  parser.expectEnd();
  return parsed;
}

function caseNode(parser: BlockParser, tag: TagToken): NodeKind {
  return parser.nested(tag, () => {
    const value = parser.attempt(tag, () => parsedMarkup(tag, (expressions) => expressions.expression()), unparsed);
    const endings = ["when", "else", "endcase"];
    const branches: { begin: TagToken; values: Expression[] | null; body: Body }[] = [];
    // Everything before the first `when` is ignored.
    let begin = parser.body(endings, tag).ending;
    while (begin && begin.name !== "endcase") {
      const body = parser.body(endings, tag);
      const { name } = begin;
      const when = begin;
      const values = name === "when" ? parser.attempt(when, () => parsedMarkup(when, whenValues), []) : null;
      branches.push({ begin, values, body });
      begin = body.ending;
    }
    const isBlank = stripBlank(branches.map(({ body }) => body));
    return {
      kind: "case",
      value,
      branches: branches.map(({ begin: { line }, values, body: { nodes } }) => ({ values, body: nodes, line })),
      isBlank,
    };
  });
}

const unparsed: Expression = { kind: "literal", value: undefined };

function whenValues(parser: ExpressionParser): Expression[] {
  const values = [parser.expression()];
  while (parser.takes(",") || parser.takes("or")) values.push(parser.expression());
  return values;
}

function cycleNode(_parser: BlockParser, tag: TagToken): NodeKind {
  return parsedMarkup(tag, (parser) => {
    const first = parser.expression();
    const isNamed = parser.takes(":");
    const values = [isNamed ? parser.expression() : first];
    while (parser.takes(",") && !parser.isAtEnd()) values.push(parser.expression());
    // Cycles without a name are the same cycle if they list the same values.
    return { kind: "cycle", group: isNamed ? first : `values:${textOf(values)}`, values };
  });
}

/** Returns a string that is the same for equal expressions, wherever they occur. */
function textOf(values: Expression[]): string {
  return JSON.stringify(values, (key, value: unknown) => (key === "line" ? undefined : value));
}

function loopNode(parser: BlockParser, tag: TagToken): NodeKind {
  const { options, reversed } = parser.attempt(tag, () => loopHead(tag), unparsedHead(tag));
  return parser.nested(tag, () => {
    const body = parser.body(["else", "endfor"], tag);
    const otherwise = body.ending?.name === "else" ? parser.body(["endfor"], tag) : null;
    const isBlank = stripBlank(otherwise ? [body, otherwise] : [body]);
    return { kind: "for", options, reversed, body: body.nodes, otherwise: otherwise?.nodes ?? [], isBlank };
  });
}

function tablerowNode(parser: BlockParser, tag: TagToken): NodeKind {
  const { options, columns } = parser.attempt(tag, () => loopHead(tag), unparsedHead(tag));
  return { kind: "tablerow", options, columns, body: parser.wholeBody(tag).nodes };
}

type LoopHead = { options: LoopOptions; reversed: boolean; columns: Expression | null };

function unparsedHead({ markup }: TagToken): LoopHead {
  const options = { variable: firstWord(markup), collection: unparsed, name: "", limit: null, offset: null };
  return { options, reversed: false, columns: null };
}

function firstWord(markup: string): string {
  return /\w+/.exec(markup)?.[0] ?? "item";
}

/** Parses `item in items reversed limit: 2, offset: 3 cols: 4`. The commas between options are optional. */
function loopHead({ name, markup, markupLine }: TagToken): LoopHead {
  const parser = new ExpressionParser(markup, markupLine);
  const variable = parser.name(`the name of the variable in \`${name}\``);
  if (parser.takes(",")) throw parser.error(`\`${name}\` takes one variable`);
  if (!parser.takes("in")) throw parser.error(`\`in\` is missing in \`${name}\``);
  const before = parser.rest();
  const collection = parser.expression();
  const written = before.slice(0, before.length - parser.rest().length).trim();
  const head: LoopHead = {
    options: { variable, collection, name: `${variable}-${written}`, limit: null, offset: null },
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
