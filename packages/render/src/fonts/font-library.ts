// The service's fonts among the static files. The parsed index and the most recently used files stay in memory. Fonts are looked up by id
// in this release's index, so no path comes from outside.
import { agedCache } from "colophon-base/aged-cache";
import { withDeadline } from "colophon-base/deadline";
import type { Log } from "colophon-base/log";
import { CodedError } from "colophon-base/loggable-error";
import {
  fontIndexPath,
  type FontFile,
  type FontIndex,
  type FontSlice,
  type DocumentFace,
} from "colophon-fonts/font-index";
import { patternsPath } from "colophon-page/pattern-names";
import type { TextCharacters } from "colophon-template-model/text-characters";
import { fontLookup } from "./font-lookup.ts";

/** Returns the content of a static file. Rejects if it cannot be read. */
export type ReadAsset = (path: string) => Promise<Uint8Array>;

const readTimeoutMs = 3_000;
const hourMs = 3_600_000;
/** The maximum number of files that are read at a time for a document. A file has 100 kB on average, and 2.9 MB for emoji. */
const maxReadsInFlight = 6;

type Assets = Pick<Fetcher, "fetch">;
type FontLibrary = FontCatalog & FontFiles;

/** Where a font is. `fileBytes` is the size of its file. */
type FontPlace = { slice: FontSlice; file: FontFile; fileBytes: number };

/** The index in an isolate's memory: about 0.6 MB as a string, and 0.6 MB more after it is used. */
type Index = { places: Map<string, FontPlace>; lookup: ReturnType<typeof fontLookup> };

/** The libraries by the Worker's static files. In production, an isolate has one, whose memory its requests and pools share. */
const libraries = new WeakMap<Assets, FontLibrary>();

export function isolateFonts(assets: Assets, log: Log): FontLibrary {
  const known = libraries.get(assets) ?? fontLibrary(assetReader(assets), log);
  libraries.set(assets, known);
  return known;
}

export function fontLibrary(read: ReadAsset, log: Log): FontLibrary {
  // The index is kept as long as the library, because it changes only with a release.
  const indexes = agedCache<Index>({ maxEntries: 1, maxAgeMs: 24 * hourMs });
  const weight = { max: 6_000_000, of: ({ length }: Uint8Array) => length };
  const files = agedCache<Uint8Array>({ maxEntries: 500, maxAgeMs: hourMs, weight });
  const readInTime = (path: string) => withDeadline("reading a font", readTimeoutMs, read(path));
  const loadIndex = async (): Promise<Index> => {
    const index = JSON.parse(new TextDecoder().decode(await readInTime(fontIndexPath))) as FontIndex;
    return { places: placesOf(index.slices), lookup: fontLookup(index) };
  };
  const openIndex = () => indexes.get(fontIndexPath, loadIndex);
  const fail = (cause: unknown) => {
    log("error", { event: "fonts.file_failed", cause });
    return null;
  };
  const find = async (id: string): Promise<FontPlace> => {
    const place = (await openIndex()).places.get(id);
    if (!place) throw new CodedError("fonts.unknown");
    return place;
  };
  const readFile = async ({ file: { file }, fileBytes }: FontPlace) =>
    files.get(file, async () => whole(fileBytes, await readInTime(file)));
  return {
    async facesFor(characters, locale) {
      try {
        return (await openIndex()).lookup.facesFor(characters, locale);
      } catch (cause) {
        log("error", { event: "fonts.index_failed", cause });
        return null;
      }
    },
    async patterns(name) {
      const bytes = await files.get(patternsPath(name), () => readInTime(patternsPath(name))).catch(fail);
      return bytes && new TextDecoder().decode(bytes);
    },
    async *load(ids) {
      const places = await Promise.all(ids.map((id) => find(id).catch(fail)));
      const fileOf = readAhead(places, (place) => readFile(place).catch(fail));
      for (const place of places) {
        const content = place && (await fileOf(place));
        yield content
          ? { ...place, bytes: content.subarray(place.file.start, place.file.start + place.file.bytes) }
          : null;
      }
    },
  };
}

function placesOf(slices: readonly FontSlice[]): Map<string, FontPlace> {
  const places = slices.flatMap((slice) => slice.files.map((file) => ({ slice, file, fileBytes: 0 })));
  const ends = new Map<string, number>();
  for (const { file } of places) ends.set(file.file, Math.max(ends.get(file.file) ?? 0, file.start + file.bytes));
  return new Map(places.map((place) => [place.file.id, { ...place, fileBytes: ends.get(place.file.file) ?? 0 }]));
}

/** Returns a function that must be called with the places in order. It reads each file once, and reads some files ahead. */
function readAhead<T>(places: readonly (FontPlace | null)[], read: (place: FontPlace) => Promise<T>) {
  const wanted = new Map(places.flatMap((place) => (place ? [[place.file.file, place] as const] : [])));
  const order = [...wanted.keys()];
  const next = wanted.values();
  const started = new Map<string, Promise<T>>();
  return ({ file: { file } }: FontPlace): Promise<T> | undefined => {
    while (started.size < Math.min(order.length, order.indexOf(file) + maxReadsInFlight)) {
      const { value } = next.next();
      if (value) started.set(value.file.file, read(value));
    }
    return started.get(file);
  };
}

/**
 * Throws if the content is not the complete file, so that it is neither cached nor sent to a page, which would draw boxes without a
 * warning.
 */
function whole(bytes: number, content: Uint8Array): Uint8Array {
  const signature = String.fromCharCode(...content.subarray(0, 4));
  if (content.length !== bytes || signature !== "wOFF") throw new CodedError("fonts.wrong_file");
  return content;
}

/** The URL's host does not matter. */
function assetReader(assets: Assets): ReadAsset {
  return async (path) => {
    const response = await assets.fetch(`https://assets.local/${path}`);
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new CodedError(`assets.status_${response.status}`);
    }
    return new Uint8Array(await response.arrayBuffer());
  };
}

/** Chooses the faces of the service's fonts for documents. */
export type FontCatalog = {
  /** `locale` is the document's locale. Returns null if the index cannot be read, after logging the error. Never rejects. */
  facesFor(characters: TextCharacters, locale: string): Promise<DocumentFace[] | null>;
};

/** A font with its content, in the form that a page needs. */
export type LoadedFont = { slice: FontSlice; file: FontFile; bytes: Uint8Array };

/** Reads fonts. */
export type FontFiles = {
  /**
   * Returns the fonts with these ids in order; null for a font that cannot be read in time, after logging the error. Reads a few
   * files ahead. Never rejects.
   */
  load(ids: readonly string[]): AsyncIterable<LoadedFont | null>;
  /** Returns hyphenation patterns; null if they cannot be read in time, after logging the error. Never rejects. */
  patterns(name: string): Promise<string | null>;
};
