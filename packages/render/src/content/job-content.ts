// The document of a render job on its way from the Worker to a pool. A call may carry at most 32 MiB, and the pool must not
// hold the documents of waiting renders. Therefore a large document is a stream, which the pool reads when it renders: first
// the markup, then each file once.
import { bufferOf } from "colophon-base/buffer";
import { withDeadline } from "colophon-base/deadline";
import { jsonPieces } from "colophon-base/json-pieces";
import { slices } from "colophon-base/text";
import { sentFile, type InlinedFile, type SentFile } from "colophon-page/resolve-files";
import type { RenderJob } from "../render-job.ts";

/** A job without its document. */
type JobSettings = Omit<RenderJob, keyof JobText | "html" | "headChars">;

/** Text with files. The first `textBytes` bytes of `content` are JSON, followed by the files. */
export type Content = {
  content: Uint8Array | ReadableStream<Uint8Array>;
  textBytes: number;
  /** The total size of the files in bytes, which is also their number of characters. */
  fileBytes: number;
};

/**
 * The argument of a call of a pool. The text of the content is a `JobText`. `isBackground` is true for a batch's render in a pool
 * that also renders other documents. `hasOther` is true if a different pool gets the job when this one has no browser.
 */
export type PoolJob = JobSettings & Content & { isBackground?: boolean; hasOther?: boolean };

/** The document without its files. `head` is the part of the HTML that similar documents share; see `RenderJob`. */
export type JobText = Pick<RenderJob, "css" | "marginContents" | "attached"> & {
  head: string;
  content: string;
  files: SentFile[];
  styleFiles: SentFile[];
};

/** Content whose text has been read. */
export type OpenedContent<Text> = {
  text: Text;
  /** Returns the text of these files, which must be the next files of the content, in parts. */
  filesOf(files: readonly SentFile[]): AsyncGenerator<string>;
  /** Discards the unread rest. */
  close(): void;
};

/** The document did not arrive, because its Worker failed or did not respond. */
export class ContentError extends Error {}

/** The maximum size of a document that is sent as part of the call. */
const maxBytesInCall = 256_000;
/**
 * The length of one message to the browser, which copies messages several times. Short copies stay in the processor's cache:
 * three million characters took Chromium 26 ms of processor time in parts of this length, and 62 ms in parts of a million.
 */
export const filePartChars = 64_000;

/** Returns the job as the argument of a single call, because a stream can be read only once. */
export function poolJob(job: RenderJob): PoolJob {
  const { html, headChars, css, marginContents, files, styleFiles, attached, ...settings } = job;
  const text: JobText = {
    head: html.slice(0, headChars),
    content: html.slice(headChars),
    css,
    marginContents,
    files: files.map(sentFile),
    styleFiles: styleFiles.map(sentFile),
    ...(attached && { attached }),
  };
  return { ...settings, ...contentOf(text, [...files, ...styleFiles]) };
}

/** Returns a value as JSON, followed by the files. */
export function contentOf(text: object, files: readonly InlinedFile[]): Content {
  const textBytes = jsonBytes(text);
  const fileBytes = files.reduce((sum, { uri }) => sum + uri.length, 0);
  const isShort = textBytes + fileBytes <= maxBytesInCall;
  const content = isShort ? Buffer.concat([...streamParts(text, files)]) : contentStream(text, files);
  return { content, textBytes, fileBytes };
}

function jsonBytes(text: object): number {
  let bytes = 0;
  for (const part of jsonPieces(text, filePartChars)) bytes += Buffer.byteLength(part);
  return bytes;
}

function contentStream(text: object, files: readonly InlinedFile[]): ReadableStream<Uint8Array> {
  const parts = streamParts(text, files);
  return new ReadableStream({
    type: "bytes",
    pull(controller) {
      const { value } = parts.next();
      if (value) return controller.enqueue(value);
      controller.close();
      controller.byobRequest?.respond(0);
    },
  });
}

/** Each part is created when it is sent, so a waiting render keeps its document in memory only once. */
function* streamParts(text: object, files: readonly InlinedFile[]): Generator<Uint8Array, undefined> {
  for (const part of jsonPieces(text, filePartChars)) yield new TextEncoder().encode(part);
  for (const { uri } of files) {
    for (const part of slices(uri, filePartChars)) yield new TextEncoder().encode(part);
  }
}

/**
 * Reads the text of the content and leaves the files in the stream. `deadlineMs` is in ms since the epoch. This function and
 * `filesOf` reject with `ContentError` if the content does not arrive before the deadline.
 */
export async function openContent<Text>(
  { content, textBytes }: Content,
  deadlineMs: number,
): Promise<OpenedContent<Text>> {
  const { read, close } = byteReader(content, deadlineMs);
  const text = await readText<Text>(read, textBytes);
  return {
    text,
    close,
    async *filesOf(files) {
      let remainingBytes = files.reduce((sum, { chars }) => sum + chars, 0);
      while (remainingBytes > 0) {
        let part = "";
        while (remainingBytes > 0 && part.length < filePartChars) {
          const bytes = await read(Math.min(remainingBytes, filePartChars - part.length));
          part += bufferOf(bytes).toString("latin1");
          remainingBytes -= bytes.length;
        }
        yield part;
      }
    },
  };
}

async function readText<Text>(read: ReturnType<typeof byteReader>["read"], length: number): Promise<Text> {
  const parts: Uint8Array[] = [];
  for (let remainingBytes = length; remainingBytes > 0; remainingBytes -= parts.at(-1)?.length ?? 0)
    parts.push(await read(remainingBytes));
  return JSON.parse(new TextDecoder().decode(Buffer.concat(parts))) as Text;
}

/** Discards the document of a job that has not been rendered. Does nothing if its document has been opened. */
export function dropContent({ content }: Content): void {
  if (!(content instanceof Uint8Array) && !content.locked) cancel(content);
}

function cancel(stream: { cancel(): Promise<void> }): void {
  stream.cancel().catch(() => {}); // The sending Worker may no longer exist.
}

function byteReader(content: PoolJob["content"], deadlineMs: number) {
  const reader = content instanceof Uint8Array ? null : content.getReader();
  let arrived = content instanceof Uint8Array ? content : new Uint8Array();
  return {
    /** Reads at least one byte and at most `maxBytes`. */
    async read(maxBytes: number): Promise<Uint8Array> {
      while (arrived.length === 0) {
        const { value } = await readPart(reader, deadlineMs);
        if (!value) throw new ContentError("the document is incomplete");
        arrived = value;
      }
      const bytes = arrived.subarray(0, maxBytes);
      arrived = arrived.subarray(bytes.length);
      return bytes;
    },
    close: () => reader && cancel(reader),
  };
}

async function readPart(
  reader: ReadableStreamDefaultReader<Uint8Array> | null,
  deadlineMs: number,
): Promise<{ value?: Uint8Array | undefined }> {
  if (!reader) return {};
  try {
    return await withDeadline("reading the document", deadlineMs - Date.now(), reader.read());
  } catch (cause) {
    throw new ContentError("the Worker did not send the document", { cause });
  }
}
