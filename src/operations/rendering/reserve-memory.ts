// Reserves the memory of one render, so that all renders of the Worker fit into it together: for the template, unless it is
// small, and for the images that are fetched.
import type { ImageSlot } from "../../core/templates/template-data.ts";
import type { ReservedMemory } from "../../ports/rendering.ts";
import type { Services } from "../../ports/services.ts";
import { maxImageMemoryBytes } from "./inline-images.ts";

/** Templates up to this size, and the markup of documents, are so small that they wait for nothing. */
const maxSmallBytes = 1_000_000;

export type CreateMemory = {
  /**
   * Waits until `allow` is called, and then for the memory for a template of this size and for the images. Rejects when it is
   * not free in time, or when it has been released. Resolves at once if nothing has to be reserved.
   */
  reserve(templateBytes: number): Promise<void>;
  /** Lets `reserve` take memory. A create that waits for its hold must not keep memory from the others. */
  allow(): void;
  /** Whether `reserve` has rejected. */
  isRefused(): boolean;
  /** Gives back what the template and the images do not take, because both are loaded. */
  shrink(templateBytes: number, images: ImageSlot[]): void;
  release(): void;
};

/** The render has to start at `latestStart` and to end at `deadline`, both in ms since the epoch. */
type Create = { accountId: string; images: ImageSlot[]; latestStart: number; deadline: number };

export function createMemory(
  { memory, now }: Pick<Services, "memory" | "now">,
  { accountId, images, latestStart, deadline }: Create,
): CreateMemory {
  const allowed = Promise.withResolvers<boolean>();
  let reserved: ReservedMemory | null = null;
  let isRefused = false;
  return {
    async reserve(templateBytes) {
      const bytes = largeBytes(templateBytes) + maxImageMemoryBytes(images);
      if (bytes === 0) return;
      if (await allowed.promise) {
        reserved = await memory.reserve({ accountId, bytes, timeoutMs: latestStart - now(), deadline });
      }
      isRefused = reserved === null;
      if (isRefused) throw new Error("the memory for the render was not free in time");
    },
    allow: () => allowed.resolve(true),
    isRefused: () => isRefused,
    shrink(templateBytes, loaded) {
      const imageBytes = maxImageMemoryBytes(images) === 0 ? 0 : sourceChars(loaded);
      reserved?.resize(largeBytes(templateBytes) + imageBytes);
    },
    release() {
      allowed.resolve(false);
      reserved?.release();
    },
  };
}

function largeBytes(bytes: number): number {
  return bytes > maxSmallBytes ? bytes : 0;
}

function sourceChars(images: ImageSlot[]): number {
  return [...new Set(images.map(({ source }) => source))].reduce((sum, source) => sum + source.length, 0);
}
