// Limits what the requests of one Worker keep in memory together: fetched images, large templates, long markup, uploads, and the
// cache of compiled templates, which makes room for the rest.
import type { MemoryPart, RenderMemory } from "colophon-render/render-services";
import { Semaphore } from "../semaphore.ts";
import { compiledVersions } from "../templates/compiled-versions.ts";

/** In bytes, and `uploads` is a number of bodies. The isolate has 128 MB. Bodies of at most 1 MiB and short markup are not counted. */
const capacities: Record<MemoryPart, number> = { loaded: 30_000_000, markup: 24_000_000, uploads: 1 };

const parts: Record<MemoryPart, Semaphore> = {
  loaded: new Semaphore({ capacity: capacities.loaded }),
  markup: new Semaphore({ capacity: capacities.markup }),
  uploads: new Semaphore({ capacity: capacities.uploads }),
};

export const isolateMemory: RenderMemory = {
  async acquire(part, claim) {
    const permit = await parts[part].acquire(claim);
    compiledVersions.trim(Math.max(0, capacities.loaded - parts.loaded.inUse));
    return permit;
  },
};
