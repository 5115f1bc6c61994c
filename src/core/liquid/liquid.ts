// Liquid with limits: a budget of visits, a cap on the output, no file system, own properties only, and every value
// HTML-escaped unless the template says `| raw`. The budget counts visits instead of measuring time, because the clock
// of a deployed Worker advances only during I/O.
import { Context, defaultOperators, Liquid, toValueSync, type Template as ParsedNode } from "liquidjs";
import { filterScopeRegister, type FilterScope } from "./filter-call.ts";
import { registerDocumentFilters } from "./filters.ts";

export type ParsedLiquid = { file: string; nodes: ParsedNode[] };

/** The reason why a template cannot be parsed or rendered, and its position. `line` counts from 1. */
export type LiquidProblem = { file: string; line: number; reason: string };

export type Outcome<T> = { status: "ok"; value: T } | { status: "problem"; problem: LiquidProblem };

/**
 * The maximum number of visits in one document. Rendering a node takes one visit, and a slow filter takes more. Ten
 * thousand table rows of ten cells take about 300,000 visits.
 */
const visitBudget = 2_000_000;
/**
 * The maximum number of characters of markup in one document, not counting inlined files. If the markup is longer,
 * Chromium drops text from large blocks.
 */
export const maxMarkupChars = 2_000_000;
/** The maximum number of characters that a document may write in total, including captured text. */
const maxWrittenChars = 3 * maxMarkupChars;
const memoryLimit = 500_000;
const parseLimit = 500_000;
const maxNesting = 100;
const tooDeep = `blocks are nested more than ${maxNesting} levels deep`;

const liquid = limitedLiquid();

export function parseLiquid(file: string, source: string): Outcome<ParsedLiquid> {
  try {
    const nodes = liquid.parse(source, file);
    assertNesting(nodes);
    return { status: "ok", value: { file, nodes } };
  } catch (error) {
    return { status: "problem", problem: problemOf(error, file) };
  }
}

/** A render of several files that share one budget, one output cap and one set of variables. */
export type LiquidRender = { render: (parsed: ParsedLiquid) => Outcome<string> };

export function liquidRender(variables: Record<string, unknown>, scope: FilterScope): LiquidRender {
  const budget = countingBudget();
  const output: OutputMeter = { chars: 0 };
  const render = (parsed: ParsedLiquid): Outcome<string> => {
    const limits = { renderLimit: budget as unknown as Context["renderLimit"], liquid };
    const context = new Context({ ...variables }, liquid.options, { sync: true }, limits);
    context.setRegister(filterScopeRegister, scope);
    context.setRegister(outputMeterRegister, output);
    try {
      const markup = toValueSync(liquid.renderer.renderTemplates(parsed.nodes, context));
      return { status: "ok", value: String(markup) };
    } catch (error) {
      return { status: "problem", problem: problemOf(error, parsed.file) };
    }
  };
  return { render };
}

function limitedLiquid(): Liquid {
  const engine = new Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    operators: { ...defaultOperators, contains: countedContains },
    outputEscape: (value: unknown) => escapeHtml(value),
    memoryLimit,
    parseLimit,
    // The engine has no file system, and it cannot look up templates by name. The tags that read files are removed
    // below.
    templates: {},
    relativeReference: false,
  });
  for (const tag of ["include", "render", "layout", "block"]) delete engine.tags[tag];
  // Caps the output of every emitter, including the one inside `capture`, because a template could otherwise double its
  // captured text again and again without showing it.
  const render = engine.renderer;
  const renderTemplates = render.renderTemplates.bind(render);
  render.renderTemplates = (nodes, context, emitter) =>
    renderTemplates(nodes, context, emitter ?? cappedEmitter(context.getRegister(outputMeterRegister)));
  registerDocumentFilters(engine);
  return engine;
}

type OutputMeter = { chars: number };
const outputMeterRegister = "colophon-output";

/**
 * Throws when blocks are nested too deeply. The renderer recurses on nested blocks, and a budget of visits cannot
 * prevent a stack overflow.
 */
function assertNesting(nodes: ParsedNode[]): void {
  let level = nodes;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxNesting) throw positionedError(tooDeep, level[0]);
    level = level.flatMap(childrenOf);
  }
}

function childrenOf(node: ParsedNode): ParsedNode[] {
  return node.children ? [...(toValueSync(node.children(false, true)) as ParsedNode[])] : [];
}

function positionedError(message: string, node: ParsedNode | undefined): Error {
  return Object.assign(new Error(message), { token: node?.token });
}

/**
 * Works like Liquid's `contains`, but charges one visit for every hundred items or characters, because the time to
 * search grows with the length.
 */
function* countedContains(list: unknown, item: unknown, context: Context): Generator {
  const length = Array.isArray(list) || typeof list === "string" ? list.length : 0;
  for (let searched = 0; searched < length; searched += 100) context.renderLimit.check(1);
  return yield defaultOperators.contains?.(list, item, context);
}

/**
 * Returns a replacement for Liquid's render limiter. It counts the calls to `check`, whereas Liquid's measures time.
 */
function countingBudget(): { check: () => void; use: () => void } {
  let visits = 0;
  return {
    check: () => {
      if (++visits > visitBudget) throw new Error("the template does too much work; loop over less data");
    },
    use: () => {},
  };
}

function cappedEmitter(output: OutputMeter): { write: (part: unknown) => void; buffer: string } {
  const emitter = {
    // The engine reads the buffer after every nested block, so it is kept as a string instead of being joined on demand.
    buffer: "",
    write: (part: unknown) => {
      const text = stringify(part);
      output.chars += text.length;
      if (output.chars > maxWrittenChars) throw new Error(markupTooLarge);
      emitter.buffer += text;
    },
  };
  return emitter;
}

export const markupTooLarge = `the markup exceeds ${maxMarkupChars.toLocaleString("en-US")} characters; split the document`;

export function escapeHtml(value: unknown): string {
  return stringify(value).replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;" };

function stringify(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(stringify).join("");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

type PositionedError = Error & { token?: { getPosition?: () => number[]; file?: string }; originalError?: Error };

function problemOf(error: unknown, file: string): LiquidProblem {
  const positioned = error as PositionedError;
  // The parser recurses too: thousands of nested blocks overflow the stack, which throws a `RangeError`.
  const message = error instanceof RangeError ? tooDeep : (positioned.originalError ?? positioned).message;
  return {
    file: positioned.token?.file ?? file,
    line: positioned.token?.getPosition?.()[0] ?? 1,
    // The engine appends its own position and an excerpt of the source to its messages.
    reason: message.split(", file:")[0]?.split("\n")[0] ?? "it cannot be rendered",
  };
}
