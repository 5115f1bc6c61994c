// Parses expressions, filters and conditions. One parser handles the inside of one tag or output.
import { LiquidSyntaxError } from "../errors.ts";
import type { Filter } from "../filters/filter.ts";
import type { Filters } from "../filters/registry.ts";
import { parseNumber } from "../values/numbers.ts";
import { specialValue } from "../values/value.ts";
import { lex, type Lexeme } from "./lexer.ts";
import { maxExpressionDepth } from "./limits.ts";
import type { Mistakes } from "./mistakes.ts";
import { argumentProblem, remedyFor, unknownFilter, withRemedies } from "./remedies.ts";
import type { Condition, Expression, FilteredExpression, FilterUse, Operand, PathStep } from "./tree.ts";
import { comparisons } from "./tree.ts";

/** The filters that a file may use, and the mistakes that have been found in it. */
export type KnownFilters = { filters: Filters; mistakes: Mistakes };

export class ExpressionParser {
  readonly line: number;
  readonly #markup: string;
  readonly #lexemes: Lexeme[];
  #position = 0;
  #depth = 0;

  constructor(markup: string, line: number) {
    this.line = line;
    this.#markup = markup;
    this.#lexemes = lex(markup, line);
  }

  /** An expression with its filters. An empty output prints nothing. Mistakes in filters are added to `known`. */
  filtered(known: KnownFilters): FilteredExpression {
    if (this.isAtEnd()) return { value: { kind: "literal", value: undefined }, filters: [] };
    const value = this.expression();
    const filters: FilterUse[] = [];
    while (this.takes("|")) filters.push(this.#filterUse(known));
    return { value, filters };
  }

  condition(): Condition {
    const operands = [this.#operand()];
    const connectives: Condition["connectives"] = [];
    for (;;) {
      const word = this.takes("and") ? "and" : this.takes("or") ? "or" : null;
      if (!word) return { operands, connectives };
      connectives.push(word);
      operands.push(this.#operand());
    }
  }

  expression(): Expression {
    if (++this.#depth > maxExpressionDepth) {
      throw this.error(`brackets are nested more than ${maxExpressionDepth} levels deep`);
    }
    const expression = this.#unlimitedExpression();
    this.#depth--;
    return expression;
  }

  /** Consumes the name and returns it; throws when the next lexeme is not a name. */
  name(what: string): string {
    const { kind, text } = this.#next();
    if (kind !== "name") throw this.error(`${what} is missing`);
    return text;
  }

  /** Consumes the operator or word if it comes next. */
  takes(text: string): boolean {
    const { kind, text: next } = this.#peek();
    const isNext = next === text && (kind === "operator" || kind === "name");
    if (isNext) this.#position++;
    return isNext;
  }

  /** Returns whether a name and a colon come next, as in `limit: 3`. */
  startsNamedArgument(): boolean {
    return this.#peek().kind === "name" && this.#peek(1).text === ":" && this.#peek(1).kind === "operator";
  }

  expects(text: string): void {
    if (!this.takes(text)) throw this.error(`\`${text}\` is expected ${this.#where()}`);
  }

  isAtEnd(): boolean {
    return this.#peek().kind === "end";
  }

  expectEnd(): void {
    const { kind, text } = this.#peek();
    if (kind === "end") return;
    throw this.error(`\`${text}\` is not expected here${kind === "string" ? "" : remedyFor(text)}`);
  }

  /** `line` is the next lexeme's line unless the mistake is elsewhere. */
  error(message: string, line = this.#lineHere()): LiquidSyntaxError {
    return new LiquidSyntaxError(withRemedies(message, this.#markup, this.#peek().at), line);
  }

  /** Returns the text that has not been parsed yet. */
  rest(): string {
    return this.#markup.slice(this.#peek().at);
  }

  #unlimitedExpression(): Expression {
    const lexeme = this.#next();
    const { kind, text } = lexeme;
    if (kind === "string") return { kind: "literal", value: text };
    if (kind === "number") return { kind: "literal", value: parseNumber(text) };
    if (kind === "operator" && text === "(") return this.#range();
    if (kind === "operator" && text === "[") {
      const root = this.expression();
      this.expects("]");
      return { kind: "path", root, steps: this.#steps(), line: lexeme.line };
    }
    if (kind !== "name")
      throw this.error(`a value is expected ${kind === "end" ? "at the end" : `before \`${text}\``}`);
    const steps = this.#steps();
    const special = steps.length === 0 ? specialValue(text) : null;
    return special ? { kind: "literal", value: special.value } : { kind: "path", root: text, steps, line: lexeme.line };
  }

  #range(): Expression {
    const from = this.expression();
    if (!this.takes("..")) {
      throw this.error("parentheses are only for ranges such as `(1..3)`; put one `if` inside another instead");
    }
    const to = this.expression();
    this.expects(")");
    return { kind: "range", from, to };
  }

  #steps(): PathStep[] {
    const steps: PathStep[] = [];
    for (;;) {
      if (this.takes(".")) {
        const { kind, text } = this.#peek();
        if (kind === "number") throw this.error(`\`.${text}\` is not the name of a property; write \`[${text}]\``);
        steps.push(this.name("the name of the property after `.`"));
      } else if (this.takes("[")) {
        steps.push(this.expression());
        this.expects("]");
      } else {
        return steps;
      }
    }
  }

  #filterUse(known: KnownFilters): FilterUse {
    const { line, text } = this.#peek();
    if (text === "|") throw this.error("`||` is not expected here; use the filter `default`");
    const name = this.name("the name of the filter after `|`");
    const filter = Object.hasOwn(known.filters, name) ? known.filters[name] : undefined;
    const use: FilterUse = { name, filter: filter ?? brokenFilter, positional: [], named: [], line };
    if (this.takes(":")) {
      do {
        if (this.startsNamedArgument()) {
          const argument = this.name("the name of the argument");
          this.expects(":");
          use.named.push([argument, this.expression()]);
        } else {
          use.positional.push(this.expression());
        }
      } while (this.takes(","));
    }
    const { text: next } = this.#peek();
    const colon = `\`${next}\` is not expected here; a filter's arguments follow a colon, as in \`${name}: …\``;
    const from = this.#peek().at;
    if (next === "(") this.#skipBrackets();
    else if (filter && !this.isAtEnd() && next !== "|") throw this.error(colon);
    const misplaced =
      next === "(" ? withRemedies(colon, this.#markup.slice(from, this.#peek().at)) : argumentProblem(use);
    const problem = filter ? misplaced : unknownFilter(name, known.filters);
    if (problem === null) return use;
    known.mistakes.addInFilter(new LiquidSyntaxError(problem, line));
    return { ...use, filter: brokenFilter };
  }

  /** Skips everything up to the bracket that closes the next one. */
  #skipBrackets(): void {
    let depth = 0;
    do {
      const { text, kind } = this.#next();
      if (kind === "operator") depth += text === "(" ? 1 : text === ")" ? -1 : 0;
    } while (depth > 0 && !this.isAtEnd());
  }

  #operand(): Operand {
    const { line } = this.#peek();
    const left = this.expression();
    const { kind, text } = this.#peek();
    const isNot = left.kind === "path" && left.root === "not" && left.steps.length === 0;
    if (isNot && (kind === "name" || kind === "string" || text === "(")) {
      throw this.error("there is no `not`; use `unless`, or compare with `== false` or `!=`");
    }
    if (kind === "operator" && text === "=") throw this.error("`=` does not compare values; write `==`");
    if (kind === "operator" && text === "|") {
      throw this.error(
        this.#peek(1).text === "|"
          ? "`||` is not expected here; write `or`"
          : "a condition cannot contain filters; use `assign` first",
      );
    }
    const operator = comparisons.find((name) => name === text);
    if (!operator || (kind !== "operator" && kind !== "name")) return { left, comparison: null, line };
    this.#position++;
    return { left, comparison: { operator, right: this.expression() }, line };
  }

  /** The line of the next lexeme; at the end, the last lexeme's line. */
  #lineHere(): number {
    const lexeme = this.#peek();
    const last = lexeme.kind === "end" ? this.#lexemes.at(-2) : lexeme;
    return last?.line ?? this.line;
  }

  #where(): string {
    const { kind, text } = this.#peek();
    return kind === "end" ? "at the end" : `before \`${text}\``;
  }

  #peek(ahead = 0): Lexeme {
    const at = Math.min(this.#position + ahead, this.#lexemes.length - 1);
    return this.#lexemes[at] ?? { kind: "end", text: "", at: this.#markup.length, line: this.line };
  }

  #next(): Lexeme {
    const lexeme = this.#peek();
    this.#position++;
    return lexeme;
  }
}

/** Replaces an unusable filter in a tree that is only checked. */
const brokenFilter: Filter = { arity: [0, 0], apply: () => undefined };
