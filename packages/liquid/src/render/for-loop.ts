// The tag `for`, and how loops run.
import { costs } from "../costs.ts";
import type { LoopOptions, Node } from "../syntax/tree.ts";
import { loopItems } from "../values/contents.ts";
import { Range, WithProperties } from "../values/value.ts";
import { evaluate, loopNumber } from "./evaluate.ts";
import type { Frame, Machine } from "./machine.ts";
import type { LoopVariables } from "./variables.ts";

export type LoopItems = readonly unknown[] | Range;

/** A part of a list or range, from `start` up to but not including `end`. */
type LoopSlice = { items: LoopItems; start: number; end: number };

export function enterFor(machine: Machine, node: Extract<Node, { kind: "for" }>): void {
  const slice = loopSlice(machine, node.options);
  if (slice.start >= slice.end) return machine.enterBlock(node.otherwise);
  const parent = machine.evaluation.variables.loops.findLast(({ stateName }) => stateName === "forloop")?.state;
  const state = forState(node.options.name, slice.end - slice.start, parent);
  const { body, reversed, options } = node;
  machine.enter(
    new LoopFrame(machine, { body, variable: options.variable, slice, reversed, stateName: "forloop", state }),
  );
}

/** Evaluates the collection and the options of a loop, and records where the loop ends for `offset: continue`. */
export function loopSlice(machine: Machine, { collection, name, limit, offset }: LoopOptions): LoopSlice {
  const { evaluation, loopEnds } = machine;
  const items = loopItems(evaluation.meter, evaluate(evaluation, collection));
  const from = offset === "continue" ? (loopEnds.get(name) ?? 0) : (loopNumber(evaluation, "offset", offset) ?? 0);
  const count = loopNumber(evaluation, "limit", limit) ?? Infinity;
  const start = Math.max(0, from);
  const end = Math.max(start, Math.min(items.length, start + count));
  loopEnds.set(name, end);
  return { items, start, end };
}

export function loopItem(items: LoopItems, index: number): unknown {
  return items instanceof Range ? items.from + index : items[index];
}

/** The properties of `forloop` and `tablerowloop` that change from one iteration to the next. */
const firstIteration = { index: 0, index0: 0, rindex: 0, rindex0: 0, first: true, last: false };

/** The properties of `forloop` and `tablerowloop` that depend only on the number of the iteration. */
export type IterationState = typeof firstIteration & { length: number };

/** The properties of `forloop`. */
export type ForState = IterationState & { name: string; parentloop: WithProperties | undefined };

export function iterationState(length: number): IterationState {
  return { length, ...firstIteration };
}

export function forState(name: string, length: number, parentloop?: WithProperties): ForState {
  return { name, parentloop, ...iterationState(length) };
}

/** Sets the properties that depend on the number of the iteration, which counts from 0. */
export function setIteration(state: IterationState, index: number): void {
  const { length } = state;
  state.index = index + 1;
  state.index0 = index;
  state.rindex = length - index;
  state.rindex0 = length - index - 1;
  state.first = index === 0;
  state.last = index === length - 1;
}

export type Loop<State extends IterationState> = {
  body: readonly Node[];
  variable: string;
  slice: LoopSlice;
  reversed?: boolean;
  /** `forloop` or `tablerowloop`, and its properties. */
  stateName: string;
  state: State;
  /** What the loop writes before and after each item, and at its end. If the loop is left early, `endItem` is told so. */
  writes?: { beginItem(index: number): void; endItem(isLeft: boolean): void; end(): void };
};

export class LoopFrame<State extends IterationState> implements Frame {
  readonly nodes: readonly Node[];
  readonly isLoop = true;
  next = 0;
  readonly #loop: Loop<State>;
  readonly #variables: LoopVariables;
  #index = 0;

  constructor(machine: Machine, loop: Loop<State>) {
    const { body, variable, slice, stateName } = loop;
    this.nodes = body;
    this.#loop = loop;
    const state = new WithProperties(loop.state);
    this.#variables = { variable, value: undefined, items: slice.items, stateName, state };
    machine.evaluation.variables.loops.push(this.#variables);
    this.#begin();
  }

  finish(machine: Machine): void {
    const { state, writes } = this.#loop;
    machine.evaluation.meter.charge(costs.step);
    writes?.endItem(false);
    this.#index++;
    if (!state.last) return this.#begin();
    machine.leave();
    this.#end(machine);
  }

  abandon(machine: Machine): void {
    this.#loop.writes?.endItem(true);
    this.#end(machine);
  }

  #end(machine: Machine): void {
    this.#loop.writes?.end();
    machine.evaluation.variables.loops.pop();
  }

  #begin(): void {
    const { slice, reversed, state, writes } = this.#loop;
    const index = this.#index;
    this.next = 0;
    this.#variables.value = loopItem(slice.items, reversed ? slice.end - 1 - index : slice.start + index);
    setIteration(state, index);
    writes?.beginItem(index);
  }
}
