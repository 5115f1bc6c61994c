// Runs the Liquid of a create in slices of processor time, and claims memory for the create, so that all creates of the Worker fit
// into its memory. Most creates claim none: only large templates, fetched images and long markup count.
import type { Pause, SlicedWork } from "colophon-liquid/liquid";
import { maxHeldChars, maxMarkupChars } from "colophon-liquid/meter";
import type { RenderServices, SlicedRender, MemoryPart, MemoryPermit } from "../render-services.ts";

/** Why the work has not ended: its deadline has passed, or memory for a large document did not become free in time. */
export type Unfinished = { status: "timed_out" } | { status: "no_memory" };

type LiquidRun<T> = SlicedRender & {
  memory: CreateMemory;
  /** The maximum time that the work waits for memory. */
  maxWaitMs?: number;
  /** Returns the strings that remain in memory after the work. */
  textsOf?: (value: T) => readonly string[];
};

/** Runs the work, and lets other requests run between its slices. A large document waits for memory. */
export async function runInSlices<T>(
  { slices, now }: RenderServices,
  work: SlicedWork<T>,
  { memory, maxWaitMs, textsOf = () => [], ...render }: LiquidRun<T>,
): Promise<T | Unfinished> {
  let permit: Awaited<ReturnType<CreateMemory["claim"]>> = null;
  for (let pause: Pause | null = null; ;) {
    if (pause?.isLarge && !permit) {
      permit = await memory.claim("markup", liquidBytes, maxWaitMs);
      if (!permit) return { status: "no_memory" };
    }
    // The first slice does not wait, because it is short unless a single tag does much work, and most renders need no second
    // slice.
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

/** The maximum memory of Liquid: variables and markup of 10 million characters with two bytes each. */
const liquidBytes = 2 * (maxHeldChars + maxMarkupChars);

export type CreateMemory = ReturnType<typeof createMemory>;

/** The render must start by `latestStart` and end by `deadline`, both in ms since the epoch. */
type Create = { accountId: string; latestStart: number; deadline: number };

export function createMemory(
  { memory, now }: Pick<RenderServices, "memory" | "now">,
  { accountId, latestStart, deadline }: Create,
) {
  const held = new Map<MemoryPart, { permit: MemoryPermit; amounts: number[] }>();
  const claimFirst = async (part: MemoryPart, amount: number, maxWaitMs: number) => {
    const waitMs = Math.min(maxWaitMs, Math.max(0, latestStart - now()));
    const claim = { accountId, amount, maxWaitMs: waitMs, expiresInMs: deadline - now() };
    const permit = await memory.acquire(part, claim);
    const first = permit && { permit, amounts: [] };
    if (first) held.set(part, first);
    return first;
  };
  return {
    /**
     * Waits for the memory, and returns null if it does not become free in time. A create that already holds memory of this
     * part gets more without waiting. `resize` does not wait, because the memory is already in use.
     */
    async claim(part: MemoryPart, bytes: number, maxWaitMs = Infinity) {
      const claimed = held.get(part) ?? (await claimFirst(part, bytes, maxWaitMs));
      if (!claimed) return null;
      const index = claimed.amounts.push(0) - 1;
      const resize = (amount: number) => {
        claimed.amounts[index] = amount;
        claimed.permit.resize(claimed.amounts.reduce((sum, each) => sum + each, 0));
      };
      resize(bytes);
      return { resize };
    },
    /** Releases all claims. */
    release(): void {
      for (const { permit } of held.values()) permit.release();
    },
  };
}

/** Returns the memory of a string: one byte per character, or two if any character is outside Latin-1. */
function bytesOf(text: string): number {
  return /[^\0-\xff]/.test(text) ? 2 * text.length : text.length;
}
