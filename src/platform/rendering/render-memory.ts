// Limits the memory that the requests of one Worker use together: fetched images, large templates, long markup, uploads, and the cache of
// compiled templates, which shrinks when others need memory.
import type { MemoryPart, RenderMemory } from "colophon-render/render-services";
import { Semaphore } from "../../core/rendering/semaphore.ts";
import { compiledVersions, maxCompiledBytes } from "../templates/template-catalog.ts";

/**
 * In bytes, except `uploads`, which is a number of bodies. The isolate has 128 MB. Short markup is not counted, nor are bodies of
 * at most 1 MiB, unless their values take much more memory.
 */
const parts: Record<MemoryPart, Semaphore> = {
  loaded: new Semaphore({ capacity: maxCompiledBytes }),
  markup: new Semaphore({ capacity: 24_000_000 }),
  uploads: new Semaphore({ capacity: 1 }),
  bodies: new Semaphore({ capacity: 20_000_000 }),
};

export const isolateMemory: RenderMemory = {
  async acquire(part, claim) {
    const permit = await parts[part].acquire(claim);
    compiledVersions.trim(Math.max(0, maxCompiledBytes - parts.loaded.inUse));
    return permit;
  },
};
