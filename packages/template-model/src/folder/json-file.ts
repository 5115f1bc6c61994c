// Parses the JSON files of a template folder and finds the lines of their values, so that a problem is reported with
// its line. Refuses two things that JSON allows but a reader would misunderstand: a key that an object has twice, and
// half a surrogate pair, which is not a character.
import { findNodeAtLocation, parseTree, type Node } from "jsonc-parser";
import { lineCounter } from "colophon-base/line-counter";
import { columnAt, firstSyntaxProblem, tooDeepReason, type JsonProblem, type Problem } from "./json-syntax.ts";
import { maxProblems } from "./template-files.ts";
import { scanJson, type JsonFinding } from "colophon-base/json-scan";
import { shortened } from "colophon-base/text";

export type JsonFile = {
  value: unknown;
  /**
   * Returns the line, counted from 1, of the value at `path`. If there is no such value, returns the line of its
   * closest existing ancestor, because that is where the missing key belongs.
   */
  lineOf(path: (string | number)[]): number;
};

export type JsonFileResult = { status: "parsed"; json: JsonFile } | { status: "malformed"; problems: JsonProblem[] };

/** Parses a JSON text in which objects and arrays are nested at most `maxDepth` levels deep. */
export function parseJsonFile(text: string, maxDepth: number): JsonFileResult {
  const lineAt = lineCounter(text);
  const malformed = (problems: Problem[]): JsonFileResult => ({
    status: "malformed",
    problems: problems.map(({ offset, reason }) => ({ line: lineAt(offset), column: columnAt(text, offset), reason })),
  });
  // The parser recurses, so the depth is checked first.
  const { problems, tooDeepAt } = scanJson(text, { maxDepth, maxProblems: Number.POSITIVE_INFINITY });
  if (tooDeepAt >= 0) {
    return malformed([{ offset: tooDeepAt, reason: tooDeepReason(maxDepth) }]);
  }
  const value = parsedValue(text);
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

function parsedValue(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

/** Numbers that lose precision are no problem in a file: what is pushed is their value. */
function lossProblem({ kind, path, at }: JsonFinding): Problem[] {
  switch (kind) {
    case "duplicate_key":
      return [{ offset: at, reason: `the key ${shortened(JSON.stringify(path.at(-1)))} occurs twice in its object` }];
    case "lone_surrogate":
      return [{ offset: at, reason: "the text contains half of a surrogate pair, which is not a character" }];
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
