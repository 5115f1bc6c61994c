// Decompresses parts of PDF files. `node:zlib` is faster in the Workers runtime than a DecompressionStream.
import { inflateSync } from "node:zlib";

/** Returns null if the bytes are malformed, or if the result has more than `maxBytes`. */
export function inflate(bytes: Uint8Array, maxBytes: number): Uint8Array | null {
  try {
    return inflateSync(bytes, { maxOutputLength: maxBytes });
  } catch {
    return null;
  }
}
