// Divides a value of CSS into its parts: words, functions with their arguments, and so on.
import { TokenType, type CSSToken } from "@csstools/css-tokenizer";

/**
 * `size` is a length or a percentage, as in `font`. `name` is the value of a word or string, or the name of a function in lower
 * case. `other` is what no list of families contains.
 */
export type Part = {
  type: "space" | "comma" | "slash" | "word" | "string" | "size" | "number" | "angle" | "function" | "other";
  text: string;
  name: string;
  arguments: CSSToken[];
};

const closers: Partial<Record<TokenType, TokenType>> = {
  [TokenType.Function]: TokenType.CloseParen,
  [TokenType.OpenParen]: TokenType.CloseParen,
  [TokenType.OpenSquare]: TokenType.CloseSquare,
  [TokenType.OpenCurly]: TokenType.CloseCurly,
};

/** The token that closes what this token opens; undefined if it opens nothing. */
export function closerOf([type]: CSSToken): TokenType | undefined {
  return closers[type];
}

/** Returns the parts without white space at the ends. Comments become white space. */
export function valueParts(tokens: readonly CSSToken[]): Part[] {
  const parts: Part[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (!token) break;
    const end = closerOf(token) ? blockEnd(tokens, index) : index;
    const inside = tokens.slice(index + 1, end);
    parts.push(partOf(token, inside));
    index = end;
  }
  const isSpace = ({ type }: Part) => type === "space";
  const first = parts.findIndex((part) => !isSpace(part));
  return first < 0 ? [] : parts.slice(first, parts.findLastIndex((part) => !isSpace(part)) + 1);
}

/** Returns the index of the token that closes the block; the number of tokens if none does. */
function blockEnd(tokens: readonly CSSToken[], start: number): number {
  const open: TokenType[] = [];
  for (let index = start; index < tokens.length; index++) {
    const token = tokens[index];
    const closer = token && closerOf(token);
    if (closer) open.push(closer);
    else if (token && open.at(-1) === token[0]) open.pop();
    if (open.length === 0) return index;
  }
  return tokens.length;
}

function partOf(token: CSSToken, inside: CSSToken[]): Part {
  const [type, text] = token;
  const part = (kind: Part["type"], name = ""): Part => ({ type: kind, text, name, arguments: inside });
  if (type === TokenType.Whitespace || type === TokenType.Comment) return { ...part("space"), text: " " };
  if (type === TokenType.Comma) return part("comma");
  if (type === TokenType.Ident) return part("word", token[4].value);
  if (type === TokenType.String) return part("string", token[4].value);
  if (type === TokenType.Function) return part("function", token[4].value.toLowerCase());
  if (type === TokenType.Percentage) return part("size");
  if (type === TokenType.Number) return part(token[4].value === 0 ? "size" : "number");
  if (type === TokenType.Dimension) return part(/^(?:deg|grad|rad|turn)$/i.test(token[4].unit) ? "angle" : "size");
  return part(type === TokenType.Delim && text === "/" ? "slash" : "other");
}

/** Returns the parts between commas, without white space at their ends. */
export function listItems(parts: readonly Part[]): Part[][] {
  const items: Part[][] = [[]];
  for (const part of parts) {
    if (part.type === "comma") items.push([]);
    else if (part.type !== "space" || items.at(-1)?.length !== 0) items.at(-1)?.push(part);
  }
  for (const item of items) while (item.at(-1)?.type === "space") item.pop();
  return items;
}
