// Estimates how much memory a document takes in its object while it passes through to the browser, so that the documents in
// flight fit into it together. The files of a document pass through in parts. Its markup is in memory several times.
import type { DocumentFace } from "colophon-fonts/font-index";
import type { PoolJob } from "../content/job-content.ts";

/** The markup is in memory as text and as a message to the browser, with up to two bytes for each byte of UTF-8. */
const bytesPerTextByte = 3;
/** A file of a font is in memory as bytes, as base64, and as a message to the browser. */
const bytesPerFontByte = 4;
/** Font files have 30 kB on average. Only the file for emoji is large, and a document gets it as a whole. */
const averageFontBytes = 30_000;
const emojiBytes = 2_900_000;
/** The files that are read or on their way to the browser; see `page-fonts.ts`. The file for emoji is not among them. */
const maxFontBytesInFlight = 1_500_000;
/** The parts of files that are on their way to the browser; see `page-functions.ts`. */
const maxFileBytesInFlight = 6_000_000;

type Weighed = Pick<PoolJob, "textBytes" | "fileBytes"> & { fonts?: readonly DocumentFace[] };

/**
 * Returns the number of bytes that the document takes at most. Fonts count whether its page has them or not, because the page is
 * chosen later.
 */
export function renderWeight({ textBytes, fileBytes, fonts = [] }: Weighed): number {
  return (
    bytesPerTextByte * textBytes +
    2 * Math.min(fileBytes, maxFileBytesInFlight) +
    bytesPerFontByte * fontBytes(new Set(fonts.map(({ id }) => id)))
  );
}

function fontBytes(ids: ReadonlySet<string>): number {
  const hasEmoji = [...ids].some((id) => id.startsWith("noto-color-emoji"));
  return (hasEmoji ? emojiBytes : 0) + Math.min(ids.size * averageFontBytes, maxFontBytesInFlight);
}

/** A file up to this size is read without waiting. */
export const maxSmallFileBytes = 1_000_000;

/** The memory of one render. */
export type OutputMemory = {
  /** Must be called when the document is no longer in memory, because the page has it. */
  documentSent(): void;
  /**
   * Resolves when the render may hold a file of this size. Call it before the file grows to that size. Never settles if the
   * render has ended in the meantime.
   */
  reserve(bytes: number): Promise<void>;
  /** Must be called when the file is no longer in memory, and may be called as soon as the file is known to be small. */
  release(): void;
};

/** For a render whose memory is not limited. */
export const unlimitedMemory: OutputMemory = { documentSent: () => {}, reserve: async () => {}, release: () => {} };
