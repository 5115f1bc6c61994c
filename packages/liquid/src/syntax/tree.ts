// The parse tree of a template. `limits.ts` bounds its size and its depth.
import type { Filter } from "../filters/filter.ts";
import type { Unparsed } from "./mistakes.ts";

/** `line` is the line on which a path begins, counted from 1. */
export type Expression =
  | { kind: "literal"; value: unknown }
  | { kind: "path"; root: string | Expression; steps: PathStep[]; line: number }
  | { kind: "range"; from: Expression; to: Expression };

/** `.name` is a string; `[expression]` is an expression. */
export type PathStep = string | Expression;

export type FilterUse = {
  name: string;
  filter: Filter;
  positional: Expression[];
  named: [name: string, value: Expression][];
  /** The line of the filter's name. */
  line: number;
};

/** An expression followed by filters, as in `{{ price | times: 2 | currency: "EUR" }}`. */
export type FilteredExpression = { value: Expression; filters: FilterUse[] };

export const comparisons = ["==", "!=", "<>", "<", ">", "<=", ">=", "contains"] as const;
export type Comparison = (typeof comparisons)[number];

/** `left`, or `left operator right`. `line` is the line on which `left` begins. */
export type Operand = {
  left: Expression;
  comparison: { operator: Comparison; right: Expression } | null;
  line: number;
};

/** Liquid evaluates `a and b or c` from right to left: `a and (b or c)`. `connectives[i]` follows `operands[i]`. */
export type Condition = { operands: Operand[]; connectives: ("and" | "or")[] };

export type LoopOptions = {
  variable: string;
  collection: Expression;
  /** The name in `forloop.name`, to which `offset: continue` refers. */
  name: string;
  limit: Expression | null;
  offset: Expression | "continue" | null;
};

/** A branch of `if`, `unless` or `elsif`; the branch of `else` has no condition. `negated` is true for `unless`. */
export type Branch = { condition: Condition | null; negated: boolean; body: Node[] };

/** A branch of `case`; `values` is null for `else`. `line` is the line of `when` or `else`. */
export type CaseBranch = { values: Expression[] | null; body: Node[]; line: number };

/** The arguments of `render` and `layout`, by name. */
export type NamedArguments = [name: string, value: Expression][];

/** The value that `with` or `for` in `render` binds to the part's variable `alias`: the value itself, or each of its items one by one. */
export type Binding = { kind: "with" | "for"; value: Expression; alias: string };

/** A block that a file fills in its layout, or that a layout leaves to other files. An unnamed block has the name `""`. */
export type BlockNode = { kind: "block"; name: string; body: Node[] };

/** `isBlank` is true if the block prints nothing; its white space has then been removed. */
export type NodeKind =
  | { kind: "text"; text: string }
  | { kind: "output"; expression: FilteredExpression }
  | { kind: "assign"; variable: string; expression: FilteredExpression }
  | { kind: "capture"; variable: string; body: Node[] }
  | { kind: "if"; branches: Branch[]; isBlank: boolean }
  | { kind: "case"; value: Expression; branches: CaseBranch[]; isBlank: boolean }
  | { kind: "for"; options: LoopOptions; reversed: boolean; body: Node[]; otherwise: Node[]; isBlank: boolean }
  | { kind: "tablerow"; options: LoopOptions; columns: Expression | null; body: Node[] }
  | { kind: "cycle"; group: Expression | string; values: Expression[] }
  | { kind: "increment" | "decrement"; variable: string }
  | { kind: "ifchanged"; body: Node[] }
  | { kind: "render"; part: string; binding: Binding | null; named: NamedArguments }
  | BlockNode
  | { kind: "layout"; part: string; named: NamedArguments }
  /** `{{ block.super }}`: the content of the block in the layout. */
  | { kind: "super" }
  | { kind: "break" }
  | { kind: "continue" };

/** `line` counts from 1. */
export type Node = NodeKind & { line: number };

/**
 * The layout at the beginning of a file. `blocks` are the file's blocks, which fill the blocks of its layouts, by name. `outside` are its
 * other nodes, whose output fills the layout's unnamed block. `printLine` is the line of the first outside node that can print anything;
 * null if there is none.
 */
export type LayoutUse = {
  part: string;
  named: NamedArguments;
  line: number;
  blocks: ReadonlyMap<string, BlockNode & { line: number }>;
  outside: Node[];
  printLine: number | null;
};

/**
 * A parsed file of a template. `nodes` are all nodes of the file, including the nodes of `layout`. `tokenCount` and `codeChars` are limited
 * by `maxTokens` and `maxCodeChars`.
 */
export type ParsedLiquid = {
  file: string;
  nodes: Node[];
  layout: LayoutUse | null;
  tokenCount: number;
  codeChars: number;
  /** Null if everything could be parsed, apart from filters. */
  unparsed: Unparsed | null;
};
