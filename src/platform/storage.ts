// Calls R2. If R2 fails or does not respond in time, the service is unavailable; locally, a put to a full disk can do
// either.
import { withDeadline } from "colophon-base/deadline";
import { CodedError } from "colophon-base/loggable-error";
import { overloadError } from "./overload.ts";

/** `what` names the call in the log; it must be a constant. Rejects with SERVICE_UNAVAILABLE. */
export function storageCall<T>(what: string, timeoutMs: number, call: Promise<T>): Promise<T> {
  return withDeadline(what, timeoutMs, call).catch((cause: unknown) => {
    throw overloadError(new CodedError(`storage: ${what}`, `${what} failed`, { cause }));
  });
}

/** Up to this size, a copy is cheaper than a stream. Commands in Node have no stream of this kind. */
const streamedBytes = 1_000_000;

/** Buckets have overloads of this method. */
export type PutBucket = {
  put(key: string, value: ReadableStream | Uint8Array, options: R2PutOptions): Promise<R2Object | null>;
};

type Parts = { bytes: number; parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>; timeoutMs: number };

/**
 * Sends the parts in order, so that the complete object is never in memory. R2 needs to know the length in advance. If `parts`
 * fails, rejects with its error and stores nothing.
 */
export async function putParts(
  bucket: PutBucket,
  key: string,
  { bytes, parts, timeoutMs }: Parts,
  options: R2PutOptions = {},
): Promise<void> {
  if (bytes < streamedBytes) {
    const all: Uint8Array[] = [];
    for await (const part of parts) all.push(part);
    await storageCall("R2 put", timeoutMs, bucket.put(key, Buffer.concat(all), options));
    return;
  }
  const { readable, writable } = new FixedLengthStream(bytes);
  const writer = writable.getWriter();
  const put = storageCall("R2 put", timeoutMs, bucket.put(key, readable, options));
  put.catch(() => {}); // Awaited below, after the parts have been sent.
  // If R2 stops reading, its response says why, or that the object exists.
  const unlessEnded = (work: Promise<void>) => Promise.race([work.catch(() => put), put]);
  try {
    for await (const part of parts) await unlessEnded(writer.write(part));
    await unlessEnded(writer.close());
  } catch (cause) {
    writer.abort(cause).catch(() => {});
    throw cause;
  }
  await put;
}
