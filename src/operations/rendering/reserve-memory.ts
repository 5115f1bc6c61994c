// Claims the memory of one create, so that all creates of the Worker fit into it together. Most creates claim none: only large
// templates, images that are fetched, and long markup count.
import type { MemoryPermit } from "../../ports/rendering.ts";
import type { Services } from "../../ports/services.ts";
import { maxHeldChars, maxMarkupChars } from "../../core/liquid/meter.ts";

/** What Liquid takes at most: variables and markup of 10 million characters, with two bytes each. */
export const liquidBytes = 2 * (maxHeldChars + maxMarkupChars);

/**
 * How long a create waits for more that has this much memory already. Otherwise creates could wait for each other until their
 * deadlines.
 */
const maxWaitForMoreMs = 2_000;
const muchBytes = 1_000_000;

export type CreateMemory = {
  /** Waits for the memory, and returns null if it is not free in time. A create that is alone gets what is left. */
  claim(bytes: number): Promise<MemoryPermit | null>;
  /** Releases everything that was claimed. */
  release(): void;
};

/** The render has to start at `latestStart` and to end at `deadline`, both in ms since the epoch. */
type Create = { accountId: string; latestStart: number; deadline: number };

export function createMemory(
  { memory, now }: Pick<Services, "memory" | "now">,
  { accountId, latestStart, deadline }: Create,
): CreateMemory {
  const held = new Map<MemoryPermit, number>();
  return {
    async claim(bytes) {
      const own = [...held.values()].reduce((sum, amount) => sum + amount, 0);
      const amount = Math.min(bytes, Math.max(0, memory.capacity - own));
      const maxWaitMs = Math.min(Math.max(0, latestStart - now()), own > muchBytes ? maxWaitForMoreMs : Infinity);
      const permit = await memory.acquire({ accountId, amount, maxWaitMs, expiresInMs: deadline - now() });
      if (!permit) return null;
      held.set(permit, amount);
      return {
        ...permit,
        resize(amount) {
          held.set(permit, amount);
          permit.resize(amount);
        },
      };
    },
    release() {
      for (const permit of held.keys()) permit.release();
    },
  };
}

/** Returns the memory that a text takes: one byte for each character, or two if one of them is not in Latin-1. */
export function bytesOf(text: string): number {
  return /[^\0-\xff]/.test(text) ? 2 * text.length : text.length;
}
