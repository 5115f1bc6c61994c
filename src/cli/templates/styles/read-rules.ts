// Divides styles into rules and declarations, as a browser does: CSS Syntax Level 3 with nested rules. Nothing recurses, and
// the time is proportional to the length. What stands inside `@supports` is left out, because a template can use that to
// ask for what only some browsers know.
import { TokenType, tokenizer, type CSSToken } from "@csstools/css-tokenizer";
import { isOnlyLiquid, isTagMarkToken, withoutMarks } from "./liquid-marks.ts";

/**
 * What a block contains. `rules` are those of a style sheet. A `style` block has declarations and rules, and a `skipped` block
 * is not read.
 */
export type BlockKind = "rules" | "style" | "page" | "font-face" | "keyframes" | "skipped";

/** `name` is in lower case, except that of a custom property. `value` has no comments, and no white space at its ends. */
export type Declaration = { name: string; index: number; value: CSSToken[] };

export type RuleListener = {
  /** A style rule with the tokens of its selector. */
  rule(selector: CSSToken[]): void;
  /** Returns how the block of the rule is read. `prelude` is what stands between the name and the block. */
  atRule(rule: { name: string; index: number; prelude: CSSToken[]; parent: BlockKind }): BlockKind;
  /** All declarations of a block, once it has ended. */
  declarations(kind: BlockKind, declarations: Declaration[]): void;
  /** Text that is neither a rule nor a declaration. `tokens` is not empty. */
  stray(tokens: CSSToken[], kind: BlockKind): void;
  /** The outermost bracket that is never closed. A valid `style.css` has none. */
  unclosed(index: number): void;
};

type Block = { kind: BlockKind; declarations: Declaration[] };

/** `item` is the rule or declaration that is being read, and `open` the brackets and functions that are open in it. */
type Reading = { blocks: Block[]; item: CSSToken[]; open: Bracket[]; listener: RuleListener };
type Bracket = { index: number; closer: TokenType };

/** `kind` is `rules` for a style sheet and `style` for the value of a `style` attribute. */
export function readRules(css: string, kind: "rules" | "style", listener: RuleListener): void {
  const reading: Reading = { blocks: [{ kind, declarations: [] }], item: [], open: [], listener };
  const tokens = tokenizer({ css });
  while (!tokens.endOfFile()) {
    const token = tokens.nextToken();
    if (token[0] === TokenType.EOF) break;
    readToken(reading, token);
  }
  const [first] = reading.open;
  if (first) listener.unclosed(first.index);
  else endItem(reading);
  for (let block = reading.blocks.pop(); block; block = reading.blocks.pop()) {
    if (block.declarations.length > 0) listener.declarations(block.kind, block.declarations);
  }
}

const closers: Partial<Record<TokenType, TokenType>> = {
  [TokenType.Function]: TokenType.CloseParen,
  [TokenType.OpenParen]: TokenType.CloseParen,
  [TokenType.OpenSquare]: TokenType.CloseSquare,
};

function readToken(reading: Reading, token: CSSToken): void {
  const { item, open } = reading;
  const [type, , index] = token;
  if (type === TokenType.Comment) return;
  const isBlank = type === TokenType.Whitespace || type === TokenType.CDO || type === TokenType.CDC;
  if (item.length === 0 && (isBlank || isTagMarkToken(token))) return;
  // What an output prints before an at-rule cannot be known. The at-rule is read as if nothing preceded it.
  if (type === TokenType.AtKeyword && isOnlyLiquid(item)) item.length = 0;
  const closer = closers[type];
  if (closer) open.push({ index, closer });
  if (type === TokenType.OpenCurly && (open.length > 0 || isCustomProperty(item))) {
    open.push({ index, closer: TokenType.CloseCurly });
    item.push(token);
  } else if (open.length > 0) {
    // A bracket that does not match the innermost open one closes nothing.
    if (open.at(-1)?.closer === type) open.pop();
    item.push(token);
  } else if (type === TokenType.OpenCurly) {
    openBlock(reading);
  } else if (type === TokenType.CloseCurly) {
    closeBlock(reading);
  } else if (type === TokenType.Semicolon && (isAtRule(item) || currentBlock(reading).kind !== "rules")) {
    endItem(reading);
  } else {
    // In a style sheet, a semicolon does not end a rule, but makes its selector invalid.
    item.push(token);
  }
}

