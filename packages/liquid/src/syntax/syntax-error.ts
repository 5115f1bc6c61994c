// The error of a template that cannot be parsed.

/** Thrown by the parser. `line` counts from 1. */
export class LiquidSyntaxError extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}
