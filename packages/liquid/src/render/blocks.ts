// Renders a file with its layouts, and the blocks of layouts. First, each file renders what stands outside its blocks, the
// file itself before its layout; the outermost layout is then rendered, and asks for the blocks.
import { costs } from "../costs.ts";
import { LiquidError } from "../liquid-error.ts";
import { maxPartDepth, tooManyParts } from "../syntax/limits.ts";
import type { BlockNode, ParsedLiquid } from "../syntax/tree.ts";
import { evaluate } from "./evaluate.ts";
import type { BlockBody, Layers, Machine } from "./machine.ts";

export function enterFile(machine: Machine, file: ParsedLiquid): void {
  const leavePlace = machine.enterPlace({ layers: { files: [file], outside: [] }, layer: 0, supers: [] });
  const files = layoutsOf(machine, file);
  leavePlace();
  enterLayer(machine, { files, outside: [] });
}

/** Returns the part; throws when the template does not have it. */
export function partNamed({ surroundings }: Machine, name: string): ParsedLiquid {
  const part = surroundings.parts.get(name);
  if (!part) throw new LiquidError(`there is no part \`${name}\``);
  return part;
}

/** Returns the file and its layouts. A push refuses cycles, so the limit only protects against a mistake in this code. */
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
    // `break` and `continue` end at a file.
    abandon: leavePlace,
  });
}

/** Enters the block as the file or a layout closer to it fills it, or else as it stands. */
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
  machine.enter({
    nodes: first.nodes,
    next: 0,
    isLoop: false,
    finish() {
      machine.leave();
      leavePlace();
    },
    abandon: leavePlace,
  });
}
