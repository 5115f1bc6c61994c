// Limits the memory that the requests of one Worker use together: fetched images, large templates, long markup, uploads, and the cache of
// compiled templates, which shrinks when others need memory.
import { agedCache } from "colophon-base/aged-cache";
import type { MemoryPart, RenderMemory } from "colophon-render/render-services";
import type { CompiledTemplate } from "colophon-template-model/compile-template";
import { Semaphore } from "../../core/rendering/semaphore.ts";

const loadedBytes = 30_000_000;
/**
 * In bytes, except `uploads`, which is a number of bodies. The isolate has 128 MB. Short markup is not counted, nor are bodies of
 * at most 1 MiB, unless their values take much more memory.
 */
const parts: Record<MemoryPart, Semaphore> = {
  loaded: new Semaphore({ capacity: loadedBytes }),
  markup: new Semaphore({ capacity: 24_000_000 }),
  uploads: new Semaphore({ capacity: 1 }),
  bodies: new Semaphore({ capacity: 20_000_000 }),
};

/** The compiled template versions in this isolate. A version never changes, so these bounds only limit memory. */
export const compiledVersions = agedCache<CompiledTemplate>({
  maxEntries: 200,
  maxAgeMs: 3_600_000,
  weight: { max: loadedBytes, of: ({ sizeBytes }) => sizeBytes },
});

export const isolateMemory: RenderMemory = {
  async acquire(part, claim) {
    const permit = await parts[part].acquire(claim);
    compiledVersions.trim(Math.max(0, loadedBytes - parts.loaded.inUse));
    return permit;
  },
};
