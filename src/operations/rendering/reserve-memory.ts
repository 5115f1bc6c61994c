// Reserves the memory of one render, so that all renders of the Worker fit into it together: for the template, unless it is
// small, for the images that are fetched, and for long markup. Short markup waits for nothing.
import type { ImageSlot } from "../../core/templates/template-data.ts";
import type { ReservedMemory } from "../../ports/rendering.ts";
import type { Services } from "../../ports/services.ts";
import { maxHeldChars, maxMarkupChars } from "../../core/liquid/meter.ts";
import { maxImageMemoryBytes } from "./inline-images.ts";

/** Templates up to this size are so small that they wait for nothing. */
const maxSmallBytes = 1_000_000;

/** What Liquid takes at most: variables and markup of 10 million characters, with two bytes each. */
const liquidBytes = 2 * (maxHeldChars + maxMarkupChars);

export type CreateMemory = {
  /**
   * Waits until `allow` is called, and then for the memory for a template of this size and for the images. Rejects when it is
   * not free in time, or when it has been released. Resolves at once if nothing has to be reserved.
   */
  reserve(templateBytes: number): Promise<void>;
  /** Lets `reserve` take memory. A create that waits for its hold must not keep memory from the others. */
  allow(): void;
  /**
   * Waits for the memory that Liquid takes for a large document. Returns whether it has become free in time. If the document
   * has some already, more is taken at once.
   */
  reserveMarkup(maxWaitMs?: number): Promise<boolean>;
  /**
   * Gives back what Liquid took, because it has ended, except for these texts. They replace those that were kept for the same
   * part of the document.
   */
  keepMarkup(part: "document" | "margins", texts: readonly string[]): void;
  /** Whether `reserve` has rejected. */
  isRefused(): boolean;
  /** Gives back what the template and the images do not take, because both are loaded. */
  shrink(templateBytes: number, images: ImageSlot[]): void;
  release(): void;
};

/** The render has to start at `latestStart` and to end at `deadline`, both in ms since the epoch. */
type Create = { accountId: string; images: ImageSlot[]; latestStart: number; deadline: number };

export function createMemory(
  { memory, markupMemory, now }: Pick<Services, "memory" | "markupMemory" | "now">,
  { accountId, images, latestStart, deadline }: Create,
): CreateMemory {
  const allowed = Promise.withResolvers<boolean>();
  let reserved: ReservedMemory | null = null;
  let markup: ReservedMemory | null = null;
  const kept = { document: 0, margins: 0 };
  const request = (bytes: number) => ({ accountId, bytes, timeoutMs: latestStart - now(), deadline });
  let isRefused = false;
  return {
    async reserve(templateBytes) {
      const bytes = largeBytes(templateBytes) + maxImageMemoryBytes(images);
      if (bytes === 0) return;
      if (await allowed.promise) {
        reserved = await memory.reserve(request(bytes));
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
    async reserveMarkup(maxWaitMs = Infinity) {
      const { timeoutMs, ...wanted } = request(liquidBytes);
      if (markup) markup.resize(kept.document + kept.margins + liquidBytes);
      else markup = await markupMemory.reserve({ ...wanted, timeoutMs: Math.min(timeoutMs, maxWaitMs) });
      return markup !== null;
    },
    keepMarkup(part, texts) {
      if (!markup) return;
      kept[part] = texts.reduce((sum, text) => sum + bytesOf(text), 0);
      markup.resize(kept.document + kept.margins);
    },
    release() {
      allowed.resolve(false);
      reserved?.release();
      markup?.release();
    },
  };
}

function largeBytes(bytes: number): number {
  return bytes > maxSmallBytes ? bytes : 0;
}

/** Returns the memory that a text takes: one byte for each character, or two if one of them is not in Latin-1. */
function bytesOf(text: string): number {
  return /[^\0-\xff]/.test(text) ? 2 * text.length : text.length;
}

function sourceChars(images: ImageSlot[]): number {
  return [...new Set(images.map(({ source }) => source))].reduce((sum, source) => sum + source.length, 0);
}
