// Limits the memory for what passes through an isolate between callers and browsers. A document counts until the page has it. How
// large a file becomes is known only when it arrives from the browser, so a render begins to read its file without asking,
// and waits when the file turns out to be large.
import { Semaphore, type Permit } from "../../platform/semaphore.ts";

const maxBytes = 40_000_000;
/** The memory claimed for a large file, including everything that is in memory beside it. So there is one at a time. */
export const largeFileBytes = 30_000_000;
/** A file up to this size is read without waiting. */
export const maxSmallFileBytes = 1_000_000;

/** The memory of this isolate, in bytes. The platform may put several pools into one isolate. */
export const isolateRenderMemory = newRenderMemory();

export function newRenderMemory(): Semaphore {
  return new Semaphore({ capacity: maxBytes });
}

/** The memory of one render. */
export type OutputMemory = {
  /** Must be called when the document is no longer in memory, because the page has it. */
  documentSent(): void;
  /**
   * Resolves when the render may hold a file of this size. Call it before the file grows to that size. Never settles if the
   * render has ended in the meantime.
   */
  reserve(bytes: number): Promise<void>;
  /** Must be called when the file is no longer in memory, and may be called when it has turned out to be small. */
  release(): void;
};

/** For a render whose memory is not limited. */
export const unlimitedMemory: OutputMemory = { documentSent: () => {}, reserve: async () => {}, release: () => {} };

/** `document` is what the render has acquired for its document, and `timeoutMs` the time until its deadline. */
export function outputMemory(
  memory: Semaphore,
  document: Permit,
  { accountId, timeoutMs }: { accountId: string; timeoutMs: number },
): OutputMemory {
  let file: Permit | null = null;
  let isReleased = false;
  return {
    documentSent: () => document.release(),
    async reserve(bytes) {
      if (bytes <= maxSmallFileBytes || file) return;
      const claim = { accountId, amount: largeFileBytes, maxWaitMs: timeoutMs, expiresInMs: timeoutMs };
      file = await memory.acquire(claim);
      if (file && !isReleased) return;
      file?.release();
      await new Promise(() => {});
    },
    release() {
      isReleased = true;
      document.release();
      file?.release();
    },
  };
}
