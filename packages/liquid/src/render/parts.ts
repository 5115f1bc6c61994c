// Renders files with their layouts, the blocks of layouts, and parts. A part has its own variables: it can read its arguments and the
// global values, but neither the data nor the variables of the file that renders it.
import { costs } from "../costs.ts";
import { LiquidError } from "../errors.ts";
import { maxPartDepth, tooManyParts } from "../syntax/limits.ts";
import type { BlockNode, Node, ParsedLiquid } from "../syntax/tree.ts";
import { itemAt, loopItems } from "../values/contents.ts";
import { WithProperties } from "../values/value.ts";
import { evaluate } from "./evaluate.ts";
import { firstIteration, setIteration, type LoopItems } from "./loops.ts";
import type { BlockBody, Layers, Machine } from "./machine.ts";
import { Variables } from "./variables.ts";

/** Renders a part once, or once for each item of a list. The part itself is entered as a file above this frame. */
export function enterPart(machine: Machine, { part: name, binding, named }: Extract<Node, { kind: "render" }>): void {
  const { evaluation, surroundings } = machine;
  const { meter } = evaluation;
  const part = partNamed(machine, name);
  const values = named.map(([argument, value]) => [argument, evaluate(evaluation, value)] as const);
  const bound = binding && evaluate(evaluation, binding.value);
  const items: LoopItems = binding?.kind === "for" ? loopItems(meter, bound) : [bound];
  if (items.length === 0) return;
  const state = { name, ...firstIteration(items.length) };
  let index = 0;
  let leavePart = () => {};
  const begin = () => {
    meter.charge(costs.part);
    const { variables: caller } = evaluation;
    const variables = new Variables(meter, { data: surroundings.globals, caller, held: [items] });
    for (const [argument, value] of values) variables.assign(argument, value);
    if (binding) variables.assign(binding.alias, itemAt(items, index));
    if (binding?.kind === "for") {
      setIteration(state, index);
      variables.assign("forloop", new WithProperties(state));
    }
    leavePart = machine.isolate(variables);
    enterFile(machine, part);
  };
  machine.enter({
    nodes: [],
    next: 0,
    isLoop: false,
    finish() {
      leavePart();
      index++;
      if (index < items.length) begin();
      else machine.leave();
    },
    abandon: () => leavePart(),
  });
  begin();
}

/**
 * Renders a file with its layouts. First, the nodes outside the blocks are rendered, from the file outwards to its layouts. Then the
 * outermost layout is rendered, which enters the blocks.
 */
export function enterFile(machine: Machine, file: ParsedLiquid): void {
  const leavePlace = machine.enterPlace({ layers: { files: [file], outside: [] }, layer: 0, supers: [] });
  const files = layoutsOf(machine, file);
  leavePlace();
  enterLayer(machine, { files, outside: [] });
}

function partNamed({ surroundings }: Machine, name: string): ParsedLiquid {
  const part = surroundings.parts.get(name);
  if (!part) throw new LiquidError(`there is no part \`${name}\``);
  return part;
}

/** Returns the file and its layouts. A push refuses cycles, so the limit only protects against a bug in this code. */
function layoutsOf(machine: Machine, file: ParsedLiquid): ParsedLiquid[] {
  const files = [file];
  for (let { layout } = file; layout;) {
    const next = partNamed(machine, layout.part);
    if (files.push(next) > maxPartDepth) throw new LiquidError(tooManyParts);
    layout = next.layout;
  }
  return files;
}

/** Renders the next file that has not been rendered yet. */
function enterLayer(machine: Machine, layers: Layers): void {
  const layer = layers.outside.length;
  const file = layers.files[layer];
  if (!file) return;
  const { layout } = file;
  machine.evaluation.meter.charge(costs.step);
  const leavePlace = machine.enterPlace({ layers, layer, supers: [] });
  if (layout) machine.beginCapture();
  machine.enter({
    nodes: layout ? layout.outside : file.nodes,
    next: 0,
    isLoop: false,
    isFile: true,
    finish() {
      machine.leave();
      if (layout) {
        layers.outside.push(machine.endCapture());
        machine.line = layout.line;
        const { evaluation } = machine;
        const values = layout.named.map(([name, value]) => [name, evaluate(evaluation, value)] as const);
        for (const [name, value] of values) evaluation.variables.assign(name, value);
      }
      leavePlace();
      if (layout) enterLayer(machine, layers);
    },
    // A file handles `break` and `continue` itself.
    abandon: leavePlace,
  });
}

/**
 * Enters the content that the file, or the layout nearest to it, gives to the block; by default the block's own content.
 */
export function enterBlock(machine: Machine, { name, body }: BlockNode): void {
  const { layers, layer } = machine.place;
  const bodies: BlockBody[] = [];
  for (let index = 0; index < layer; index++) {
    const filled = layers.files[index]?.layout?.blocks.get(name);
    if (filled) bodies.push({ layer: index, nodes: filled.body });
  }
  bodies.push({ layer, nodes: body });
  const html = name === "" ? (layers.outside[layer - 1] ?? "") : "";
  machine.evaluation.meter.chargeChars(html.length, costs.searchedChar);
  if (html.trim() === "") enterBody(machine, bodies);
  else machine.write(html);
}

export function enterSuper(machine: Machine): void {
  enterBody(machine, machine.place.supers);
}

function enterBody(machine: Machine, [first, ...supers]: readonly BlockBody[]): void {
  if (!first) return;
  const { layers } = machine.place;
  const leavePlace = machine.enterPlace({ layers, layer: first.layer, supers });
  machine.enterBlock(first.nodes, leavePlace);
}
