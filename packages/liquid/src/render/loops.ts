// The tags `for` and `tablerow`.
import { costs } from "../costs.ts";
import type { LoopOptions, Node } from "../syntax/tree.ts";
import { itemAt, loopItems } from "../values/contents.ts";
import { chargedNumber, plainNumber } from "../values/numbers.ts";
import { isNil, type Range, WithProperties } from "../values/value.ts";
import { evaluate, loopNumber } from "./evaluate.ts";
import type { Frame, Machine } from "./machine.ts";
import type { LoopVariables } from "./variables.ts";

export type LoopItems = readonly unknown[] | Range;

/** A range of the items of a loop, from `start` up to but not including `end`. */
type LoopSlice = { items: LoopItems; start: number; end: number };

export function enterFor(machine: Machine, node: Extract<Node, { kind: "for" }>): void {
  const { body, reversed, options } = node;
  const { variable, name } = options;
  const slice = loopSlice(machine, options);
  if (slice.start >= slice.end) return machine.enterBlock(node.otherwise);
  const parentloop = machine.evaluation.variables.loops.findLast(({ stateName }) => stateName === "forloop")?.state;
  const state = { name, parentloop, ...firstIteration(slice.end - slice.start) };
  enterLoop(machine, { body, variable, slice, reversed, stateName: "forloop", state });
}

/** Enters a loop that writes the rows and cells of an HTML table. */
export function enterTablerow(machine: Machine, { options, columns, body }: Extract<Node, { kind: "tablerow" }>): void {
  const slice = loopSlice(machine, options);
  const columnCount = columns && evaluate(machine.evaluation, columns);
  const length = slice.end - slice.start;
  const number = isNil(columnCount) ? null : plainNumber(chargedNumber(machine.evaluation.meter, columnCount));
  const width = number === null ? length : Math.max(1, Math.trunc(number));
  machine.write('<tr class="row1">\n');
  const end = () => machine.write("</tr>\n");
  if (length === 0) return end();
  const cell = (index: number) => {
    const col0 = index % width;
    const ends = { col_first: col0 === 0, col_last: col0 === width - 1 };
    return { col: col0 + 1, col0, ...ends, row: Math.floor(index / width) + 1 };
  };
  const state = { ...firstIteration(length), ...cell(0) };
  const beginItem = (index: number) => {
    Object.assign(state, cell(index));
    machine.write(`<td class="col${state.col}">`);
  };
  const endItem = (isLeft: boolean) => {
    machine.write("</td>");
    if (state.col_last && !state.last && !isLeft) machine.write(`</tr>\n<tr class="row${state.row + 1}">`);
  };
  const { variable } = options;
  enterLoop(machine, { body, variable, slice, stateName: "tablerowloop", state, writes: { beginItem, endItem, end } });
}

/** Evaluates the collection and the options of a loop, and records where the loop ends for `offset: continue`. */
function loopSlice(machine: Machine, { collection, name, limit, offset }: LoopOptions): LoopSlice {
  const { evaluation, loopEnds } = machine;
  const items = loopItems(evaluation.meter, evaluate(evaluation, collection));
  const from = offset === "continue" ? (loopEnds.get(name) ?? 0) : (loopNumber(evaluation, "offset", offset) ?? 0);
  const count = loopNumber(evaluation, "limit", limit) ?? Infinity;
  const start = Math.max(0, from);
  const end = Math.max(start, Math.min(items.length, start + count));
  loopEnds.set(name, end);
  return { items, start, end };
}

type Iteration = ReturnType<typeof firstIteration>;

/** Returns the properties of `forloop` and `tablerowloop` for the first iteration. */
export function firstIteration(length: number) {
  return { length, index: 1, index0: 0, rindex: length, rindex0: length - 1, first: true, last: length === 1 };
}

/** Sets the properties for an iteration. `index` counts from 0. */
export function setIteration(state: Iteration, index: number): void {
  const { length } = state;
  state.index = index + 1;
  state.index0 = index;
  state.rindex = length - index;
  state.rindex0 = length - index - 1;
  state.first = index === 0;
  state.last = index === length - 1;
}

type Loop = {
  body: readonly Node[];
  variable: string;
  slice: LoopSlice;
  reversed?: boolean;
  /** `forloop` or `tablerowloop`. */
  stateName: string;
  state: Iteration;
  /** Writes the loop's markup before and after each item, and at its end. `endItem` receives whether the loop ends early. */
  writes?: { beginItem(index: number): void; endItem(isLeft: boolean): void; end(): void };
};

function enterLoop(machine: Machine, { body, variable, slice, reversed, stateName, state, writes }: Loop): void {
  const { items, start, end } = slice;
  const { meter, variables } = machine.evaluation;
  const own: LoopVariables = { variable, value: undefined, items, stateName, state: new WithProperties(state) };
  let index = 0;
  const begin = () => {
    frame.next = 0;
    own.value = itemAt(items, reversed ? end - 1 - index : start + index);
    setIteration(state, index);
    writes?.beginItem(index);
  };
  const leave = () => {
    writes?.end();
    variables.loops.pop();
  };
  const frame: Frame = {
    nodes: body,
    next: 0,
    isLoop: true,
    finish() {
      meter.charge(costs.step);
      writes?.endItem(false);
      index++;
      if (!state.last) return begin();
      machine.leave();
      leave();
    },
    abandon() {
      writes?.endItem(true);
      leave();
    },
  };
  variables.loops.push(own);
  begin();
  machine.enter(frame);
}
