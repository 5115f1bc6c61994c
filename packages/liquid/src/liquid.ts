// Parses Liquid templates, and renders them within a budget of work and memory. Every value is HTML-escaped unless the
// template says `| raw`.
import { LiquidError } from "./errors.ts";
import type { FilterScope, Formatter } from "./filters/filter.ts";
import { standardFilters, type Filters } from "./filters/registry.ts";
import { LargeDocument, Meter, tooMuchMemory } from "./meter.ts";
import { Machine, type Output } from "./render/machine.ts";
import { renderNode } from "./render/nodes.ts";
import { enterFile } from "./render/parts.ts";
import { Variables } from "./render/variables.ts";
import { BlockParser } from "./syntax/block-parser.ts";
import { mistakeLimit, Mistakes, type MistakeLimit } from "./syntax/mistakes.ts";
import { layoutOf, type Parts } from "./syntax/parts.ts";
import { scanTemplate } from "./syntax/scanner.ts";
import { tagParsers } from "./syntax/tags.ts";
import type { ParsedLiquid } from "./syntax/tree.ts";

export { LiquidError };
export type { FilterScope, Formatter, ParsedLiquid };

/** Why a template cannot be parsed or rendered, with the position. `line` counts from 1. */
export type LiquidProblem = { file: string; line: number; reason: string };

export type Outcome<T> = { status: "ok"; value: T } | { status: "problem"; problem: LiquidProblem };

/**
 * The file may use only these `filters`. Parsing continues after mistakes, which are deducted from `limit` and listed in the order of their
 * lines. `parsed` must not be rendered if there are problems, and lacks what could not be parsed. It is null if it is uncertain where
 * tags and outputs begin and end.
 */
export function parseLiquid(
  file: string,
  source: string,
  { filters = standardFilters, limit = mistakeLimit() }: { filters?: Filters; limit?: MistakeLimit } = {},
): { parsed: ParsedLiquid | null; problems: LiquidProblem[] } {
  if (limit.others <= 0) return { parsed: null, problems: [] };
  const mistakes = new Mistakes(limit);
  const parsed = mistakes.during((): ParsedLiquid => {
    const tokens = scanTemplate(source, mistakes);
    const nodes = mistakes.upToLimit(
      () => new BlockParser([...tokens], tagParsers, { filters, mistakes }).body([], null).nodes,
      [],
    );
    const codeChars = tokens.reduce((sum, token) => sum + (token.kind === "text" ? 0 : token.markup.length), 0);
    const { unparsed } = mistakes;
    return { file, nodes, layout: layoutOf(nodes), tokenCount: tokens.length, codeChars, unparsed };
  });
  return { parsed, problems: mistakes.inOrder.map(({ line, message }) => ({ file, line, reason: message })) };
}

/**
 * Work in slices of about 20 ms, between which the caller can let other requests run. A slice is bounded by its work, not by a
 * clock. A single tag is never divided.
 */
export type SlicedWork<T> = Generator<Pause, T, void>;

/** `isLarge` is true if the next slice needs memory for long markup and for variables of the same size. */
export type Pause = { isLarge: boolean };

/** Runs sliced work to its end, without letting other requests run in between. */
export function runAtOnce<T>(work: SlicedWork<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Renders several files with a shared budget and a shared maximum output. Each file has its own variables. */
export type LiquidRender = {
  /**
   * Renders a file. Only this file and its parts can read the values in `own`, which hide values of the data with the
   * same names.
   */
  render(parsed: ParsedLiquid, own?: Values): SlicedWork<Outcome<string>>;
  /**
   * Returns a render of more files with the same data and the remaining budget and output. The fork's use is not deducted from this
   * render, so each of several forks has the same budget.
   */
  fork(): LiquidRender;
};

type Values = Readonly<Record<string, unknown>>;

export type RenderOptions = {
  /** The parts that the files use; none by default. */
  parts?: Parts;
  /** The names of the data's values that parts can also read. */
  globals?: readonly string[];
  meter?: Meter;
};

export function liquidRender(data: Values, scope: FilterScope, options: RenderOptions = {}): LiquidRender {
  const { parts = new Map(), globals: names = [], meter = new Meter() } = options;
  const globals = Object.fromEntries(names.map((name) => [name, data[name]]));
  return renderWithin({ data, scope, parts, globals, meter, output: { writtenChars: 0 } });
}

type Input = { data: Values; scope: FilterScope; parts: Parts; globals: Values; meter: Meter; output: Output };

function renderWithin(input: Input): LiquidRender {
  const { meter, output } = input;
  return {
    fork: () => renderWithin({ ...input, meter: meter.fork(), output: { ...output } }),
    *render(parsed, own = {}) {
      const { work } = meter;
      const { writtenChars } = output;
      for (;;) {
        const outcome = yield* renderFile(input, parsed, own);
        if (outcome) return outcome;
        // The file starts again after the caller has reserved memory. All results so far are dropped before.
        yield { isLarge: true };
        meter.rewind(work);
        output.writtenChars = writtenChars;
      }
    },
  };
}

/** Returns null if the document becomes large. */
function* renderFile(input: Input, parsed: ParsedLiquid, own: Values): SlicedWork<Outcome<string> | null> {
  const { data, scope, parts, globals, meter, output } = input;
  const variables = new Variables(meter, { data, own });
  const surroundings = { parts, globals: { ...globals, ...own } };
  const machine = new Machine({ meter, scope, variables }, surroundings, output);
  try {
    enterFile(machine, parsed);
    while (!machine.run(renderNode)) yield { isLarge: meter.isLarge };
    return { status: "ok", value: machine.text };
  } catch (error) {
    if (error instanceof LargeDocument) return null;
    return { status: "problem", problem: { file: machine.file, line: machine.line, reason: reasonOf(error) } };
  }
}

/** JavaScript reports its own limits as a `RangeError`. Any other error is a bug in this code. */
function reasonOf(error: unknown): string {
  if (error instanceof LiquidError) return error.message;
  if (error instanceof RangeError) return tooMuchMemory;
  throw error;
}
