// The tag `for`.
import { costs } from "../costs.ts";
import type { LoopOptions, Node } from "../syntax/tree.ts";
import { loopItems } from "../values/list.ts";
import { Range, WithProperties } from "../values/value.ts";
import { evaluate, loopNumber } from "./evaluate.ts";
import type { Frame, Machine } from "./machine.ts";
import type { LoopVariables } from "./variables.ts";

/** A part of a list or range, from `start` up to but not including `end`. */
export type LoopSlice = { items: readonly unknown[] | Range; start: number; end: number };

export function enterFor(machine: Machine, node: Extract<Node, { kind: "for" }>): void {
  const slice = loopSlice(machine, node.options);
  if (slice.start >= slice.end) machine.enterBlock(node.otherwise);
  else machine.enter(new ForFrame(machine, node, slice));
}

/** Evaluates the collection and the options of a loop, and records where the loop ends for `offset: continue`. */
export function loopSlice(machine: Machine, { collection, name, limit, offset }: LoopOptions): LoopSlice {
  const { evaluation, loopEnds } = machine;
  const items = loopItems(evaluation.meter, evaluate(evaluation, collection));
  const from = offset === "continue" ? (loopEnds.get(name) ?? 0) : (loopNumber(evaluation, "offset", offset) ?? 0);
  const count = loopNumber(evaluation, "limit", limit) ?? Infinity;
  const start = Math.max(0, from);
  const end = Math.max(start, Math.min(items.length, start + count));
  evaluation.meter.commitNode();
  loopEnds.set(name, end);
  return { items, start, end };
}

export function sliceItem({ items }: LoopSlice, index: number): unknown {
  return items instanceof Range ? items.from + index : items[index];
}

/** The properties of `forloop` that change from one iteration to the next. */
const firstIteration = { index: 0, index0: 0, rindex: 0, rindex0: 0, first: true, last: false };

/** The properties of `forloop`. */
export type ForState = typeof firstIteration & {
  name: string;
  length: number;
  parentloop: WithProperties | undefined;
};

export function forState(name: string, length: number, parentloop?: WithProperties): ForState {
  return { name, length, parentloop, ...firstIteration };
}

/** Sets the properties that depend on the number of the iteration, which counts from 0. */
export function setIteration(state: ForState, index: number): void {
  const { length } = state;
  state.index = index + 1;
  state.index0 = index;
  state.rindex = length - index;
  state.rindex0 = length - index - 1;
  state.first = index === 0;
  state.last = index === length - 1;
}

class ForFrame implements Frame {
  readonly nodes: readonly Node[];
  readonly isLoop = true;
  next = 0;
  readonly #slice: LoopSlice;
  readonly #reversed: boolean;
  readonly #variables: LoopVariables;
  readonly #state: ForState;
  #index = 0;

  constructor(machine: Machine, { options, reversed, body }: Extract<Node, { kind: "for" }>, slice: LoopSlice) {
    const { loops } = machine.evaluation.variables;
    const parent = loops.findLast(({ stateName }) => stateName === "forloop")?.state;
    this.nodes = body;
    this.#slice = slice;
    this.#reversed = reversed;
    this.#state = forState(options.name, slice.end - slice.start, parent);
    const state = new WithProperties(this.#state);
    this.#variables = { variable: options.variable, value: undefined, items: slice.items, stateName: "forloop", state };
    loops.push(this.#variables);
    this.#begin();
  }

  finish(machine: Machine): void {
    this.#index++;
    machine.evaluation.meter.charge(costs.step);
    if (this.#index < this.#slice.end - this.#slice.start) {
      this.#begin();
      return;
    }
    machine.leave();
    this.abandon(machine);
  }

  abandon(machine: Machine): void {
    machine.evaluation.variables.loops.pop();
  }

  #begin(): void {
    const { start, end } = this.#slice;
    const index = this.#index;
    this.next = 0;
    this.#variables.value = sliceItem(this.#slice, this.#reversed ? end - 1 - index : start + index);
    setIteration(this.#state, index);
  }
}
