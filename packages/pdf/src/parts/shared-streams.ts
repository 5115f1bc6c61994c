// Finds streams and fonts that a file already contains, such as the logo on each of a thousand invoices.
import { createHash } from "node:crypto";
import { latin1Bytes } from "../syntax/characters.ts";

/** Sharing a smaller stream saves little. */
const minBytes = 256;
/** Limits the memory to a few megabytes. Later streams are shared only if they equal an already known stream. */
const maxStreams = 50_000;

/** Returns the number of an equal stream, or of an equal object without data. If there is none, remembers and returns `number`. */
export type SharedNumber = (number: number, source: string, data?: Uint8Array) => number;

export function sharedStreams(): SharedNumber {
  const numbers = new Map<string, number>();
  return (number, source, data) => {
    if (data && data.length < minBytes) return number;
    const hash = createHash("sha256").update(latin1Bytes(source));
    const key = (data ? hash.update(data) : hash).digest("base64");
    const existingNumber = numbers.get(key);
    if (existingNumber === undefined && numbers.size < maxStreams) numbers.set(key, number);
    return existingNumber ?? number;
  };
}
