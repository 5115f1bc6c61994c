// The service's fonts in one browser page. A file is sent to the page and decoded only once, however many documents of any
// template use it. A document with the same faces as the previous one costs nothing.
import { bufferOf } from "colophon-base/buffer";
import { type DocumentFace, fontFamilies, unicodeRange } from "colophon-fonts/font-index";
import type { FacesPart, SentFaces, UsedFaces } from "colophon-page/page-faces";
import type { FontFiles, LoadedFont } from "../fonts/font-library.ts";
import { sendWhenFew } from "./in-flight.ts";
import type { PageFunctions } from "./page-functions.ts";

/** When a page has more than this, it drops the files of earlier documents. */
const maxBytesInPage = 16_000_000;
/**
 * The length of the parts in which files are sent. The browser takes half as long for 1.7 MB in parts of this length as in parts
 * of half a megabyte.
 */
const partChars = 64_000;
/** The maximum number of parts that are pending. */
const maxPartsInFlight = 16;

export type PageFonts = ReturnType<typeof pageFonts>;

export class FontError extends Error {}

type FaceFunctions = Pick<PageFunctions, "addFaces" | "useFaces">;

export function pageFonts(fonts: Pick<FontFiles, "load">, functions: FaceFunctions) {
  /** The number of bytes of each face that the page has. */
  const bytesInPage = new Map<string, number>();
  let used = "";
  return {
    /**
     * Sends the faces that the page lacks, and lets the next document use only these. Resolves when the messages have been sent, so that a
     * document may be sent after them; `arrived` rejects if the browser fails. Rejects with `FontError` if a font cannot be read. The page
     * can still be used. `areNew` is false if these faces are already in use.
     */
    async use(faces: readonly DocumentFace[]): Promise<{ arrived: Promise<unknown>; areNew: boolean }> {
      const keys = faces.map(faceKey);
      const wanted = keys.join();
      if (wanted === used && keys.every((key) => bytesInPage.has(key)))
        return { arrived: Promise.resolve(), areNew: false };
      used = "";
      const missing = faces.filter((face) => !bytesInPage.has(faceKey(face)));
      const { sent, failed } = await send(fonts, functions, missing);
      for (const [key, bytes] of sent.bytesOfFaces) bytesInPage.set(key, bytes);
      if (failed) throw new FontError("a font of the service could not be read");
      const keptKeys = new Set(keys);
      const total = [...bytesInPage.values()].reduce((sum, bytes) => sum + bytes, 0);
      const dropped = total > maxBytesInPage ? [...bytesInPage.keys()].filter((key) => !keptKeys.has(key)) : [];
      for (const key of dropped) bytesInPage.delete(key);
      const usedFaces: UsedFaces = { keys, dropped };
      const arrived = Promise.all([...sent.inFlight, functions.useFaces(usedFaces)]);
      arrived.catch(() => {}); // The caller may fail before it waits for the messages.
      used = wanted;
      return { arrived, areNew: true };
    },
  };
}

type Sent = { bytesOfFaces: Map<string, number>; inFlight: Promise<unknown>[] };

/** Sends faces while more files are being read. `failed` is true if some could not be read. */
async function send(
  fonts: Pick<FontFiles, "load">,
  { addFaces }: Pick<FaceFunctions, "addFaces">,
  faces: readonly DocumentFace[],
): Promise<{ sent: Sent; failed: boolean }> {
  const sent: Sent = { bytesOfFaces: new Map(), inFlight: [] };
  const sendPart = (part: FacesPart) => sendWhenFew(sent.inFlight, maxPartsInFlight, () => addFaces(part));
  let part: FacesPart = { text: "", files: [] };
  let failed = false;
  for await (const font of fonts.load([...new Set(faces.map(({ id }) => id))])) {
    failed ||= font === null;
    if (!font) continue;
    let rest = bufferOf(font.bytes).toString("base64");
    const file = sentFaces(font, faces, rest.length);
    while (part.text.length + rest.length > partChars) {
      const end = partChars - part.text.length;
      await sendPart({ ...part, text: part.text + rest.slice(0, end) });
      [part, rest] = [{ text: "", files: [] }, rest.slice(end)];
    }
    part = { text: part.text + rest, files: [...part.files, file] };
    for (const { key } of file.faces) sent.bytesOfFaces.set(key, font.bytes.length);
  }
  if (part.files.length > 0) await sendPart(part);
  return { sent, failed };
}

function sentFaces({ slice, file }: LoadedFont, faces: readonly DocumentFace[], chars: number): SentFaces {
  const facesOfFile = faces.filter(({ id }) => id === file.id);
  return {
    family: fontFamilies[slice.family],
    range: unicodeRange(slice.ranges),
    chars,
    // In most documents only headings are bold, and they need few of the slices.
    isDeferred: file.weight === "700" && (slice.family === "scripts" || slice.han !== undefined),
    faces: facesOfFile.map((face) => ({ key: faceKey(face), weight: face.weight, style: face.style })),
  };
}

/** Returns the key of a face in a page. */
function faceKey({ id, weight, style }: DocumentFace): string {
  return `${id} ${weight} ${style}`;
}
