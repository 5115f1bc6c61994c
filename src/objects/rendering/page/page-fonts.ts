// The service's fonts in one page of the browser. A file is sent to the page once, and decoded once, however many documents of
// any template use it; documents with the same faces as the one before cost nothing.
import type { DocumentFace } from "../../../core/rendering/fonts/font-index.ts";
import { faceKey, type SentFaces, type UsedFaces } from "../../../core/rendering/fonts/page-faces.ts";
import { fontFamilies, unicodeRange } from "../../../core/rendering/fonts/font-index.ts";
import type { FontFiles, LoadedFont } from "../../../ports/fonts.ts";
import type { PageFunctions } from "./page-functions.ts";

/** A page forgets the files of earlier documents when it has more than this. */
const maxBytesInPage = 16_000_000;
/** How many files are read at a time. A file has 40 kB on average, and 2.7 MB for emoji. */
const maxReadsUnderWay = 6;
/** A message has at least so many characters, if there are enough files. */
const messageChars = 500_000;
/** How many messages may be on their way to the page. */
const maxMessagesUnderWay = 2;

export type PageFonts = {
  /**
   * Sends the faces that the page lacks, and lets the next document use these and no others. Resolves when the messages are on
   * their way, so that a document may be sent after them, with sentences for its warnings. `arrived` rejects if the browser fails.
   */
  use(faces: readonly DocumentFace[]): Promise<{ warnings: string[]; arrived: Promise<unknown> }>;
};

type FaceFunctions = Pick<PageFunctions, "addFaces" | "useFaces">;

export function pageFonts(fonts: FontFiles, functions: FaceFunctions): PageFonts {
  /** The number of bytes of each face that the page has. */
  const known = new Map<string, number>();
  let used = "";
  return {
    async use(faces) {
      const keys = faces.map(faceKey);
      const wanted = keys.join();
      if (wanted === used && keys.every((key) => known.has(key))) return { warnings: [], arrived: Promise.resolve() };
      used = "";
      const missing = faces.filter((face) => !known.has(faceKey(face)));
      const { sent, failed } = await send(fonts, functions, missing);
      for (const [key, bytes] of sent.bytesOfFaces) known.set(key, bytes);
      const kept = new Set(keys);
      const total = [...known.values()].reduce((sum, bytes) => sum + bytes, 0);
      const dropped = total > maxBytesInPage ? [...known.keys()].filter((key) => !kept.has(key)) : [];
      for (const key of dropped) known.delete(key);
      const usedFaces: UsedFaces = { keys: keys.filter((key) => known.has(key)), dropped };
      const arrived = Promise.all([...sent.underWay, functions.useFaces(usedFaces)]);
      arrived.catch(() => {}); // The caller may fail before it waits for the messages.
      used = wanted;
      return { warnings: failed ? [missingWarning] : [], arrived };
    },
  };
}

const missingWarning =
  "A font of the service could not be loaded, so some characters may be drawn as boxes. Create the document again.";

type Sent = { bytesOfFaces: Map<string, number>; underWay: Promise<void>[] };

/** Sends the faces while others are being read. `failed` is true if some could not be read. */
async function send(
  fonts: FontFiles,
  { addFaces }: Pick<FaceFunctions, "addFaces">,
  faces: readonly DocumentFace[],
): Promise<{ sent: Sent; failed: boolean }> {
  const sent: Sent = { bytesOfFaces: new Map(), underWay: [] };
  let [message, chars, failed]: [SentFaces[], number, boolean] = [[], 0, false];
  const flush = async () => {
    if (message.length === 0) return;
    if (sent.underWay.length >= maxMessagesUnderWay) await sent.underWay.shift();
    const arrived = addFaces(message);
    arrived.catch(() => {}); // `arrived` of the caller rejects instead.
    sent.underWay.push(arrived);
    [message, chars] = [[], 0];
  };
  for await (const font of loadedInOrder(fonts, [...new Set(faces.map(({ id }) => id))])) {
    failed ||= font === null;
    if (!font) continue;
    const file = sentFaces(font, faces);
    message.push(file);
    chars += file.base64.length;
    for (const { key } of file.faces) sent.bytesOfFaces.set(key, font.bytes.length);
    if (chars >= messageChars) await flush();
  }
  await flush();
  return { sent, failed };
}

/** Only a few files are in memory at a time. */
async function* loadedInOrder(fonts: FontFiles, ids: readonly string[]): AsyncGenerator<LoadedFont | null> {
  const underWay = ids.slice(0, maxReadsUnderWay).map((id) => fonts.load(id));
  for (const index of ids.keys()) {
    const font = (await underWay.shift()) ?? null;
    const next = ids[index + maxReadsUnderWay];
    if (next !== undefined) underWay.push(fonts.load(next));
    yield font;
  }
}

function sentFaces({ slice, file, bytes }: LoadedFont, faces: readonly DocumentFace[]): SentFaces {
  const own = faces.filter(({ id }) => id === file.id);
  return {
    family: fontFamilies[slice.family],
    range: unicodeRange(slice.ranges),
    base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64"),
    // Only headings are bold in most documents, and they use few of the slices.
    isDeferred: slice.family === "scripts" && file.weight === "700",
    faces: own.map((face) => ({ key: faceKey(face), weight: face.weight, style: face.style })),
  };
}
