// Parses the JSON files of a template folder and finds the lines of their values, so that a problem is reported with its
// line.
import { findNodeAtLocation, parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";

export type JsonFile = {
  value: unknown;
  /**
   * Returns the line, counted from 1, of the value at `path`. If there is no such value, returns the line of its
   * closest existing ancestor, because that is where the missing key belongs.
   */
  lineOf(path: (string | number)[]): number;
};

export type JsonFileResult =
  | { status: "parsed"; json: JsonFile }
  | { status: "malformed"; problems: { line: number; reason: string }[] };

export function parseJsonFile(text: string): JsonFileResult {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true });
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  if (tree && errors.length === 0) {
    const lineOf = (path: (string | number)[]) => lineAt(nearestNode(tree, path).offset);
    return { status: "parsed", json: { value: JSON.parse(text), lineOf } };
  }
  const problems = errors.map(({ error, offset }) => ({
    line: lineAt(offset),
    reason: `the file is not valid JSON: ${printParseErrorCode(error)}`,
  }));
  return { status: "malformed", problems };
}

function nearestNode(tree: Node, path: (string | number)[]): Node {
  const segments = path.map((segment) => (/^\d+$/.test(String(segment)) ? Number(segment) : segment));
  for (let length = segments.length; length > 0; length--) {
    const node = findNodeAtLocation(tree, segments.slice(0, length));
    if (node) return node;
  }
  return tree;
}
