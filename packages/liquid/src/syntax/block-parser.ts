// Parses the tokens of a template into nodes. The parsers of tags that contain other nodes call it to parse their
// bodies.
import { newlinesIn } from "colophon-base/line-counter";
import { LiquidSyntaxError } from "../errors.ts";
import { ExpressionParser, type KnownFilters } from "./expression-parser.ts";
import { foreignOutput, unclosedAt } from "./foreign-output.ts";
import { maxNesting, tooDeep } from "./limits.ts";
import { isDividing, unknownTag } from "./remedies.ts";
import { commentEnd, scanLiquidTag, scanTemplate, type Token } from "./scanner.ts";
import type { FilteredExpression, Node, NodeKind } from "./tree.ts";

export type TagToken = Extract<Token, { kind: "tag" }>;

/**
 * The nodes up to the tag that ended them. `isBlank` is true if they print only white space; a block whose bodies are all blank prints
 * nothing.
 */
export type Body = { nodes: Node[]; isBlank: boolean; ending: TagToken | null };

/** Returns the tag's node, or null if the tag prints nothing and changes nothing. */
export type TagParser = (parser: BlockParser, tag: TagToken) => NodeKind | null;

export class BlockParser {
  readonly #tokens: Token[];
  readonly #tagParsers: Record<string, TagParser>;
  readonly #known: KnownFilters;
  #position = 0;
  readonly #outerDepth: number;
  /** The names of the blocks around the position, the innermost last. */
  readonly #open: string[] = [];
  /** The names of unknown tags before the position. They may be blocks, so the ends and branches of these are not mistakes. */
  readonly #unknownTags = new Set<string>();
  /** A misplaced end tag that no outer block has found yet. */
  #misplaced: Token | null = null;
  /** Whether an end was misspelt or misplaced, so that the block may have been closed. */
  #hasWrongEnd = false;
  /** The line of the last text that contains `%}`, which usually means that the opening of a tag is misspelt. */
  #brokenTagLine: number | null = null;

  /** Mistakes are added to `known`. */
  constructor(tokens: Token[], tagParsers: Record<string, TagParser>, known: KnownFilters, outerDepth = 0) {
    this.#tokens = tokens;
    this.#tagParsers = tagParsers;
    this.#known = known;
    this.#outerDepth = outerDepth;
  }

