// Renders Liquid in tests.
import type { FilterScope } from "../src/filters/filter.ts";
import { standardFilters, type Filters } from "../src/filters/registry.ts";
import type { LiquidProblem, Outcome, ParsedLiquid, RenderOptions, SlicedWork } from "../src/liquid.ts";
import { liquidRender, parseLiquid, runAtOnce } from "../src/liquid.ts";
import { type ExactDecimal, parseDecimal } from "../src/values.ts";

export const liquidScope = (): FilterScope => ({
  locale: "en-US",
  language: "en",
  timeZone: "UTC",
  createdAt: 0,
  assetReference: (name) => name,
  formatters: new Map(),
});

type Data = Record<string, unknown>;

export type LiquidOptions = Omit<RenderOptions, "parts"> & {
  scope?: Partial<FilterScope>;
  /** The sources of the parts by name. */
  parts?: Record<string, string>;
  own?: Data;
  /** All filters that the sources may use; the engine's filters by default. */
  filters?: Filters;
};

/** Begins the render of a page. Throws a `ParseProblem` if it or a part cannot be parsed. */
export function begun(source: string, data: Data = {}, options: LiquidOptions = {}): SlicedWork<Outcome<string>> {
  const { scope = {}, own = {}, parts: sources = {}, filters, ...rest } = options;
  const files = Object.entries(sources).map(
    ([name, text]) => [name, parsed(`parts/${name}.liquid`, text, filters)] as const,
  );
  const page = parsed("pages/1.liquid", source, filters);
  return liquidRender(data, { ...liquidScope(), ...scope }, { ...rest, parts: new Map(files) }).render(page, own);
}

class ParseProblem extends Error {
  readonly outcome: Outcome<string>;

  constructor(problem: LiquidProblem) {
    super(problem.reason);
    this.outcome = { status: "problem", problem };
  }
}

export function parsed(file: string, source: string, filters: Filters = standardFilters): ParsedLiquid {
  const outcome = parseLiquid(file, source, { filters, limit: { inFilters: 1, others: 1 } });
  const [problem] = outcome.problems;
  if (problem || !outcome.parsed) throw new ParseProblem(problem ?? { file, line: 1, reason: "" });
  return outcome.parsed;
}

export function rendered(source: string, data: Data = {}, options: LiquidOptions = {}): Outcome<string> {
  try {
    return runAtOnce(begun(source, data, options));
  } catch (error) {
    if (error instanceof ParseProblem) return error.outcome;
    throw error;
  }
}

export function textOf(source: string, data: Data = {}, options: LiquidOptions = {}): string {
  const outcome = rendered(source, data, options);
  if (outcome.status === "ok") return outcome.value;
  throw new Error(`${outcome.problem.file}:${outcome.problem.line}: ${outcome.problem.reason}`);
}

export function problemOf(source: string, data: Data = {}, options: LiquidOptions = {}): LiquidProblem {
  const outcome = rendered(source, data, options);
  if (outcome.status === "problem") return outcome.problem;
  throw new Error(`it was rendered: ${outcome.value.slice(0, 80)}`);
}

export function exactly(text: string): ExactDecimal {
  const decimal = parseDecimal(text);
  if (!decimal) throw new Error(`${text} is not a decimal`);
  return decimal;
}
