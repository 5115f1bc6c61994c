// The tags of the template language. To add a tag, add its parser here, its node to `tree.ts` and its evaluation to
// `render/`.
import { newlinesIn } from "colophon-base/line-counter";
import { ExpressionParser } from "./expression-parser.ts";
import { loopNode, tablerowNode } from "./loop-tags.ts";
import { blockNode, layoutNode, renderNode } from "./parts/part-tags.ts";
import { outputNode, stripBlank, type BlockParser, type Body, type TagParser, type TagToken } from "./block-parser.ts";
import { LiquidSyntaxError } from "./syntax-error.ts";
import type { Branch, CaseBranch, Condition, Expression, NodeKind } from "./tree.ts";

export const tagParsers: Record<string, TagParser> = {
  "#": inlineComment,
  assign: assignNode,
  block: blockNode,
  break: () => ({ kind: "break" }),
  capture: captureNode,
  case: caseNode,
  comment(parser, tag) {
    parser.skipComment(tag);
    return null;
  },
  continue: () => ({ kind: "continue" }),
  cycle: cycleNode,
  decrement: counterNode("decrement"),
  echo: (parser, { markup, markupLine }) => outputNode(parser, markup, markupLine),
  for: loopNode,
  if: (parser, tag) => ifNode(parser, tag, false),
  ifchanged: (parser, tag) => ({ kind: "ifchanged", body: parser.wholeBody(tag).nodes }),
  increment: counterNode("increment"),
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

function captureNode(parser: BlockParser, tag: TagToken): NodeKind {
  const variable = variableName(tag);
  return { kind: "capture", variable, body: parser.wholeBody(tag).nodes };
}

function counterNode(kind: "increment" | "decrement"): TagParser {
  return (_parser, tag) => ({ kind, variable: variableName(tag) });
}

function variableName({ name, markup, line }: TagToken): string {
  const match = /^(["']?)(\w[\w-]*)\1$/.exec(markup);
  if (!match?.[2]) throw new LiquidSyntaxError(`\`${name}\` needs the name of a variable`, line);
  return match[2];
}

function ifNode(parser: BlockParser, tag: TagToken, negated: boolean): NodeKind {
  return parser.nested(tag, () => {
    const end = `end${tag.name}`;
    const conditions: (Condition | null)[] = [conditionOf(tag)];
    const bodies: Body[] = [];
    for (;;) {
      const body = parser.body(["elsif", "else", end], tag);
      bodies.push(body);
      const { ending } = body;
      if (!ending || ending.name === end) break;
      if (ending.name === "else" && /^if\b/.test(ending.markup)) {
        throw new LiquidSyntaxError("`else` takes no condition; write `elsif`", ending.line);
      }
      conditions.push(ending.name === "else" ? null : conditionOf(ending));
    }
    const isBlank = stripBlank(bodies);
    const branches = bodies.map(({ nodes }, index): Branch => {
      return { condition: conditions[index] ?? null, negated: negated && index === 0, body: nodes };
    });
    return { kind: "if", branches, isBlank };
  });
}

function conditionOf({ markup, markupLine }: TagToken): Condition {
  const parser = new ExpressionParser(markup, markupLine);
  const condition = parser.condition();
  parser.expectEnd();
  return condition;
}

function caseNode(parser: BlockParser, tag: TagToken): NodeKind {
  return parser.nested(tag, () => {
    const expressions = new ExpressionParser(tag.markup, tag.markupLine);
    const value = expressions.expression();
    expressions.expectEnd();
    const endings = ["when", "else", "endcase"];
    // What stands before the first `when` is ignored.
    let { ending } = parser.body(endings, tag);
    const values: (Expression[] | null)[] = [];
    const lines: number[] = [];
    const bodies: Body[] = [];
    while (ending && ending.name !== "endcase") {
      const body = parser.body(endings, tag);
      values.push(ending.name === "when" ? whenValues(ending) : null);
      lines.push(ending.line);
      bodies.push(body);
      ending = body.ending;
    }
    const isBlank = stripBlank(bodies);
    const branches = bodies.map(({ nodes }, index): CaseBranch => {
      return { values: values[index] ?? null, body: nodes, line: lines[index] ?? tag.line };
    });
    return { kind: "case", value, branches, isBlank };
  });
}

function whenValues({ markup, markupLine }: TagToken): Expression[] {
  const parser = new ExpressionParser(markup, markupLine);
  const values = [parser.expression()];
  while (parser.takes(",") || parser.takes("or")) values.push(parser.expression());
  parser.expectEnd();
  return values;
}

function cycleNode(_parser: BlockParser, { markup, markupLine }: TagToken): NodeKind {
  const parser = new ExpressionParser(markup, markupLine);
  const first = parser.expression();
  const isNamed = parser.takes(":");
  const values = [isNamed ? parser.expression() : first];
  while (parser.takes(",") && !parser.isAtEnd()) values.push(parser.expression());
  parser.expectEnd();
  // Cycles without a name are the same cycle when they list the same values.
  return { kind: "cycle", group: isNamed ? first : `values:${textOf(values)}`, values };
}

/** Returns a text that is the same for equal expressions, wherever they stand. */
function textOf(values: Expression[]): string {
  return JSON.stringify(values, (key, value: unknown) => (key === "line" ? undefined : value));
}
