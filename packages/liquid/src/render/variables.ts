// The variables of a file or part while it is rendered: the variables of the loops around the current node, the assigned
// variables, the counters, and the data.
import { costs } from "../costs.ts";
import { charsPerItem, type Meter } from "../meter.ts";
import { ExactDecimal } from "../values/exact-decimal.ts";
import { isNumber, plainNumber } from "../values/numbers.ts";
import { isRecord, Markup, Range, WithProperties } from "../values/value.ts";

/** The memory that a piece of markup and an exact decimal take in addition to their text, in characters. */
const markupChars = 16;
const decimalChars = 64;

/** The variables of one loop, and the items that it holds. `state` is `forloop` or `tablerowloop`. */
export type LoopVariables = {
  variable: string;
  value: unknown;
  items: unknown;
  stateName: string;
  state: WithProperties;
};

type Values = Readonly<Record<string, unknown>>;

type VariablesInput = {
  data: Values;
  /** Values that are not part of the data, and that hide values of the data with the same names. */
  own?: Values;
  /** The variables of the file that renders this part. The part cannot read them, but their memory counts. */
  caller?: Variables;
  /** More values whose memory counts. */
  held?: unknown[];
};

export class Variables {
  readonly loops: LoopVariables[] = [];
  readonly #assigned = new Map<string, unknown>();
  readonly #counters = new Map<string, number>();
  readonly #meter: Meter;
  readonly #input: VariablesInput;

  constructor(meter: Meter, input: VariablesInput) {
    this.#meter = meter;
    this.#input = input;
  }

  get(name: string): unknown {
    this.#meter.charge(this.loops.length * costs.loopVariable);
    for (let depth = this.loops.length - 1; depth >= 0; depth--) {
      const loop = this.loops[depth];
      if (loop?.variable === name) return loop.value;
      if (loop?.stateName === name) return loop.state;
    }
    if (this.#assigned.has(name)) return this.#assigned.get(name);
    if (this.#counters.has(name)) return this.#counters.get(name);
    return this.#given(name);
  }

  assign(name: string, value: unknown): void {
    this.#assigned.set(name, value);
  }

  /**
   * Adds to a counter, and returns its previous value. A counter starts with the number of the same name in the data, or with 0.
   * Counters and variables are separate.
   */
  count(name: string, step: 1 | -1): number {
    const given = this.#given(name);
    const value = this.#counters.get(name) ?? (isNumber(given) ? plainNumber(given) : 0);
    this.#counters.set(name, value + step);
    return value;
  }

  #given(name: string): unknown {
    const { data, own } = this.#input;
    const values = own && Object.hasOwn(own, name) ? own : data;
    return Object.hasOwn(values, name) ? values[name] : undefined;
  }

  /** Adds the values that these variables and the variables of all callers hold. There are at most `maxPartDepth` callers. */
  #addHeldValues(values: unknown[]): void {
    for (const value of this.#assigned.values()) values.push(value);
    for (const { items } of this.loops) values.push(items);
    values.push(...(this.#input.held ?? []));
    const { caller } = this.#input;
    if (caller) caller.#addHeldValues(values);
  }

  /**
   * Returns the size of everything that the variables hold, in characters. Shared values are counted once. Values from
   * the data also count if a variable holds them.
   */
  heldChars(): number {
    const seen = new Set<unknown>();
    const pending: unknown[] = [];
    this.#addHeldValues(pending);
    let chars = 0;
    // A list is used instead of recursion, so that deeply nested values cannot overflow the stack.
    while (pending.length > 0) {
      const value = pending.pop();
      this.#meter.charge(costs.measuredValue);
      const content = value instanceof Markup ? value.html : value instanceof WithProperties ? value.value : value;
      if (typeof content === "string") {
        chars += content.length + (value instanceof Markup ? markupChars : 0);
        continue;
      }
      if (content instanceof ExactDecimal) chars += content.chars + decimalChars;
      if (typeof content !== "object" || content === null || content instanceof Range || seen.has(content)) continue;
      seen.add(content);
      const items: unknown[] = Array.isArray(content) ? content : isRecord(content) ? Object.values(content) : [];
      // The number of keys is known only after listing them, so they are charged afterwards.
      this.#meter.charge(costs.measuredObject + (Array.isArray(content) ? 0 : items.length * costs.measuredKey));
      chars += items.length * charsPerItem;
      for (const item of items) pending.push(item);
    }
    return chars;
  }
}
