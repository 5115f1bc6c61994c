// The error of a template that cannot be parsed.

/** What is wrong with filters of a file, after which the parser goes on. The one that reaches the limit is thrown. */
export type Mistakes = { found: LiquidSyntaxError[]; limit: number };

/** Thrown by the parser. `line` counts from 1. */
export class LiquidSyntaxError extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}
