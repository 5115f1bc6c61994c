// Reads a body that is so large that a Worker cannot hold one for each of many requests.
import { unclaimedBytes } from "../../operations/manage/upload-memory.ts";
import type { SizedBody } from "../../ports/maintenance.ts";
import { RequestError } from "../error-status.ts";
import { bodyError, chunksOf, tooLarge, type MaxBody } from "../json-body.ts";

/**
 * Calls `claim` before it buffers more than 1 MiB, with the maximum number of bytes that it will return. Throws VALIDATION_ERROR
 * with the status 413, or 400 if the body is cut off or does not have its declared length.
 */
export async function readUpload(
  { headers, body }: Request,
  max: MaxBody,
  claim: (bytes: number) => Promise<void>,
): Promise<Uint8Array> {
  const declared = headers.get("Content-Length");
  const length = declared === null ? max.bytes : Number(declared);
  if (length > max.bytes) throw tooLarge(max);
  const chunks = declared === null ? limited(chunksOf(body), max) : exactly(length, chunksOf(body));
  let bytes = new Uint8Array(Math.min(length, unclaimedBytes));
  let size = 0;
  for await (const chunk of chunks) {
    if (size + chunk.length > bytes.length) {
      await claim(length);
      const all = new Uint8Array(length);
      all.set(bytes.subarray(0, size));
      bytes = all;
    }
    bytes.set(chunk, size);
    size += chunk.length;
  }
  return bytes.subarray(0, size);
}

/** Returns the body of a request that must declare its length, as it arrives. Throws VALIDATION_ERROR with the status 411 or 413. */
export function sizedBody({ headers, body }: Request, max: MaxBody): SizedBody {
  const declared = headers.get("Content-Length") ?? "";
  if (!/^\d{1,15}$/.test(declared)) throw new RequestError(411, "The body requires the header `Content-Length`.", "");
  const bytes = Number(declared);
  if (bytes > max.bytes) throw tooLarge(max);
  return { bytes, parts: exactly(bytes, chunksOf(body)) };
}

async function* limited(chunks: AsyncIterable<Uint8Array>, max: MaxBody): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > max.bytes) throw tooLarge(max);
    yield chunk;
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
