// Finds the first syntax error of a JSON text, and says in words what to change.
import { printParseErrorCode, visit, type ParseErrorCode } from "jsonc-parser";
import { lineCounter } from "colophon-base/line-counter";

export type JsonProblem = { line: number; column: number; reason: string };

export type Problem = { offset: number; reason: string };

/** Returns the position of a character in its line, counted from 1. */
export function columnAt(text: string, offset: number): number {
  return offset - text.lastIndexOf("\n", offset - 1);
}

/** Returns the first syntax error of a text that `JSON.parse` refuses, or where it is nested too deeply before that. */
export function jsonSyntaxProblem(text: string, maxDepth: number): JsonProblem {
  const { offset, reason } = firstSyntaxProblem(text, maxDepth);
  return { line: lineCounter(text)(offset), column: columnAt(text, offset), reason };
}

/** The parser can be stopped by an exception only. It recurses, and its later errors are often consequences of the first. */
export function firstSyntaxProblem(text: string, maxDepth: number): Problem {
  let found: Problem = { offset: text.length, reason: "it contains characters that JSON does not allow here" };
  let depth = 0;
  const stopWith = (problem: Problem) => {
    found = problem;
    throw new Error(problem.reason);
  };
  const open = (offset: number) => {
    if (++depth > maxDepth) stopWith({ offset, reason: tooDeepReason(maxDepth) });
  };
  const close = () => void depth--;
  const onError = (error: ParseErrorCode, offset: number) => {
    const code = printParseErrorCode(error);
    stopWith({ offset: placeOf(code, offset, text), reason: syntaxReasons[code] ?? found.reason });
  };
  const visitor = { onError, onObjectBegin: open, onObjectEnd: close, onArrayBegin: open, onArrayEnd: close };
  try {
    visit(text, visitor, { disallowComments: true });
  } catch {
    // The parser was stopped.
  }
  return found;
}

export const tooDeepReason = (maxDepth: number) => `objects and lists are nested more than ${maxDepth} levels deep`;

/**
 * Returns the index of the place that has to change. The parser reports what is missing at the text that follows, which
 * may be lines below: a comma is missing behind the value before it, and a comma that comes last is itself the mistake.
 */
function placeOf(code: string, offset: number, text: string): number {
  const end = text.slice(0, offset).trimEnd().length;
  if (code === "CommaExpected" || code === "ColonExpected") return end;
  const isAfterComma = code === "PropertyNameExpected" || code === "ValueExpected";
  return isAfterComma && text[end - 1] === "," ? end - 1 : offset;
}

const syntaxReasons: Partial<Record<string, string>> = {
  InvalidSymbol: "this is not a value; text must be in double quotes",
  InvalidNumberFormat: "this number is malformed",
  PropertyNameExpected: "a property name in double quotes is missing; a comma cannot come last",
  ValueExpected: "a value is missing; a comma cannot come last",
  ColonExpected: "a colon is missing after the property name",
  CommaExpected: "a comma is missing",
  CloseBraceExpected: "a `}` is missing",
  CloseBracketExpected: "a `]` is missing",
  EndOfFileExpected: "there is more text after the end of the value",
  InvalidCommentToken: "comments are not allowed",
  UnexpectedEndOfComment: "comments are not allowed",
  UnexpectedEndOfString: "the string is not closed before the end of its line",
  UnexpectedEndOfNumber: "this number is incomplete",
  InvalidUnicode: "`\\u` must be followed by four hexadecimal digits",
  InvalidEscapeCharacter: "a backslash is followed by a character that it cannot escape",
  InvalidCharacter: "the text contains a control character, such as a tab; write it as an escape",
};
