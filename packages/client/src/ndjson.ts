// NDJSON, one JSON value on each line: bodies of requests, and values of responses as they arrive.
import type { TimeLimit } from "./deadline.ts";
import { checkedStream } from "./document-file.ts";
import { failureOf } from "./envelope.ts";
import { connectionFailed } from "./errors.ts";
import { trusted } from "./transport.ts";

/** Values that come one after another. */
export type Source<T> = Iterable<T> | AsyncIterable<T> | ReadableStream<T>;

/** Returns a body with the value `first` and those of the source. Bytes are taken as they are: they are lines already. */
export async function ndjsonBody(first: object, source: Source<object>): Promise<Blob> {
  const parts: (string | Uint8Array<ArrayBuffer>)[] = [line(first)];
  for await (const value of valuesOf(source))
    parts.push(value instanceof Uint8Array ? new Uint8Array(value) : line(value));
  return new Blob(parts);
}

const line = (value: object) => `${JSON.stringify(value)}\n`;

/** Yields the values of a response. Throws a `ColophonError` if it is not NDJSON, stops coming, or ends within a value. */
export async function* ndjsonValues<T>(response: Response, limit: TimeLimit): AsyncGenerator<T, void, undefined> {
  const { headers, body } = response;
  if (!/^application\/x-ndjson\b/i.test(headers.get("Content-Type") ?? "")) {
    // For example, the page on which a proxy asks for a password.
    void body?.cancel().catch(() => {});
    throw failureOf(response, null);
  }
  const decoder = new TextDecoder();
  let rest = "";
  for await (const part of valuesOf(checkedStream(body ?? new Blob([]).stream(), null, limit))) {
    const lines = `${rest}${decoder.decode(part, { stream: true })}`.split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) yield trusted<T>(JSON.parse(text));
  }
  if (`${rest}${decoder.decode()}` !== "") throw connectionFailed("The response ended within a line.");
}

/** Streams are read with a reader, because not every browser can iterate over them. */
async function* valuesOf<T>(source: Source<T>): AsyncGenerator<T, void, undefined> {
  if (!(source instanceof ReadableStream)) return yield* source;
  const reader = source.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    void reader.cancel().catch(() => {});
  }
}
