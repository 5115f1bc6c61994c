// The error of a template that cannot be parsed.
import type { Filters } from "../filters/registry.ts";

/**
 * The filters that a file may use. The parser continues after the mistakes that it makes with them; the one that reaches the limit is
 * thrown.
 */
export type KnownFilters = { filters: Filters; mistakes: LiquidSyntaxError[]; limit: number };

/** Thrown by the parser. `line` counts from 1. */
export class LiquidSyntaxError extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}
