// Claims the memory of one create, so that all creates of the Worker fit into it together. Most creates claim none: only large
// templates, images that are fetched, and long markup count.
import type { MemoryPart, MemoryPermit, RenderServices } from "../render-services.ts";
import { maxHeldChars, maxMarkupChars } from "colophon-liquid/meter";

/** What Liquid takes at most: variables and markup of 10 million characters, with two bytes each. */
export const liquidBytes = 2 * (maxHeldChars + maxMarkupChars);

/** Memory that was claimed. `resize` takes effect at once, because the memory is already in use. */
export type Claimed = { resize(bytes: number): void };

export type CreateMemory = {
  /** Waits for the memory, and returns null if it is not free in time. If the create has some of the part, takes more at once. */
  claim(part: MemoryPart, bytes: number, maxWaitMs?: number): Promise<Claimed | null>;
  /** Releases everything that was claimed. */
  release(): void;
};

/** The render has to start at `latestStart` and to end at `deadline`, both in ms since the epoch. */
type Create = { accountId: string; latestStart: number; deadline: number };

export function createMemory(
  { memory, now }: Pick<RenderServices, "memory" | "now">,
  { accountId, latestStart, deadline }: Create,
): CreateMemory {
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
    async claim(part, bytes, maxWaitMs = Infinity) {
      const own = held.get(part) ?? (await claimFirst(part, bytes, maxWaitMs));
      if (!own) return null;
      const index = own.amounts.push(0) - 1;
      const resize = (amount: number) => {
        own.amounts[index] = amount;
        own.permit.resize(own.amounts.reduce((sum, each) => sum + each, 0));
      };
      resize(bytes);
      return { resize };
    },
    release() {
      for (const { permit } of held.values()) permit.release();
    },
  };
}

/** Returns the memory that a text takes: one byte for each character, or two if one of them is not in Latin-1. */
export function bytesOf(text: string): number {
  return /[^\0-\xff]/.test(text) ? 2 * text.length : text.length;
}
