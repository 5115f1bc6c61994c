// The tag `render`. A part has variables of its own: it sees its arguments and the values that every file sees, but neither
// the data nor the variables of the file that renders it.
import { costs } from "../costs.ts";
import type { Binding, Node, ParsedLiquid } from "../syntax/tree.ts";
import { loopItems } from "../values/contents.ts";
import { WithProperties } from "../values/value.ts";
import { enterFile, partNamed } from "./blocks.ts";
import { evaluate } from "./evaluate.ts";
import { forState, loopItem, setIteration, type ForState, type LoopItems } from "./for-loop.ts";
import type { Frame, Machine } from "./machine.ts";
import { Variables } from "./variables.ts";

export function enterPart(machine: Machine, { part: name, binding, named }: Extract<Node, { kind: "render" }>): void {
  const { evaluation } = machine;
  const part = partNamed(machine, name);
  const values = named.map(([argument, value]): [string, unknown] => [argument, evaluate(evaluation, value)]);
  const bound = binding && evaluate(evaluation, binding.value);
  const items = binding?.kind === "for" ? loopItems(evaluation.meter, bound) : [bound];
  if (items.length === 0) return;
  const frame = new PartFrame({ part, name, values, binding, items });
  machine.enter(frame);
  frame.begin(machine);
}

type PartInput = {
  part: ParsedLiquid;
  name: string;
  values: [name: string, value: unknown][];
  binding: Binding | null;
  /** What the part is rendered for: the items, or the one bound value. */
  items: LoopItems;
};

/** Renders the part once for each item. The part itself is entered as a file on top of this frame. */
class PartFrame implements Frame {
  readonly nodes: readonly Node[] = [];
  readonly isLoop = false;
  next = 0;
  readonly #input: PartInput;
  readonly #state: ForState;
  #index = 0;
  #leavePart = () => {};

  constructor(input: PartInput) {
    this.#input = input;
    this.#state = forState(input.name, input.items.length);
  }

  begin(machine: Machine): void {
    const { evaluation, surroundings } = machine;
    const { part, values, binding, items } = this.#input;
    evaluation.meter.charge(costs.part);
    const { variables: caller, meter } = evaluation;
    const variables = new Variables(meter, { data: surroundings.globals, caller, held: [items] });
    for (const [name, value] of values) variables.assign(name, value);
    if (binding) variables.assign(binding.alias, loopItem(items, this.#index));
    if (binding?.kind === "for") {
      setIteration(this.#state, this.#index);
      variables.assign("forloop", new WithProperties(this.#state));
    }
    this.#leavePart = machine.isolate(variables);
    enterFile(machine, part);
  }

  finish(machine: Machine): void {
    this.abandon();
    this.#index++;
    if (this.#index < this.#input.items.length) this.begin(machine);
    else machine.leave();
  }

  abandon(): void {
    this.#leavePart();
  }
}
