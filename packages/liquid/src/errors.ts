// The errors of templates. Their messages are for the template's author.

/** Thrown when a template exceeds a limit or does something forbidden while it is rendered. */
export class LiquidError extends Error {}

/** Thrown by the parser. `line` counts from 1. */
export class LiquidSyntaxError extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}
