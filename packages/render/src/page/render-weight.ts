// Estimates the memory that a document takes in its object on the way to the browser, so that all documents in flight fit. A
// document's files pass through in parts. Its markup is in memory several times.
import type { DocumentFace } from "colophon-fonts/font-index";
import type { PoolJob } from "../content/job-content.ts";

/** The markup is in memory as a string and as a message to the browser, with up to two bytes for each byte of UTF-8. */
const bytesPerTextByte = 3;
/** A font file is in memory as bytes, as base64, and as a message to the browser. */
const bytesPerFontByte = 4;
/** Font files have 30 kB on average. Only the emoji file is large, and a document always gets all of it. */
const averageFontBytes = 30_000;
const emojiBytes = 2_900_000;
/** The files that are being read or sent to the browser; see `page-fonts.ts`. The emoji file is not included. */
const maxFontBytesInFlight = 1_500_000;
/** The parts of files that are being sent to the browser; see `page-functions.ts`. */
const maxFileBytesInFlight = 6_000_000;

type Weighed = Pick<PoolJob, "textBytes" | "fileBytes"> & { fonts?: readonly DocumentFace[] };

/**
 * Returns the maximum number of bytes that the document takes. Fonts count whether or not its page already has them, because the
 * page is chosen later.
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

/** A file up to this size is read without waiting for memory. */
export const maxSmallFileBytes = 1_000_000;

/** The memory of one render. */
export type OutputMemory = {
  /** Must be called when the document is no longer in memory, because the page has received it. */
  documentSent(): void;
  /**
   * Resolves when the render may hold a file of this size. Must be called before the file grows to that size. Never settles if
   * the render has already ended.
   */
  reserve(bytes: number): Promise<void>;
  /** Must be called when the file is no longer in memory, and may be called as soon as the file is known to be small. */
  release(): void;
};

/** For renders without a memory limit. */
export const unlimitedMemory: OutputMemory = { documentSent: () => {}, reserve: async () => {}, release: () => {} };
