// Parses one file of a template.
import { BlockParser } from "./block-parser.ts";
import { layoutOf } from "./parts/layout-use.ts";
import { scanTemplate } from "./scanner.ts";
import { standardFilters } from "../filters/registry.ts";
import type { KnownFilters } from "./syntax-error.ts";
import { tagParsers } from "./tags.ts";
import type { ParsedLiquid } from "./tree.ts";

/** Throws a `LiquidSyntaxError` when the source is not a valid template. Adds mistakes in filters to `known`, none by default. */
export function parseTemplate(
  file: string,
  source: string,
  known: KnownFilters = { filters: standardFilters, mistakes: [], limit: 1 },
): ParsedLiquid {
  const tokens = scanTemplate(source);
  const { nodes } = new BlockParser(tokens, tagParsers, known).body([], null);
  let codeChars = 0;
  for (const token of tokens) if (token.kind !== "text") codeChars += token.markup.length;
  return { file, nodes, layout: layoutOf(nodes), tokenCount: tokens.length, codeChars };
}
