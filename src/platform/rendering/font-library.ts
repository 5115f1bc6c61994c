// The service's fonts among the static files. The indexes stay in memory, parsed, and so do the files that were used last. A file
// is found by its id in the index of this release, so no path comes from outside.
import { fontLookup, type FontLookup } from "../../core/rendering/fonts/choose-fonts.ts";
import {
  fontIndexPath,
  hanIndexPath,
  type FontFile,
  type FontIndex,
  type FontSlice,
  type HanIndex,
} from "../../core/rendering/fonts/font-index.ts";
import type { FontCatalog, FontFiles } from "../../ports/fonts.ts";
import type { Log } from "../../ports/services.ts";
import { agedCache } from "../aged-cache.ts";
import { withDeadline } from "../deadline.ts";

/** Returns the content of a static file. Rejects if it cannot be read. */
export type ReadAsset = (path: string) => Promise<Uint8Array>;

const readTimeoutMs = 3_000;
const hourMs = 3_600_000;

/** What an isolate keeps. The index of Chinese, Japanese and Korean fonts takes 0.3 MB as text and as much again when it is used. */
type Index = { slices: Map<string, { slice: FontSlice; file: FontFile }>; lookup: FontLookup };

/** Indexes are kept as long as the isolate: they change only with a release. */
const indexes = agedCache<Index>({ maxEntries: 2, maxAgeMs: 24 * hourMs });
/** A file with glyphs has 40 kB on average. */
const files = agedCache<Uint8Array>({
  maxEntries: 500,
  maxAgeMs: hourMs,
  weight: { max: 6_000_000, of: ({ length }) => length },
});

export function fontLibrary(read: ReadAsset, log: Log): FontCatalog & FontFiles {
  const readInTime = (path: string) => withDeadline("reading a font", readTimeoutMs, read(path));
  const readJson = async <T>(path: string) => JSON.parse(new TextDecoder().decode(await readInTime(path))) as T;
  const loadIndex = async (withHan: boolean): Promise<Index> => {
    const [index, han] = await Promise.all([
      readJson<FontIndex>(fontIndexPath),
      withHan ? readJson<HanIndex>(hanIndexPath) : null,
    ]);
    const slices = [...index.slices, ...(han?.slices ?? [])];
    const byId = slices.flatMap((slice) => slice.files.map((file) => [file.id, { slice, file }] as const));
    return { slices: new Map(byId), lookup: fontLookup(index, han) };
  };
  const indexOf = (withHan: boolean) => indexes.get(withHan ? "all" : "without han", () => loadIndex(withHan));
  const find = async (id: string) =>
    (await indexOf(false)).slices.get(id) ?? (await indexOf(true)).slices.get(id) ?? null;
  return {
    async lookup(withHan) {
      try {
        return (await indexOf(withHan)).lookup;
      } catch (cause) {
        log("error", { event: "fonts.index_failed", cause });
        return null;
      }
    },
    async load(id) {
      try {
        const found = await find(id);
        if (!found) throw new Error("the index has no such font");
        const { file } = found.file;
        return { ...found, bytes: await files.get(file, async () => whole(found.file, await readInTime(file))) };
      } catch (cause) {
        log("error", { event: "fonts.file_failed", cause });
        return null;
      }
    },
  };
}

/** Fails if the content is not the file, so that it is neither kept nor sent to a page, which would draw boxes without a warning. */
function whole({ bytes }: FontFile, content: Uint8Array): Uint8Array {
  const signature = String.fromCharCode(...content.subarray(0, 4));
  if (content.length !== bytes || signature !== "wOF2") throw new Error("the file is not the font of the index");
  return content;
}

/** Reads the static files of the Worker. The host does not matter. */
export function assetReader(assets: Pick<Fetcher, "fetch">): ReadAsset {
  return async (path) => {
    const response = await assets.fetch(`https://assets.local/${path}`);
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(`the static files responded with status ${response.status}`);
    }
    return new Uint8Array(await response.arrayBuffer());
  };
}
