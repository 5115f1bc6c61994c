// Collects the mistakes of a file, so that an author sees all of them at once.
import { LiquidSyntaxError } from "../errors.ts";
import { maxFilterMistakes, maxOtherMistakes } from "./limits.ts";

/** Thrown when no more mistakes are listed. */
class ParsingStopped extends Error {}

/** Code that could not be parsed: the words in it, and whether it changes the meaning of names, as `{{#each items}}` does. */
export type Unparsed = { words: ReadonlySet<string>; changesNames: boolean };

/** How many more mistakes are listed: wrong uses of filters, and others. Several files can share a limit. */
export type MistakeLimit = { inFilters: number; others: number };

/** Returns the limit of a template. */
export function mistakeLimit(): MistakeLimit {
  return { inFilters: maxFilterMistakes, others: maxOtherMistakes };
}

export class Mistakes {
  readonly #found: LiquidSyntaxError[] = [];
  readonly #limit: MistakeLimit;
  readonly #words = new Set<string>();
  #isReadable = true;
  changesNames = false;

  constructor(limit: MistakeLimit) {
    this.#limit = limit;
  }

  /** Like the methods below, throws if no more mistakes are listed. */
  addInFilter(mistake: LiquidSyntaxError): void {
    this.#found.push(mistake);
    if (--this.#limit.inFilters <= 0) throw new ParsingStopped();
  }

  add(mistake: LiquidSyntaxError): void {
    this.#found.push(mistake);
    if (--this.#limit.others <= 0) throw new ParsingStopped();
  }

  /** Adds a mistake in the syntax of `code`. */
  addUnparsed(mistake: LiquidSyntaxError, code: string): void {
    for (const [word] of code.matchAll(/[A-Za-z_]\w*/g)) this.#words.add(word);
    this.add(mistake);
  }

  /** Adds a mistake after which it is uncertain where code begins and ends. */
  addUnclosed(mistake: LiquidSyntaxError): void {
    this.#isReadable = false;
    this.add(mistake);
  }

  /** Returns what `parse` returns, or `fallback` if no more mistakes are listed. */
  upToLimit<T>(parse: () => T, fallback: T): T {
    try {
      return parse();
    } catch (error) {
      // At most a hundred mistakes in filters are listed, and nothing after them.
      if (!(error instanceof ParsingStopped) || this.#limit.others > 0) throw error;
      // Any name may be defined in the rest.
      this.#words.add("");
      this.changesNames = true;
      return fallback;
    }
  }

  /** Returns what `parse` returns. Null if parsing stopped, or if it is uncertain where code begins and ends. */
  during<T>(parse: () => T): T | null {
    try {
      const parsed = parse();
      return this.#isReadable ? parsed : null;
    } catch (error) {
      if (error instanceof LiquidSyntaxError) this.#found.push(error);
      else if (!(error instanceof ParsingStopped)) throw error;
      return null;
    }
  }

  /** Returns `fallback` if `parse` throws a mistake in `code`. */
  attempt<T>(code: string, parse: () => T, fallback: T): T {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof LiquidSyntaxError) || error.isFatal) throw error;
      this.addUnparsed(error, code);
      return fallback;
    }
  }

  get unparsed(): Unparsed | null {
    return this.#words.size > 0 ? { words: this.#words, changesNames: this.changesNames } : null;
  }

  /** The mistakes in the order of their lines. */
  get inOrder(): LiquidSyntaxError[] {
    return this.#found.toSorted((a, b) => a.line - b.line);
  }
}