function openBlock(reading: Reading): void {
  const { item, listener, blocks } = reading;
  const { kind: parent } = currentBlock(reading);
  reading.item = [];
  blocks.push({ kind: blockKind(item, parent, listener), declarations: [] });
}

function blockKind(item: CSSToken[], parent: BlockKind, listener: RuleListener): BlockKind {
  if (parent === "skipped") return "skipped";
  const [first] = item;
  if (first?.[0] === TokenType.AtKeyword) {
    return listener.atRule({
      name: first[4].value.toLowerCase(),
      index: first[2],
      prelude: trimmed(item.slice(1)),
      parent,
    });
  }
  if (parent === "keyframes") return "style";
  if (parent !== "rules" && parent !== "style") return "skipped";
  const selector = trimmed(item);
  const isStray = parent === "rules" && selector.some(([type]) => type === TokenType.Semicolon);
  if (isStray) listener.stray(selector, parent);
  else listener.rule(selector);
  return "style";
}

function closeBlock(reading: Reading): void {
  endItem(reading);
  if (reading.blocks.length === 1) return;
  const block = reading.blocks.pop();
  if (block && block.declarations.length > 0) reading.listener.declarations(block.kind, block.declarations);
}

/** Reads the item as a declaration or as a rule without a block. */
function endItem(reading: Reading): void {
  const { listener } = reading;
  const item = trimmed(reading.item);
  const { kind, declarations } = currentBlock(reading);
  reading.item = [];
  const [first] = item;
  if (!first || kind === "skipped" || item.every(([type]) => type === TokenType.Semicolon)) return;
  if (first[0] === TokenType.AtKeyword) {
    listener.atRule({
      name: first[4].value.toLowerCase(),
      index: first[2],
      prelude: trimmed(item.slice(1)),
      parent: kind,
    });
    return;
  }
  const colon = item.findIndex(([type]) => type === TokenType.Colon);
  if (!withoutMarks(colon < 0 ? item : item.slice(0, colon))) return;
  const isDeclaration = first[0] === TokenType.Ident && colon > 0 && trimmed(item.slice(1, colon)).length === 0;
  if (!isDeclaration || kind === "rules" || kind === "keyframes") {
    listener.stray(item, kind);
    return;
  }
  const name = first[4].value;
  declarations.push({
    name: name.startsWith("--") ? name : name.toLowerCase(),
    index: first[2],
    value: trimmed(item.slice(colon + 1)),
  });
}

function isAtRule([first]: CSSToken[]): boolean {
  return first?.[0] === TokenType.AtKeyword;
}

function isCustomProperty(item: CSSToken[]): boolean {
  const [first] = item;
  return (
    first?.[0] === TokenType.Ident && first[4].value.startsWith("--") && item.some(([type]) => type === TokenType.Colon)
  );
}

function currentBlock({ blocks }: Reading): Block {
  return blocks.at(-1) ?? { kind: "skipped", declarations: [] };
}

/** Returns the tokens without white space at their ends. */
export function trimmed(tokens: CSSToken[]): CSSToken[] {
  const isSpace = (token: CSSToken | undefined) => token?.[0] === TokenType.Whitespace;
  let start = 0;
  let end = tokens.length;
  while (isSpace(tokens[start])) start++;
  while (end > start && isSpace(tokens[end - 1])) end--;
  return tokens.slice(start, end);
}

/** Returns the value without `!important`. */
export function withoutPriority(value: CSSToken[]): CSSToken[] {
  const mark = value.findIndex(([type, text]) => type === TokenType.Delim && text === "!");
  return mark < 0 ? value : trimmed(value.slice(0, mark));
}
