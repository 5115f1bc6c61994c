// Limits what the creates of one Worker keep in memory together: fetched images, large templates, long markup, and the cache of
// compiled templates, which makes room for the rest.
import type { RenderMemory } from "../../ports/rendering.ts";
import { Semaphore } from "../semaphore.ts";
import { compiledVersions } from "../templates/compiled-versions.ts";

/** The isolate has 128 MB. Bodies of requests and short markup are not counted. */
const capacity = 60_000_000;

const memory = new Semaphore({ capacity });

export const isolateMemory: RenderMemory = {
  capacity,
  async acquire(claim) {
    const permit = await memory.acquire(claim);
    compiledVersions.trim(Math.max(0, capacity - memory.inUse));
    return permit;
  },
};
