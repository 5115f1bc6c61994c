// Parses the JSON files of a template folder and finds the lines of their values, so that problems are reported with lines.
// Refuses two things that JSON allows but readers would misunderstand: a duplicate key in an object, and a lone surrogate,
// which is not a character.
import {
  findNodeAtLocation,
  parseTree,
  printParseErrorCode,
  visit,
  type Node,
  type ParseErrorCode,
} from "jsonc-parser";
import { scanJson, type JsonFinding } from "colophon-base/json-scan";
import { lineCounter } from "colophon-base/line-counter";
import { parsedJson } from "colophon-base/parsed-json";
import { shortened } from "colophon-base/text";
import { isPlainObject } from "../template-data.ts";
import { maxProblems, type FileProblem } from "./template-files.ts";

/** `line` and `column` are counted from 1. */
export type JsonProblem = { line: number; column: number; reason: string };

export type JsonFile = {
  value: unknown;
  /**
   * Returns the line, counted from 1, of the value at `path`. If it does not exist, returns the line of its closest existing
   * ancestor, where the missing key belongs.
   */
  lineOf(path: (string | number)[]): number;
};

type JsonFileResult = { status: "parsed"; json: JsonFile } | { status: "malformed"; problems: JsonProblem[] };

/** Parses JSON in which objects and arrays are nested at most `maxDepth` levels deep. */
export function parseJsonFile(text: string, maxDepth: number): JsonFileResult {
  const lineAt = lineCounter(text);
  const malformed = (problems: Problem[]): JsonFileResult => ({
    status: "malformed",
    problems: problems.map((problem) => placed(text, problem, lineAt)),
  });
  // The parser recurses, so the depth is checked first.
  const { problems, tooDeepAt } = scanJson(text, { maxDepth, maxProblems: Number.POSITIVE_INFINITY });
  if (tooDeepAt >= 0) {
    return malformed([{ offset: tooDeepAt, reason: tooDeepReason(maxDepth) }]);
  }
  const value = parsedJson(text);
  const tree = value && parseTree(text);
  if (!value || !tree) {
    const { offset, reason } = firstSyntaxProblem(text, maxDepth);
    return malformed([{ offset, reason: `the file is not valid JSON: ${reason}` }]);
  }
  const losses = problems.flatMap(lossProblem).slice(0, maxProblems);
  if (losses.length > 0) return malformed(losses);
  const lineOf = (path: (string | number)[]) => lineAt(nearestNode(tree, path).offset);
  return { status: "parsed", json: { value: value.value, lineOf } };
}

export type JsonObjectResult =
  | { status: "read"; value: Record<string, unknown>; json: JsonFile }
  | { status: "broken"; problems: FileProblem[] };

/** Parses a file that must contain an object. `file` is its name in problems. */
export function parseJsonObject(file: string, text: string, maxDepth: number): JsonObjectResult {
  const parsed = parseJsonFile(text, maxDepth);
  if (parsed.status === "malformed")
    return { status: "broken", problems: parsed.problems.map((problem) => ({ file, ...problem })) };
  const { json } = parsed;
  if (isPlainObject(json.value)) return { status: "read", value: json.value, json };
  return { status: "broken", problems: [{ file, line: 1, reason: "the file must contain a JSON object" }] };
}

/** A file may contain numbers that lose precision, because a push stores their values. */
function lossProblem({ kind, path, at }: JsonFinding): Problem[] {
  switch (kind) {
    case "duplicate_key":
      return [{ offset: at, reason: `the key ${shortened(JSON.stringify(path.at(-1)))} occurs twice in its object` }];
    case "lone_surrogate":
      return [{ offset: at, reason: "the text contains a lone surrogate, which is not a character" }];
    default:
      return [];
  }
}

function nearestNode(tree: Node, path: (string | number)[]): Node {
  const segments = path.map((segment) => (/^\d+$/.test(String(segment)) ? Number(segment) : segment));
  for (let length = segments.length; length > 0; length--) {
    const node = findNodeAtLocation(tree, segments.slice(0, length));
    if (node) return node;
  }
  return tree;
}

type Problem = { offset: number; reason: string };

function placed(text: string, { offset, reason }: Problem, lineAt = lineCounter(text)): JsonProblem {
  return { line: lineAt(offset), column: offset - text.lastIndexOf("\n", offset - 1), reason };
}

/** Returns the first syntax error of JSON that `JSON.parse` refuses, or where it is nested too deeply before that. */
export function jsonSyntaxProblem(text: string, maxDepth: number): JsonProblem {
  return placed(text, firstSyntaxProblem(text, maxDepth));
}

/**
 * The parser can be stopped only by an exception. It recurses, and its later errors are frequently consequences of the first.
 */
function firstSyntaxProblem(text: string, maxDepth: number): Problem {
  let firstError: Problem = {
    offset: text.length,
    reason: "it contains characters that JSON does not allow at this position",
  };
  let depth = 0;
  const stopWith = (problem: Problem) => {
    firstError = problem;
    throw new Error(problem.reason);
  };
  const open = (offset: number) => {
    if (++depth > maxDepth) stopWith({ offset, reason: tooDeepReason(maxDepth) });
  };
  const close = () => void depth--;
  const onError = (error: ParseErrorCode, offset: number) => {
    const code = printParseErrorCode(error);
    stopWith({ offset: placeOf(code, offset, text), reason: syntaxReasons[code] ?? firstError.reason });
  };
  const visitor = { onError, onObjectBegin: open, onObjectEnd: close, onArrayBegin: open, onArrayEnd: close };
  try {
    visit(text, visitor, { disallowComments: true });
  } catch {
    // This error has stopped the parser.
  }
  return firstError;
}

const tooDeepReason = (maxDepth: number) => `objects and lists are nested more than ${maxDepth} levels deep`;

/**
 * Returns the index of the position to change. The parser reports a missing token at the text that follows it, which may be
 * lines below. A missing comma belongs after the value before it, and a trailing comma is itself the mistake.
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
