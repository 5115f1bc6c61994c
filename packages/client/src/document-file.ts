// The file of a document as a stream. Errors while the file arrives are `ColophonError`s too.
import { inTime, type TimeLimit } from "./deadline.ts";
import { failureOf } from "./envelope.ts";
import { connectionFailed } from "./errors.ts";

const fileTypes = new Map([
  ["pdf", { contentType: "application/pdf", extension: "pdf" }],
  ["png", { contentType: "image/png", extension: "png" }],
  ["jpeg", { contentType: "image/jpeg", extension: "jpg" }],
  ["webp", { contentType: "image/webp", extension: "webp" }],
]);

/** Returns undefined for a format that this version does not know. */
export function contentTypeOf(format: string): string | undefined {
  return fileTypes.get(format)?.contentType;
}

/** A file that is being received. Read its `stream` once, call `bytes()`, or cancel the stream. */
export type DocumentFile = {
  /** The id of the document. */
  documentId: string;
  /** A name for the file, without folders: the `filename` of the create, if it had one. */
  fileName: string;
  /** `application/pdf`, `image/png`, `image/jpeg` or `image/webp`. */
  contentType: string;
  /** In bytes; null if the response does not say. */
  size: number | null;
  /** The file. Fails with a `ColophonError` if it is cut off. */
  stream: ReadableStream<Uint8Array>;
  /** Reads the whole file into memory. */
  bytes(): Promise<Uint8Array>;
};

/**
 * Returns the file in the body of a response, which identifies the document if `id` is not given. `limit` bounds the time until the
 * next part of the file arrives.
 */
export function documentFile(response: Response, limit: TimeLimit, id?: string): DocumentFile {
  const { headers, body } = response;
  const documentId = id ?? headers.get("X-Document-Id");
  const contentType = headers.get("Content-Type") ?? "";
  const fileType = fileTypeOf(contentType);
  if (documentId === null || !fileType) {
    // The body may be, for example, a proxy's login page.
    void body?.cancel().catch(() => {});
    throw failureOf(response, null);
  }
  const size = sizeOf(headers);
  const stream = checkedStream(body ?? new Blob([]).stream(), size, limit);
  return {
    documentId,
    fileName: fileNameOf(headers.get("Content-Disposition")) ?? `document-${documentId}.${fileType.extension}`,
    contentType,
    size,
    stream,
    bytes: () => readAll(stream),
  };
}

/** Ignores parameters of the type. */
function fileTypeOf(header: string) {
  const type = header.split(";")[0]?.trim().toLowerCase();
  return [...fileTypes.values()].find(({ contentType }) => contentType === type);
}

/** Returns the length of the file. A response that was compressed in transit has a different length. */
function sizeOf(headers: Headers): number | null {
  const length = headers.get("Content-Length");
  return length !== null && /^\d+$/.test(length) && !headers.has("Content-Encoding") ? Number(length) : null;
}

/** Returns a stream of the same bytes, which fails if the bytes stall or end too early. */
export function checkedStream(
  body: ReadableStream<Uint8Array>,
  size: number | null,
  limit: TimeLimit,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let received = 0;
  const next = async () => {
    const part = await reader.read().catch((cause: unknown) => {
      throw connectionFailed(`The connection was lost after ${received} bytes of the file.`, cause);
    });
    received += part.value?.length ?? 0;
    if (!part.done || size === null || received >= size) return part;
    throw connectionFailed(`The file ended after ${received} of ${size} bytes.`);
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await inTime(limit, next);
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          void reader.cancel(error).catch(() => {});
          throw error;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Reads the stream to its end. `Response` could do this, but in a browser it would hide the error of the stream. */
async function readAll(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value);
  const bytes = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Returns the file name in a `Content-Disposition` header (RFC 6266). */
function fileNameOf(header: string | null): string | null {
  const extended = /;\s*filename\*\s*=\s*UTF-8'[^']*'([^;\s]+)/i.exec(header ?? "")?.[1];
  const [, quoted, token] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(header ?? "") ?? [];
  const name = decoded(extended) ?? quoted?.replace(/\\(.)/g, "$1") ?? token;
  const withoutFolders = name?.split(/[/\\]/).at(-1) ?? "";
  return /^\.*$/.test(withoutFolders) ? null : withoutFolders;
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