  /** Parses nodes up to a tag in `endings`. `opening` is the tag of the block, or null for a whole file. */
  body(endings: readonly string[], opening: TagToken | null): Body {
    const nodes: Node[] = [];
    let isBlank = true;
    for (let token = this.#next(); token; token = this.#next()) {
      if (token.kind === "tag" && endings.includes(token.name)) return { nodes, isBlank, ending: token };
      if (this.#endsOuterBlock(token, opening)) return { nodes, isBlank, ending: null };
      for (const node of this.#knownNodesOf(token, opening)) {
        nodes.push(node);
        isBlank &&= printsOnlySpace(node);
      }
    }
    if (opening && !this.#hasWrongEnd) {
      const reason = `the tag \`${opening.name}\` is not closed with \`end${opening.name}\``;
      this.#known.mistakes.add(new LiquidSyntaxError(reason, opening.line));
    }
    return { nodes, isBlank, ending: null };
  }

  /** Parses the body of a block that has a single body, up to the end tag. */
  wholeBody(opening: TagToken): Body {
    return this.nested(opening, () => this.body([`end${opening.name}`], opening));
  }

  nested<T>(opening: TagToken, parse: () => T): T {
    this.#open.push(opening.name);
    if (this.#depth > maxNesting) throw new LiquidSyntaxError(tooDeep, opening.line, { isFatal: true });
    try {
      return parse();
    } finally {
      this.#open.pop();
    }
  }

  /** Returns `fallback` if `parse`, which parses the inside of the tag, throws a mistake. The tag's body is then still parsed. */
  attempt<T>({ markup }: TagToken, parse: () => T, fallback: T): T {
    return this.#known.mistakes.attempt(markup, parse, fallback);
  }

  /** Returns whether the current tag is outside all blocks. */
  isAtTop(): boolean {
    return this.#depth === 0;
  }

  get #depth(): number {
    return this.#outerDepth + this.#open.length;
  }

  /** Parses an expression with its filters, up to the end of the markup. */
  filtered(markup: string, line: number): FilteredExpression {
    const parser = new ExpressionParser(markup, line);
    const expression = parser.filtered(this.#known);
    parser.expectEnd();
    return expression;
  }

  /** Skips everything up to the end of a `comment` block. Comments and `raw` blocks inside it are skipped too. */
  skipComment(opening: TagToken): void {
    const end = commentEnd(this.#tokens, this.#position);
    this.#position = end < 0 ? this.#tokens.length : end;
    if (end >= 0) return;
    this.#hasWrongEnd = true;
    const reason = "the tag `comment` is not closed with `endcomment`";
    this.#known.mistakes.addUnclosed(new LiquidSyntaxError(reason, opening.line));
  }

  /** Returns whether the token ends a block around the innermost one, and leaves it to that block. */
  #endsOuterBlock(token: Token, opening: TagToken | null): boolean {
    if (token.kind !== "tag" || !opening || !token.name.startsWith("end")) return false;
    if (!this.#open.slice(0, -1).includes(token.name.slice(3))) return false;
    this.#position--;
    if (this.#misplaced !== token) this.#known.mistakes.add(this.#unknownTag(token, opening));
    this.#misplaced = token;
    return true;
  }

  #knownNodesOf(token: Token, opening: TagToken | null): Node[] {
    if (token.kind === "text") return this.#nodesOf(token, opening);
    return this.#known.mistakes.attempt(token.markup, () => this.#nodesOf(token, opening), []);
  }

  #nodesOf(token: Token, opening: TagToken | null): Node[] {
    const { line } = token;
    if (token.kind === "text") {
      const at = token.text.lastIndexOf("%}");
      if (at >= 0) this.#brokenTagLine = line + newlinesIn(token.text.slice(0, at));
      return [{ kind: "text", text: token.text, line }];
    }
    if (token.kind === "output") return this.#outputNodes(token);
    if (token.name === "liquid") return this.#liquidTag(token);
    const parse = Object.hasOwn(this.#tagParsers, token.name) ? this.#tagParsers[token.name] : undefined;
    if (!parse) {
      if (this.#mayBelongToUnknownTag(token.name)) return [];
      throw this.#unknownTag(token, opening);
    }
    const node = parse(this, token);
    return node ? [{ ...node, line }] : [];
  }

  #outputNodes({ markup, line }: Extract<Token, { kind: "output" }>): Node[] {
    try {
      return [{ ...outputNode(this, markup, line), line }];
    } catch (error) {
      const foreign = error instanceof LiquidSyntaxError ? foreignOutput(markup) : null;
      if (!foreign) throw error;
      const { mistakes } = this.#known;
      // A block of a different engine is one mistake, like an unknown tag.
      if (foreign.isEnd && mistakes.changesNames) return [];
      mistakes.changesNames ||= foreign.changesNames;
      throw new LiquidSyntaxError(foreign.reason, line);
    }
  }

  /** Blocks that begin in a `liquid` tag must also end in it, so the tag has its own parser. */
  #liquidTag(token: TagToken): Node[] {
    return this.nested(token, () => {
      const tokens = scanLiquidTag(token.markup, token.markupLine);
      const inner = new BlockParser(tokens, this.#tagParsers, this.#known, this.#depth);
      return inner.body([], null).nodes;
    });
  }

  #mayBelongToUnknownTag(name: string): boolean {
    if (!isDividing(name)) this.#unknownTags.add(name);
    else if (this.#unknownTags.has(name.replace(/^end/, ""))) return true;
    return isDividing(name) && name !== "end" && this.#unknownTags.size > 0;
  }

  #unknownTag({ name, line }: TagToken, opening: TagToken | null): LiquidSyntaxError {
    this.#hasWrongEnd ||= name.startsWith("end");
    if (!opening && this.#brokenTagLine !== null && isDividing(name)) {
      const reason = `no \`{%\` precedes this \`%}\`, so \`${name}\` on line ${line} does not belong to an open block`;
      return new LiquidSyntaxError(reason, this.#brokenTagLine);
    }
    return new LiquidSyntaxError(unknownTag(name, opening?.name ?? null, Object.keys(this.#tagParsers)), line);
  }

  /** A token that contains its own end or the beginning of another token, because a closing brace is missing, ends there. */
  #next(): Token | undefined {
    const token = this.#tokens[this.#position++];
    const end = token ? unclosedAt(token) : -1;
    if (!token || token.kind === "text" || end < 0) return token;
    const { markup, line } = token;
    const markupLine = token.kind === "tag" ? token.markupLine : line;
    const [what, close] =
      token.kind === "output" ? ["output that begins with `{{`", "}}"] : [`tag \`${token.name}\``, "%}"];
    this.#known.mistakes.addUnclosed(new LiquidSyntaxError(`the ${what} is not closed with \`${close}\``, line));
    const inner = markup.slice(end).search(/\{[{%]/);
    const innerLine = markupLine + newlinesIn(markup.slice(0, end + inner));
    const tokens = inner < 0 ? [] : scanTemplate(markup.slice(end + inner) + close, this.#known.mistakes, innerLine);
    const ended = { ...token, markup: markup.slice(0, end) };
    this.#tokens.splice(this.#position - 1, 1, ended, ...tokens);
    return ended;
  }
}

export function outputNode(parser: BlockParser, markup: string, line: number): NodeKind {
  const expression = parser.filtered(markup, line);
  return isSuper(expression) ? { kind: "super" } : { kind: "output", expression };
}

/** Returns whether the expression is exactly `block.super`. */
function isSuper({ value, filters }: FilteredExpression): boolean {
  if (value.kind !== "path" || value.root !== "block" || filters.length > 0) return false;
  return value.steps.length === 1 && value.steps[0] === "super";
}

/** Removes the white space of a block whose bodies print nothing else. Returns whether the whole block is blank. */
export function stripBlank(bodies: Body[]): boolean {
  const isBlank = bodies.every((body) => body.isBlank);
  if (isBlank) for (const body of bodies) body.nodes = body.nodes.filter(({ kind }) => kind !== "text");
  return isBlank;
}

export function printsOnlySpace(node: Node): boolean {
  switch (node.kind) {
    case "text":
      return node.text.trim() === "";
    case "assign":
    case "capture":
    case "layout":
      return true;
    case "if":
    case "case":
    case "for":
      return node.isBlank;
    default:
      return false;
  }
}
