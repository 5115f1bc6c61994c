// Splits a request body into lines, each with its line feed, as the bytes arrive.
import { bodyError, chunksOf, maxLaterBody } from "../json-body.ts";

const lineFeed = 10;

/** Throws VALIDATION_ERROR if a line is too long, or if the body's length differs from the given one. */
export async function* ndjsonLines(
  body: ReadableStream<Uint8Array> | null,
  byteLength: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  let rest = new Uint8Array(0);
  let line = 1;
  let read = 0;
  for await (const chunk of chunksOf(body)) {
    read += chunk.length;
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      yield joined(rest, chunk.subarray(from, end + 1), line++);
      rest = new Uint8Array(0);
      from = end + 1;
    }
    rest = joined(rest, chunk.subarray(from), line);
  }
  if (read !== byteLength) throw bodyError("The body ended before it was complete.");
  if (rest.length > 0) yield rest;
}

function joined(rest: Uint8Array, bytes: Uint8Array, line: number): Uint8Array<ArrayBuffer> {
  const size = rest.length + bytes.length;
  if (size - (bytes.at(-1) === lineFeed ? 1 : 0) > maxLaterBody.bytes)
    throw bodyError(`Line ${line} is longer than ${maxLaterBody.text}.`);
  const all = new Uint8Array(size);
  all.set(rest);
  all.set(bytes, rest.length);
  return all;
}
