// Renders one file with its layouts and parts. The machine keeps the open blocks on its own stack instead of recursing, so that it can
// pause between any two nodes to let other requests run, and nested blocks cannot overflow the stack.
import { costs } from "../costs.ts";
import { LiquidError } from "../errors.ts";
import { markupTooLarge, maxWrittenChars } from "../meter.ts";
import { maxPartDepth, tooManyParts } from "../syntax/limits.ts";
import type { Parts } from "../syntax/parts.ts";
import type { Node, ParsedLiquid } from "../syntax/tree.ts";
import { TextBuffer, toHtml } from "../values/text.ts";
import type { Evaluation } from "./evaluate.ts";
import type { Variables } from "./variables.ts";

/** A block that is being rendered. */
export interface Frame {
  readonly nodes: readonly Node[];
  next: number;
  /** True for a loop, which handles `break` and `continue`. */
  readonly isLoop: boolean;
  /** True for a file, which `break` and `continue` end if they are not inside one of its loops. */
  readonly isFile?: boolean;
  /** Called after the last node: starts the block again, or leaves it with `machine.leave()`. */
  finish(): void;
  /** Called if `break` or `continue` ends the block early, after the block has been removed from the stack. */
  abandon(): void;
}

/** The state that the files of one document share. `writtenChars` includes captured text. */
export type Output = { writtenChars: number };

/** A file and its layouts, the file first. `outside` is the output of the file's nodes outside its blocks. */
export type Layers = { readonly files: readonly ParsedLiquid[]; readonly outside: string[] };

/** The content of a block, and the index in `layers` of the file that contains it. */
export type BlockBody = { layer: number; nodes: readonly Node[] };

/**
 * The position of a node: in the file with the index `layer`. `supers` are the blocks that `block.super` prints there: the same block in
 * the layouts, the nearest layout first.
 */
export type Place = { layers: Layers; layer: number; supers: readonly BlockBody[] };

/** The parts that a file can use, and the values that these parts can read without arguments. */
type Surroundings = { parts: Parts; globals: Readonly<Record<string, unknown>> };

export class Machine {
  readonly evaluation: Evaluation;
  readonly surroundings: Surroundings;
  /** The position of the current node and its line, for messages. */
  place: Place = { layers: { files: [], outside: [] }, layer: 0, supers: [] };
  line = 1;
  /** Where each loop ended, by name, for `offset: continue`. */
  loopEnds = new Map<string, number>();
  /** The position of each cycle, by group. */
  cycles = new Map<string, number>();
  lastChanged: string | null = null;
  #partDepth = 0;
  readonly #output: Output;
  readonly #frames: Frame[] = [];
  readonly #text = new TextBuffer();
  /** The text of each enclosing `capture`, with the file's text at the bottom. */
  readonly #texts: TextBuffer[] = [this.#text];

  constructor(evaluation: Evaluation, surroundings: Surroundings, output: Output) {
    this.evaluation = evaluation;
    this.surroundings = surroundings;
    this.#output = output;
  }

  /**
   * Renders until the file or the slice ends. Returns whether the file has ended. `renderNode` writes the output of a node, or enters
   * the blocks that it contains.
   */
  run(renderNode: (machine: Machine, node: Node) => void): boolean {
    const { meter } = this.evaluation;
    const heldChars = () => this.evaluation.variables.heldChars();
    for (let frame = this.#frames.at(-1); frame; frame = this.#frames.at(-1)) {
      if (meter.isSliceOver()) return false;
      meter.checkHeld(heldChars);
      const node = frame.nodes[frame.next++];
      if (!node) {
        frame.finish();
        continue;
      }
      this.line = node.line;
      meter.charge(costs.step);
      meter.beginNode();
      renderNode(this, node);
    }
    return true;
  }

  get file(): string {
    return this.place.layers.files[this.place.layer]?.file ?? "";
  }

  /**
   * Enters a different place. Returns a function that returns to the previous one, so that messages contain the right
   * file and line again.
   */
  enterPlace(place: Place): () => void {
    const { place: former, line } = this;
    this.place = place;
    return () => {
      this.place = former;
      this.line = line;
    };
  }

  /**
   * Replaces the variables, and forgets the positions of loops and cycles, so that a part cannot affect the file that
   * renders it. Returns a function that restores them.
   */
  isolate(variables: Variables): () => void {
    const { evaluation, loopEnds, cycles, lastChanged } = this;
    const { variables: former } = evaluation;
    if (++this.#partDepth > maxPartDepth) throw new LiquidError(tooManyParts);
    evaluation.variables = variables;
    this.loopEnds = new Map();
    this.cycles = new Map();
    this.lastChanged = null;
    return () => {
      this.#partDepth--;
      evaluation.variables = former;
      this.loopEnds = loopEnds;
      this.cycles = cycles;
      this.lastChanged = lastChanged;
    };
  }

  get text(): string {
    return this.#text.text;
  }

  enter(frame: Frame): void {
    this.#frames.push(frame);
  }

  /** Renders the nodes as a block. `leave` is called at its end, even if `break` or `continue` ends it early. */
  enterBlock(nodes: readonly Node[], leave?: () => void): void {
    if (nodes.length === 0 && !leave) return;
    const finish = () => {
      this.leave();
      leave?.();
    };
    this.enter({ nodes, next: 0, isLoop: false, finish, abandon: () => leave?.() });
  }

  leave(): void {
    this.#frames.pop();
  }

  /**
   * Leaves all blocks inside the innermost loop. Then `continue` begins the next iteration, and `break` also leaves the
   * loop. Without a loop, the current file or part ends here.
   */
  interrupt(kind: "break" | "continue"): void {
    for (let frame = this.#frames.at(-1); frame; frame = this.#frames.at(-1)) {
      if (frame.isFile || (frame.isLoop && kind === "continue")) {
        frame.next = frame.nodes.length;
        return;
      }
      this.#frames.pop();
      frame.abandon();
      if (frame.isLoop) return;
    }
  }

  /** Writes HTML unchanged. */
  write(html: string): void {
    const { meter } = this.evaluation;
    meter.chargeChars(html.length, costs.copiedChar);
    meter.addText(html.length);
    this.#output.writtenChars += html.length;
    if (this.#output.writtenChars > maxWrittenChars) throw new LiquidError(markupTooLarge);
    this.#texts.at(-1)?.append(html);
  }

  /** Writes a value, escaped unless it is markup. */
  writeValue(value: unknown): void {
    this.write(toHtml(this.evaluation.meter, value));
  }

  beginCapture(): void {
    this.#texts.push(new TextBuffer());
  }

  endCapture(): string {
    const text = this.#texts.pop()?.text ?? "";
    this.evaluation.meter.allocateText(text.length);
    return text;
  }
}
