// The tag `tablerow`: a loop that writes the rows and cells of an HTML table.
import type { Node } from "../syntax/tree.ts";
import { chargedNumber, plainNumber } from "../values/numbers.ts";
import { isNil } from "../values/value.ts";
import { evaluate } from "./evaluate.ts";
import { iterationState, LoopFrame, loopSlice } from "./for-loop.ts";
import type { Machine } from "./machine.ts";

export function enterTablerow(machine: Machine, { options, columns, body }: Extract<Node, { kind: "tablerow" }>): void {
  const slice = loopSlice(machine, options);
  const given = columns && evaluate(machine.evaluation, columns);
  const length = slice.end - slice.start;
  const width = isNil(given)
    ? length
    : Math.max(1, Math.trunc(plainNumber(chargedNumber(machine.evaluation.meter, given))));
  machine.write('<tr class="row1">\n');
  const end = () => machine.write("</tr>\n");
  if (length === 0) return end();
  const cell = (index: number) => {
    const col0 = index % width;
    const ends = { col_first: col0 === 0, col_last: col0 === width - 1 };
    return { col: col0 + 1, col0, ...ends, row: Math.floor(index / width) + 1 };
  };
  const state = { ...iterationState(length), ...cell(0) };
  const beginItem = (index: number) => {
    Object.assign(state, cell(index));
    machine.write(`<td class="col${state.col}">`);
  };
  const endItem = (isLeft: boolean) => {
    machine.write("</td>");
    if (state.col_last && !state.last && !isLeft) machine.write(`</tr>\n<tr class="row${state.row + 1}">`);
  };
  const { variable } = options;
  const writes = { beginItem, endItem, end };
  machine.enter(new LoopFrame(machine, { body, variable, slice, stateName: "tablerowloop", state, writes }));
}
