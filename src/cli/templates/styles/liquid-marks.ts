// Tells which tokens of styles come from Liquid; see `withMarks`.
import { TokenType, type CSSToken } from "@csstools/css-tokenizer";
import { hasMarks, isTagMark } from "../../../core/liquid/syntax/liquid-marks.ts";

/** Whether a token is a tag that prints nothing, such as `{% if total %}`. */
export function isTagMarkToken([type, text]: CSSToken): boolean {
  return type === TokenType.Ident && isTagMark(text);
}

export function isOnlyLiquid(tokens: CSSToken[]): boolean {
  return tokens.every(
    ([type, text]) =>
      type === TokenType.Whitespace ||
      (type === TokenType.Ident && [...text].every((character) => hasMarks(character))),
  );
}

export function withoutMarks(tokens: CSSToken[]): boolean {
  return !tokens.some(([, text]) => hasMarks(text));
}
