// Checks how the files of a template use its parts: that the parts exist, that no part uses itself, that they are not
// nested too deeply, and that blocks fit the layouts.
import { counted } from "../../counted.ts";
import type { LiquidProblem } from "../../liquid/liquid.ts";
import { allNodes, contentsOf } from "../../liquid/syntax/node-contents.ts";
import { maxPartDepth } from "../../liquid/syntax/limits.ts";
import { partUses, type Parts } from "../../liquid/syntax/parts/part-uses.ts";
import type { LayoutUse, Node, ParsedLiquid } from "../../liquid/syntax/tree.ts";
import { similarName } from "../../similar-name.ts";
import { shortened } from "../../text.ts";

/**
 * Returns a problem for each use of a part that does not exist. `names` are the names of parts that exist, but that no file
 * uses; they only serve for suggestions.
 */
export function missingParts(files: readonly ParsedLiquid[], parts: Parts, names: readonly string[]): LiquidProblem[] {
  const known = [...parts.keys(), ...names];
  const uses = files.flatMap((file) => partUses(file).map((use) => ({ ...use, file: file.file })));
  const missing = uses.filter(({ part }) => !parts.has(part)).slice(0, maxSuggestions);
  return missing.map(({ file, part, line }) => ({ file, line, reason: missingPart(part, known) }));
}

/** The number of names for which a similar one is searched at once. The search takes time, and nobody reads more messages. */
const maxSuggestions = 100;

function missingPart(name: string, known: string[]): string {
  const shown = shortened(name);
  const similar = similarName(name, known);
  const remedy = similar === null ? `; add parts/${shown}.liquid` : `; did you mean \`${similar}\`?`;
  return `there is no part \`${shown}\`${remedy}`;
}

/**
 * Returns the problems of files that use only existing parts. `roots` are the pages, the header and the footer. The
 * problems are in the order of the files.
 */
export function partProblems(roots: readonly ParsedLiquid[], parts: Parts): LiquidProblem[] {
  const nesting = nestingProblems(roots, parts);
  // Which layouts a file has is known only if they are not circular.
  if (nesting.length > 0) return nesting;
  const blockNames = new Map<ParsedLiquid, ReadonlySet<string>>();
  const namesIn = (file: ParsedLiquid) => {
    const names = blockNames.get(file) ?? namesOfBlocks(file);
    blockNames.set(file, names);
    return names;
  };
  return [...roots, ...parts.values()].flatMap((file) => [...strayBlocks(file, parts, namesIn), ...straySupers(file)]);
}

/** What is known about a file: the number of files in the longest chain from it, and the next file of that chain. */
type Chain = { length: number; next: ParsedLiquid | null; line: number };

/** The depth to which files are followed, because each level is a call. */
const maxFollowedDepth = 10 * maxPartDepth;

function nestingProblems(roots: readonly ParsedLiquid[], parts: Parts): LiquidProblem[] {
  const problems: LiquidProblem[] = [];
  const chains = new Map<ParsedLiquid, Chain>();
  const open: ParsedLiquid[] = [];
  const visit = (file: ParsedLiquid): Chain => {
    const known = chains.get(file);
    if (known) return known;
    const chain: Chain = { length: 1, next: null, line: 1 };
    // The chain is too long already.
    if (open.length === maxFollowedDepth) return chain;
    open.push(file);
    for (const { part, line } of partUses(file)) {
      const used = parts.get(part);
      if (!used) continue;
      const start = open.indexOf(used);
      if (start >= 0) {
        problems.push({ file: file.file, line, reason: `${circle}: ${shownChain([...open.slice(start), used])}` });
        continue;
      }
      const { length } = visit(used);
      if (length >= chain.length) Object.assign(chain, { length: length + 1, next: used, line });
    }
    open.pop();
    chains.set(file, chain);
    return chain;
  };
  for (const root of roots) {
    const { length, line } = visit(root);
    if (length > maxPartDepth) problems.push({ file: root.file, line, reason: tooDeepChain(root, chains) });
  }
  return problems;
}

const circle = "parts and layouts must not be circular";

function tooDeepChain(root: ParsedLiquid, chains: ReadonlyMap<ParsedLiquid, Chain>): string {
  const files: ParsedLiquid[] = [];
  for (let file: ParsedLiquid | null = root; file; file = chains.get(file)?.next ?? null) files.push(file);
  return `parts and layouts are nested ${counted(files.length, "level")} deep, but at most ${maxPartDepth} are allowed: ${shownChain(files)}`;
}

const maxShownFiles = 25;

function shownChain(files: ParsedLiquid[]): string {
  const shown = files.slice(0, maxShownFiles).map(({ file }) => file);
  return [...shown, ...(files.length > shown.length ? ["…"] : [])].join(" → ");
}

type NamesIn = (file: ParsedLiquid) => ReadonlySet<string>;

/** Returns the problems of a file whose layouts do not print everything that the file contains. */
function strayBlocks({ file, layout }: ParsedLiquid, parts: Parts, namesIn: NamesIn): LiquidProblem[] {
  if (!layout) return [];
  const layouts = layoutsOf(layout, parts);
  const names = new Set(layouts.flatMap((used) => [...namesIn(used)]));
  names.delete("");
  const unknown = [...layout.blocks.values()].filter(({ name }) => !names.has(name)).slice(0, maxSuggestions);
  const problems = unknown.map(({ name, line }) => ({ file, line, reason: unknownBlock(name, layout, names) }));
  const [nearest] = layouts;
  if (layout.printLine !== null && nearest && !namesIn(nearest).has("")) {
    const reason = `the layout \`${layout.part}\` has no block without a name, so this would not be printed; put it into a block`;
    problems.push({ file, line: layout.printLine, reason });
  }
  return problems;
}

function layoutsOf(first: LayoutUse, parts: Parts): ParsedLiquid[] {
  const layouts: ParsedLiquid[] = [];
  for (let layout: LayoutUse | null = first; layout; ) {
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
      if (node.kind === "super") problems.push({ file, line: node.line, reason: "`block.super` must be inside a block" });
      if (node.kind !== "block") contentsOf(node).bodies.forEach(visit);
    }
  };
  visit(nodes);
  return problems.slice(0, 1);
}
