// The compiled versions of templates that this isolate keeps. Renders that need much memory make it smaller; see
// `render-memory.ts`.
import type { CompiledTemplate } from "colophon-template-model/compile-template";
import { agedCache } from "colophon-base/aged-cache";

/** A version never changes, so these bounds only limit memory. */
export const compiledVersions = agedCache<CompiledTemplate>({
  maxEntries: 200,
  maxAgeMs: 3_600_000,
  weight: { max: 30_000_000, of: ({ sizeBytes }) => sizeBytes },
});
