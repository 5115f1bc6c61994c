// The service's fonts in one page of the browser. A file is sent to the page once, and decoded once, however many documents of
// any template use it; documents with the same faces as the one before cost nothing.
import type { DocumentFace } from "../../../core/rendering/fonts/font-index.ts";
import { faceKey, type SentFaces, type UsedFaces } from "../../../core/rendering/fonts/page-faces.ts";
import { fontFamilies, unicodeRange } from "../../../core/rendering/fonts/font-index.ts";
import type { FontFiles, LoadedFont } from "../../../ports/fonts.ts";
import type { PageFunctions } from "./page-functions.ts";

/** A page forgets the files of earlier documents when it has more than this. */
const maxBytesInPage = 16_000_000;
/** How many files are read, and sent in one message. A file has 40 kB on average, and 2.6 MB for emoji. */
const maxReadsUnderWay = 6;

export type PageFonts = {
  /**
   * Sends the faces that the page lacks, and lets the next document use these and no others. Resolves with sentences for the
   * document's warnings when the messages have been sent.
   */
  use(faces: readonly DocumentFace[]): Promise<string[]>;
};

export function pageFonts(fonts: FontFiles, functions: Pick<PageFunctions, "addFaces" | "useFaces">): PageFonts {
  /** The number of bytes of each face that the page has. */
  const known = new Map<string, number>();
  let used = "";
  return {
    async use(faces) {
      const keys = faces.map(faceKey);
      const wanted = keys.join();
      if (wanted === used && keys.every((key) => known.has(key))) return [];
      used = "";
      const missing = faces.filter((face) => !known.has(faceKey(face)));
      const failed = await send(fonts, functions, missing, known);
      const kept = new Set(keys);
      const total = [...known.values()].reduce((sum, bytes) => sum + bytes, 0);
      const dropped = total > maxBytesInPage ? [...known.keys()].filter((key) => !kept.has(key)) : [];
      for (const key of dropped) known.delete(key);
      await functions.useFaces({ keys: keys.filter((key) => known.has(key)), dropped } satisfies UsedFaces);
      used = wanted;
      return failed ? [missingWarning] : [];
    },
  };
}

const missingWarning =
  "A font of the service could not be loaded, so some characters may be drawn as boxes. Create the document again.";

/** Sends the faces, and adds them to `known`. Returns whether some could not be read. */
async function send(
  fonts: FontFiles,
  functions: Pick<PageFunctions, "addFaces">,
  faces: readonly DocumentFace[],
  known: Map<string, number>,
): Promise<boolean> {
  const ids = [...new Set(faces.map(({ id }) => id))];
  let isIncomplete = false;
  // Only a few files are in memory at a time.
  for (let start = 0; start < ids.length; start += maxReadsUnderWay) {
    const loaded = await Promise.all(ids.slice(start, start + maxReadsUnderWay).map((id) => fonts.load(id)));
    const found = loaded.filter((font) => font !== null);
    isIncomplete ||= found.length < loaded.length;
    await functions.addFaces(found.map((font) => sentFaces(font, faces)));
    for (const { file, bytes } of found)
      for (const face of faces) if (face.id === file.id) known.set(faceKey(face), bytes.length);
  }
  return isIncomplete;
}

function sentFaces({ slice, file, bytes }: LoadedFont, faces: readonly DocumentFace[]): SentFaces {
  const own = faces.filter(({ id }) => id === file.id);
  return {
    family: fontFamilies[slice.family],
    range: unicodeRange(slice.ranges),
    base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64"),
    faces: own.map((face) => ({ key: faceKey(face), weight: face.weight, style: face.style })),
  };
}
