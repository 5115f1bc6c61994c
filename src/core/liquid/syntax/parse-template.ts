// Parses one file of a template.
import { BlockParser } from "./block-parser.ts";
import { scanTemplate } from "./scanner.ts";
import { tagParsers } from "./tags.ts";
import type { ParsedLiquid } from "./tree.ts";

/** Throws a `LiquidSyntaxError` when the source is not a valid template. */
export function parseTemplate(file: string, source: string): ParsedLiquid {
  const parser = new BlockParser(scanTemplate(source), tagParsers);
  const { nodes } = parser.body([], null);
  return { file, nodes, nodeCount: parser.nodeCount };
}
