// Limits the memory for documents and files that pass through an isolate between callers and browsers. A document counts until the page has
// it. The size of a file is known only when it arrives from the browser, so a render begins to read its file without a claim, and waits for
// memory if the file is large.
import type { PoolJob } from "colophon-render/job-content";
import { maxSmallFileBytes, type OutputMemory } from "colophon-render/render-weight";
import { Semaphore, type Permit } from "../../core/rendering/semaphore.ts";

const maxBytes = 40_000_000;
/**
 * The memory claimed for a large file, including everything else in memory with it. So only one large file is in memory at a time.
 */
export const largeFileBytes = 30_000_000;

/** The memory of this isolate, in bytes. The platform may put several pools into one isolate. */
export const isolateRenderMemory = newRenderMemory();

export function newRenderMemory(): Semaphore {
  return new Semaphore({ capacity: maxBytes });
}

/** `document` is the permit for the render's document, and `timeoutMs` the time until its deadline. */
export function outputMemory(
  memory: Semaphore,
  document: Permit,
  { accountId, timeoutMs }: Pick<PoolJob, "accountId" | "timeoutMs">,
): OutputMemory {
  let file: Permit | null = null;
  let isReleased = false;
  return {
    documentSent: () => document.release(),
    async reserve(bytes) {
      if (bytes <= maxSmallFileBytes || file) return;
      const times = { maxWaitMs: timeoutMs, expiresInMs: timeoutMs };
      const claim = { accountId, amount: largeFileBytes, ...times };
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
