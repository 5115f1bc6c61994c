// Checks how the files of a template use its parts: the parts must exist, must not use themselves, must not be nested too
// deeply, and blocks must match the layouts.
import { similarName } from "colophon-base/similar-name";
import { shortened } from "colophon-base/text";
import type { LiquidProblem } from "colophon-liquid/liquid";
import {
  allNodes,
  contentsOf,
  maxPartDepth,
  partUses,
  tooManyParts,
  type LayoutUse,
  type Node,
  type ParsedLiquid,
  type Parts,
} from "colophon-liquid/syntax";

/**
 * Returns a problem for each use of a missing part. `names` are existing parts that no file uses. They are only used to suggest
 * a correction.
 */
export function missingParts(files: readonly ParsedLiquid[], parts: Parts, names: readonly string[]): LiquidProblem[] {
  const allNames = [...parts.keys(), ...names];
  const uses = files.flatMap((file) => partUses(file).map((use) => ({ ...use, file: file.file })));
  const missing = uses.filter(({ part }) => !parts.has(part)).slice(0, maxSuggestions);
  return missing.map(({ file, part, line }) => ({ file, line, reason: missingPart(part, allNames) }));
}

/** The maximum number of names for which similar names are searched. The search takes time, and nobody reads more messages. */
const maxSuggestions = 100;

function missingPart(name: string, known: string[]): string {
  const shown = shortened(name);
  const similar = similarName(name, known);
  const remedy = similar === null ? `; add parts/${shown}.liquid` : `; did you mean \`${similar}\`?`;
  return `there is no part \`${shown}\`${remedy}`;
}

/**
 * Returns the problems of files that use only existing parts. `roots` are the pages, the header and the footer. The problems
 * are in file order.
 */
export function partProblems(roots: readonly ParsedLiquid[], parts: Parts): LiquidProblem[] {
  const nesting = nestingProblems(roots, parts);
  // The layouts of a file are well defined only if they are not circular.
  if (nesting.length > 0) return nesting;
  const blockNames = new Map<ParsedLiquid, ReadonlySet<string>>();
  const namesIn = (file: ParsedLiquid) => {
    const names = blockNames.get(file) ?? namesOfBlocks(file);
    blockNames.set(file, names);
    return names;
  };
  return [...roots, ...parts.values()].flatMap((file) => [...strayBlocks(file, parts, namesIn), ...straySupers(file)]);
}

function nestingProblems(roots: readonly ParsedLiquid[], parts: Parts): LiquidProblem[] {
  const problems: LiquidProblem[] = [];
  const depths = new Map<ParsedLiquid, number>();
  /** Returns the number of files in the longest chain that starts at the file. A chain is followed until it is too long. */
  const visit = (file: ParsedLiquid, users: ParsedLiquid[]): number => {
    const knownDepth = depths.get(file);
    if (knownDepth !== undefined) return knownDepth;
    const chain = [...users, file];
    const inner = partUses(file).map(({ part, line }) => {
      const used = parts.get(part);
      const start = used ? chain.indexOf(used) : -1;
      const circle = [...chain.slice(start), chain[start] ?? file].map((each) => each.file).join(" → ");
      if (start >= 0)
        problems.push({ file: file.file, line, reason: `parts and layouts must not be circular: ${circle}` });
      if (!used || start >= 0) return 0;
      return chain.length > maxPartDepth ? 1 : visit(used, chain);
    });
    const depth = 1 + Math.max(0, ...inner);
    depths.set(file, depth);
    return depth;
  };
  for (const root of roots) {
    if (visit(root, []) <= maxPartDepth) continue;
    const use = partUses(root).find(({ part }) => {
      const used = parts.get(part);
      return used && (depths.get(used) ?? 0) >= maxPartDepth;
    });
    problems.push({ file: root.file, line: use?.line ?? 1, reason: tooManyParts });
  }
  return problems;
}

type NamesIn = (file: ParsedLiquid) => ReadonlySet<string>;

/** Returns the problems of a file whose layouts do not print all its content. */
function strayBlocks({ file, layout }: ParsedLiquid, parts: Parts, namesIn: NamesIn): LiquidProblem[] {
  if (!layout) return [];
  const layouts = layoutsOf(layout, parts);
  const names = new Set(layouts.flatMap((used) => [...namesIn(used)]));
  names.delete("");
  const unknown = [...layout.blocks.values()].filter(({ name }) => !names.has(name)).slice(0, maxSuggestions);
  const problems = unknown.map(({ name, line }) => ({ file, line, reason: unknownBlock(name, layout, names) }));
  const [nearest] = layouts;
  if (layout.printLine !== null && nearest && !namesIn(nearest).has("")) {
    const reason = `the layout \`${layout.part}\` has no unnamed block, so this would not be printed; put it into a block`;
    problems.push({ file, line: layout.printLine, reason });
  }
  return problems;
}

function layoutsOf(first: LayoutUse, parts: Parts): ParsedLiquid[] {
  const layouts: ParsedLiquid[] = [];
  for (let layout: LayoutUse | null = first; layout;) {
    const file = parts.get(layout.part);
    if (file) layouts.push(file);
    layout = file?.layout ?? null;
  }
  return layouts;
}

function unknownBlock(name: string, { part }: LayoutUse, names: ReadonlySet<string>): string {
  const problem = `the layout \`${part}\` has no block \`${name.slice(0, 60)}\``;
  const similar = similarName(name, [...names]);
  if (similar !== null) return `${problem}; did you mean \`${similar}\`?`;
  const listed = [...names].slice(0, 10).map((known) => `\`${known}\``);
  return listed.length > 0 ? `${problem}; it has ${listed.join(", ")}` : problem;
}

function namesOfBlocks({ nodes }: ParsedLiquid): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of allNodes(nodes)) if (node.kind === "block") names.add(node.name);
  return names;
}

function straySupers({ file, nodes }: ParsedLiquid): LiquidProblem[] {
  const problems: LiquidProblem[] = [];
  const visit = (inner: readonly Node[]): void => {
    for (const node of inner) {
      if (node.kind === "super")
        problems.push({ file, line: node.line, reason: "`block.super` must be inside a block" });
      if (node.kind !== "block") contentsOf(node).bodies.forEach(visit);
    }
  };
  visit(nodes);
  return problems.slice(0, 1);
}
