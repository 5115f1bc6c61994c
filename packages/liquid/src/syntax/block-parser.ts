// Parses the tokens of a template into nodes. The parsers of tags that contain other nodes call it to parse their
// bodies.
import { newlinesIn } from "colophon-base/line-counter";
import { suggestion } from "colophon-base/similar-name";
import { LiquidSyntaxError } from "../errors.ts";
import { ExpressionParser, type KnownFilters } from "./expression-parser.ts";
import { byWord, foreignTags } from "./foreign-words.ts";
import { maxNesting, tooDeep } from "./limits.ts";
import { commentEnd, scanLiquidTag, type Token } from "./scanner.ts";
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
  #depth: number;
  /** The line of the last text that contains `%}`, which usually means that the opening of a tag is misspelt. */
  #brokenTagLine: number | null = null;

  /** Mistakes after which parsing continues are added to `known`. */
  constructor(tokens: Token[], tagParsers: Record<string, TagParser>, known: KnownFilters, depth = 0) {
    this.#tokens = tokens;
    this.#tagParsers = tagParsers;
    this.#known = known;
    this.#depth = depth;
  }

  /** Parses nodes up to a tag in `endings`. `opening` is the tag of the block, or null for a whole file. */
  body(endings: readonly string[], opening: TagToken | null): Body {
    const nodes: Node[] = [];
    let isBlank = true;
    for (let token = this.#next(); token; token = this.#next()) {
      reportUnclosed(token);
      if (token.kind === "tag" && endings.includes(token.name)) return { nodes, isBlank, ending: token };
      for (const node of this.#nodesOf(token, opening)) {
        nodes.push(node);
        isBlank &&= printsOnlySpace(node);
      }
    }
    if (!opening) return { nodes, isBlank, ending: null };
    throw new LiquidSyntaxError(`the tag \`${opening.name}\` is not closed with \`end${opening.name}\``, opening.line);
  }

  /** Parses the body of a block that has a single body, up to the end tag. */
  wholeBody(opening: TagToken): Body {
    return this.nested(opening, () => this.body([`end${opening.name}`], opening));
  }

  nested<T>(opening: TagToken, parse: () => T): T {
    if (++this.#depth > maxNesting) throw new LiquidSyntaxError(tooDeep, opening.line);
    const parsed = parse();
    this.#depth--;
    return parsed;
  }

  /** Returns whether the current tag is outside all blocks. */
  isAtTop(): boolean {
    return this.#depth === 0;
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
    if (end < 0) throw new LiquidSyntaxError("the tag `comment` is not closed with `endcomment`", opening.line);
    this.#position = end;
  }

  #nodesOf(token: Token, opening: TagToken | null): Node[] {
    const { line } = token;
    if (token.kind === "text") {
      const at = token.text.lastIndexOf("%}");
      if (at >= 0) this.#brokenTagLine = line + newlinesIn(token.text.slice(0, at));
      return [{ kind: "text", text: token.text, line }];
    }
    if (token.kind === "output") return [{ ...outputNode(this, token.markup, line), line }];
    if (token.name === "liquid") return this.#liquidTag(token);
    const parse = Object.hasOwn(this.#tagParsers, token.name) ? this.#tagParsers[token.name] : undefined;
    if (!parse) throw this.#unknownTag(token, opening);
    const node = parse(this, token);
    return node ? [{ ...node, line }] : [];
  }

  /** Blocks that begin in a `liquid` tag must also end in it, so the tag has its own parser. */
  #liquidTag(token: TagToken): Node[] {
    return this.nested(token, () => {
      const tokens = scanLiquidTag(token.markup, token.markupLine);
      const inner = new BlockParser(tokens, this.#tagParsers, this.#known, this.#depth);
      return inner.body([], null).nodes;
    });
  }

  #unknownTag({ name, line }: TagToken, opening: TagToken | null): LiquidSyntaxError {
    if (!opening && this.#brokenTagLine !== null && isDividing(name)) {
      const reason = `no \`{%\` precedes this \`%}\`, so \`${name}\` on line ${line} does not belong to an open block`;
      return new LiquidSyntaxError(reason, this.#brokenTagLine);
    }
    return new LiquidSyntaxError(unknownTag(name, opening, Object.keys(this.#tagParsers)), line);
  }

  #next(): Token | undefined {
    return this.#tokens[this.#position++];
  }
}

const quotedText = /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'/g;

/** Throws if the token contains its own end or the beginning of another token, because a closing brace is then missing. */
function reportUnclosed(token: Token): void {
  if (token.kind === "text") return;
  if (token.kind === "tag" && (token.name === "#" || token.name === "liquid")) return;
  if (!/\{[{%]|\}/.test(token.markup.replace(quotedText, ""))) return;
  const [what, close] =
    token.kind === "output" ? ["output that begins with `{{`", "}}"] : [`tag \`${token.name}\``, "%}"];
  throw new LiquidSyntaxError(`the ${what} is not closed with \`${close}\``, token.line);
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

const tagWords = byWord(foreignTags);

function unknownTag(name: string, opening: TagToken | null, known: string[]): string {
  const remedy = name === "end" ? `write \`end${opening?.name ?? "if"}\`` : tagWords.get(name)?.advice;
  if (remedy !== undefined) return `there is no tag \`${name}\`; ${remedy}`;
  if (!isDividing(name)) {
    const names = [...known, "else", "elsif", "when", ...known.map((tag) => `end${tag}`)];
    return `there is no tag \`${name}\`${suggestion(name, names)}`;
  }
  return opening
    ? `the tag \`${name}\` does not belong in a block that begins with \`${opening.name}\``
    : `the tag \`${name}\` does not belong to an open block`;
}

/** Returns whether a tag with this name ends a block or begins its next branch. */
function isDividing(name: string): boolean {
  return name.startsWith("end") || ["else", "elsif", "when"].includes(name);
}
