// Recognises fonts by their bytes, and checks the header of those that a browser has to unpack. The rest is left to the browser.

/** `ttf` stands for every TrueType and OpenType font that is not compressed. */
export type FontType = "woff2" | "woff" | "ttf";

/** The maximum size of a font once it is unpacked; a WOFF2 file of a few kilobytes can unpack to gigabytes. */
const maxUnpackedBytes = 100_000_000;

/** Returns the type of a font; null when the bytes do not begin like a WOFF2, WOFF, TrueType or OpenType font. */
export function fontType(bytes: Uint8Array): FontType | null {
  const signature = String.fromCharCode(...bytes.subarray(0, 4));
  if (signature === "wOF2") return "woff2";
  if (signature === "wOFF") return "woff";
  return ["\0\x01\0\0", "true", "OTTO"].includes(signature) ? "ttf" : null;
}

/**
 * Returns why a font of the given type cannot be used; null when it can. A browser refuses a font whose tables unpack to another
 * size than the header says, which has the same place in W3C's WOFF File Format 1.0 and 2.0.
 */
export function fontProblem(bytes: Uint8Array, type: FontType): string | null {
  if (type === "ttf") return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 44 || view.getUint32(8) !== bytes.length) {
    return "the font is truncated or damaged: its length differs from the length in its header";
  }
  const unpackedBytes = view.getUint32(16);
  return unpackedBytes > maxUnpackedBytes
    ? `it unpacks to ${unpackedBytes} bytes; at most ${maxUnpackedBytes} are allowed`
    : null;
}
