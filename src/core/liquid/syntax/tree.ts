// The parse tree of a template. Every list in the tree has a limit, which the parser enforces; see `limits.ts`.
import type { Filter } from "../filters/filter.ts";

export type Expression =
  | { kind: "literal"; value: unknown }
  | { kind: "path"; root: string | Expression; steps: PathStep[] }
  | { kind: "range"; from: Expression; to: Expression };

/** `.name` is a string; `[expression]` is an expression. */
export type PathStep = string | Expression;

export type FilterUse = {
  name: string;
  filter: Filter;
  positional: Expression[];
  named: [name: string, value: Expression][];
};

/** An expression followed by filters, as in `{{ price | times: 2 | currency: "EUR" }}`. */
export type FilteredExpression = { value: Expression; filters: FilterUse[] };

export const comparisons = ["==", "!=", "<>", "<", ">", "<=", ">=", "contains"] as const;
export type Comparison = (typeof comparisons)[number];

/** `left`, or `left operator right`. */
export type Operand = { left: Expression; comparison: { operator: Comparison; right: Expression } | null };

/** Liquid evaluates `a and b or c` from right to left: `a and (b or c)`. `connectives[i]` follows `operands[i]`. */
export type Condition = { operands: Operand[]; connectives: ("and" | "or")[] };

export type LoopOptions = {
  variable: string;
  collection: Expression;
  /** The name that `forloop.name` shows and that `offset: continue` refers to. */
  name: string;
  limit: Expression | null;
  offset: Expression | "continue" | null;
};

/** A branch of `if`, `unless` or `elsif`; the branch of `else` has no condition. `negated` is true for `unless`. */
export type Branch = { condition: Condition | null; negated: boolean; body: Node[] };

/** A branch of `case`; `values` is null for `else`. */
export type CaseBranch = { values: Expression[] | null; body: Node[] };

/** `isBlank` is true when the block prints nothing; its white space was then removed. */
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
  | { kind: "break" }
  | { kind: "continue" };

/** `line` counts from 1. */
export type Node = NodeKind & { line: number };

/** A parsed file of a template. `tokenCount` and `codeChars` are what `maxTokens` and `maxCodeChars` limit. */
export type ParsedLiquid = { file: string; nodes: Node[]; tokenCount: number; codeChars: number };
