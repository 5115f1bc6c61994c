// Parses one file of a template.
import { BlockParser } from "./block-parser.ts";
import { layoutOf } from "./parts/layout-use.ts";
import { scanTemplate } from "./scanner.ts";
import { tagParsers } from "./tags.ts";
import type { ParsedLiquid } from "./tree.ts";

/** Throws a `LiquidSyntaxError` when the source is not a valid template. */
export function parseTemplate(file: string, source: string): ParsedLiquid {
  const tokens = scanTemplate(source);
  const { nodes } = new BlockParser(tokens, tagParsers).body([], null);
  let codeChars = 0;
  for (const token of tokens) if (token.kind !== "text") codeChars += token.markup.length;
  return { file, nodes, layout: layoutOf(nodes), tokenCount: tokens.length, codeChars };
}
