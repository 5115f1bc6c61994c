// The tag `tablerow`: a loop that writes the rows and cells of an HTML table.
import { costs } from "../costs.ts";
import type { Node } from "../syntax/tree.ts";
import { chargedNumber, plainNumber } from "../values/numbers.ts";
import { isNil, WithProperties } from "../values/value.ts";
import { evaluate } from "./evaluate.ts";
import { loopSlice, sliceItem, type LoopSlice } from "./for-loop.ts";
import type { Frame, Machine } from "./machine.ts";
import type { LoopVariables } from "./variables.ts";

export function enterTablerow(machine: Machine, node: Extract<Node, { kind: "tablerow" }>): void {
  const slice = loopSlice(machine, node.options);
  const given = node.columns && evaluate(machine.evaluation, node.columns);
  const length = slice.end - slice.start;
  const columns = isNil(given)
    ? length
    : Math.max(1, Math.trunc(plainNumber(chargedNumber(machine.evaluation.meter, given))));
  machine.write('<tr class="row1">\n');
  if (length > 0) machine.enter(new TablerowFrame(machine, node, slice, columns));
  else machine.write("</tr>\n");
}

class TablerowFrame implements Frame {
  readonly nodes: readonly Node[];
  readonly isLoop = true;
  next = 0;
  readonly #slice: LoopSlice;
  readonly #columns: number;
  readonly #variables: LoopVariables;
  readonly #state: Record<string, unknown>;
  #index = 0;

  constructor(
    machine: Machine,
    { options, body }: Extract<Node, { kind: "tablerow" }>,
    slice: LoopSlice,
    columns: number,
  ) {
    this.nodes = body;
    this.#slice = slice;
    this.#columns = columns;
    this.#state = { length: slice.end - slice.start };
    const state = new WithProperties(this.#state);
    this.#variables = {
      variable: options.variable,
      value: undefined,
      items: slice.items,
      stateName: "tablerowloop",
      state,
    };
    machine.evaluation.variables.loops.push(this.#variables);
    this.#begin(machine);
  }

  finish(machine: Machine): void {
    machine.evaluation.meter.charge(costs.step);
    const { col_last: isRowEnd, last, row } = this.#state;
    machine.write("</td>");
    if (isRowEnd && !last) machine.write(`</tr>\n<tr class="row${Number(row) + 1}">`);
    this.#index++;
    if (!last) {
      this.#begin(machine);
      return;
    }
    machine.leave();
    this.#end(machine);
  }

  abandon(machine: Machine): void {
    machine.write("</td>");
    this.#end(machine);
  }

  #end(machine: Machine): void {
    machine.write("</tr>\n");
    machine.evaluation.variables.loops.pop();
  }

  #begin(machine: Machine): void {
    const { start, end } = this.#slice;
    const index = this.#index;
    const length = end - start;
    const column = index % this.#columns;
    this.next = 0;
    this.#variables.value = sliceItem(this.#slice, start + index);
    Object.assign(this.#state, {
      index: index + 1,
      index0: index,
      rindex: length - index,
      rindex0: length - index - 1,
      first: index === 0,
      last: index === length - 1,
      col: column + 1,
      col0: column,
      col_first: column === 0,
      col_last: column === this.#columns - 1,
      row: Math.floor(index / this.#columns) + 1,
    });
    machine.write(`<td class="col${column + 1}">`);
  }
}
