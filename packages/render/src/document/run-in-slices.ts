// Runs the Liquid of a document. It keeps the processor for one slice at a time, and takes much memory only after it has been
// reserved.
import type { Pause, SlicedWork } from "colophon-liquid/liquid";
import type { RenderServices, SlicedRender } from "../render-services.ts";
import { bytesOf, liquidBytes, type Claimed, type CreateMemory } from "./reserve-memory.ts";

/** Why the work has not ended: its deadline has passed, or the memory for a large document was not free in time. */
export type Unfinished = { status: "timed_out" } | { status: "no_memory" };

type LiquidRun<T> = SlicedRender & {
  memory: CreateMemory;
  /** How long the work waits for memory. */
  maxWaitMs?: number;
  /** Returns the texts that remain in memory after the work. */
  textsOf?: (value: T) => readonly string[];
};

/** Runs the work, and lets other requests run between its slices. A large document waits until there is memory for it. */
export async function runInSlices<T>(
  { slices, now }: RenderServices,
  work: SlicedWork<T>,
  { memory, maxWaitMs, textsOf = () => [], ...render }: LiquidRun<T>,
): Promise<T | Unfinished> {
  let permit: Claimed | null = null;
  for (let pause: Pause | null = null; ;) {
    if (pause?.isLarge && !permit) {
      permit = await memory.claim("markup", liquidBytes, maxWaitMs);
      if (!permit) return { status: "no_memory" };
    }
    // A first slice is short unless one tag does much work, and most renders need no other, so it does not wait.
    if (pause) await slices.pause(render);
    if (now() >= render.deadline) return { status: "timed_out" };
    const step = work.next();
    if (step.done) {
      permit?.resize(textsOf(step.value).reduce((sum, text) => sum + bytesOf(text), 0));
      return step.value;
    }
    pause = step.value;
  }
}
