// Reads the bodies of requests in chunks, within limits of size and time.
import { withinTime } from "colophon-base/deadline";
import { validationError, type ServiceError } from "../core/errors.ts";
import { unclaimedBytes } from "../operations/manage/upload-memory.ts";
import type { SizedBody } from "../ports/maintenance.ts";
import { RequestError } from "./error-status.ts";

/** The size of the largest body, as a number and as messages write it. */
export type MaxBody = { bytes: number; text: string };

/**
 * Returns the whole body. Calls `claim` before it buffers more than 1 MiB, with the maximum number of bytes that it will return. Throws
 * VALIDATION_ERROR with the status 413, or 400 if the body is cut off or does not have its declared length.
 */
export async function readBody(
  { headers, body }: Request,
  max: MaxBody,
  claim: (bytes: number) => Promise<void>,
): Promise<Uint8Array> {
  const declared = headers.get("Content-Length");
  const length = declared === null ? max.bytes : Number(declared);
  if (length > max.bytes) throw tooLarge(max);
  const chunks: Uint8Array[] = [];
  let large: Uint8Array | null = null;
  let size = 0;
  for await (const chunk of declared === null ? chunksOf(body) : exactly(length, chunksOf(body))) {
    if (size + chunk.length > max.bytes) throw tooLarge(max);
    if (!large && size + chunk.length > unclaimedBytes) {
      await claim(length);
      large = new Uint8Array(length);
      large.set(Buffer.concat(chunks));
    }
    if (large) large.set(chunk, size);
    else chunks.push(chunk);
    size += chunk.length;
  }
  return large?.subarray(0, size) ?? Buffer.concat(chunks);
}

/** Throws VALIDATION_ERROR if the body arrives later. */
export function beforeLate<T>(limitMs: number, body: Promise<T>): Promise<T> {
  return withinTime(limitMs, body, () => {
    throw bodyError(`The body did not arrive within ${limitMs / 1000} s.`);
  });
}

/** Returns the body of a request that must declare its length, as it arrives. Throws VALIDATION_ERROR with the status 411 or 413. */
export function sizedBody({ headers, body }: Request, max: MaxBody): SizedBody {
  const declared = headers.get("Content-Length") ?? "";
  if (!/^\d{1,15}$/.test(declared)) throw new RequestError(411, "The body requires the header `Content-Length`.", "");
  const bytes = Number(declared);
  if (bytes > max.bytes) throw tooLarge(max);
  return { bytes, parts: exactly(bytes, chunksOf(body)) };
}

/** Throws VALIDATION_ERROR if the body is cut off. The rest of the body can still be read afterwards. */
export async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const chunks = body?.values({ preventCancel: true });
  const next = () =>
    chunks?.next().catch(() => {
      throw bodyError("The body ended before it was complete.");
    });
  try {
    for (let read = await next(); read && !read.done; read = await next()) yield read.value;
  } finally {
    await chunks?.return?.();
  }
}

async function* exactly(bytes: number, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let remainingBytes = bytes;
  for await (const chunk of chunks) {
    remainingBytes -= chunk.length;
    if (remainingBytes < 0) throw wrongLength();
    yield chunk;
  }
  if (remainingBytes > 0) throw wrongLength();
}

function wrongLength() {
  return bodyError("The body does not have the length that `Content-Length` declares.");
}

function tooLarge({ text }: MaxBody): ServiceError {
  return new RequestError(413, `The body is larger than ${text}.`, "");
}

export function bodyError(message: string): ServiceError {
  return validationError([{ path: "", message }]);
}
