// Recognises fonts by their bytes and checks that they are complete. The outlines are left to the browser.

/** `ttf` stands for every TrueType and OpenType font that is not compressed. */
export type FontType = "woff2" | "woff" | "ttf";

/** The maximum size of a font once it is unpacked; a WOFF2 file of a few kilobytes can unpack to gigabytes. */
const maxUnpackedBytes = 100_000_000;
/** The tables that a browser needs to show any text. */
const requiredTables = ["cmap", "head", "hhea", "hmtx", "maxp"];

/** Returns the type of a font; null when the bytes do not begin like a WOFF2, WOFF, TrueType or OpenType font. */
export function fontType(bytes: Uint8Array): FontType | null {
  const signature = tag(bytes, 0);
  if (signature === "wOF2") return "woff2";
  if (signature === "wOFF") return "woff";
  return isSfnt(signature) ? "ttf" : null;
}

/** Returns the name of a font format that templates cannot use, so that a message can name it. */
export function otherFontFormat(bytes: Uint8Array): string | null {
  return tag(bytes, 0) === "ttcf" ? "a font collection; extract one font" : null;
}

/** Returns why a font of the given type cannot be used; null when it can. */
export function fontProblem(bytes: Uint8Array, type: FontType): string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return type === "ttf" ? sfntProblem(view, bytes) : woffProblem(view, bytes, type === "woff2" ? 48 : 44);
}

/**
 * Reads the header as W3C's WOFF File Format 1.0 and 2.0 describe it. A browser refuses a font whose tables unpack to another size
 * than the header says.
 */
function woffProblem(view: DataView, bytes: Uint8Array, headerBytes: number): string | null {
  if (bytes.length < headerBytes) return truncated;
  if (!isSfnt(tag(bytes, 4))) return notOneFont;
  if (view.getUint32(8) !== bytes.length) return truncated;
  if (view.getUint16(12) === 0) return noTables;
  return sizeProblem(view.getUint32(16));
}

/** Reads the table directory as the OpenType specification describes it. */
function sfntProblem(view: DataView, bytes: Uint8Array): string | null {
  if (bytes.length < 12) return truncated;
  const count = view.getUint16(4);
  if (bytes.length < 12 + 16 * count) return truncated;
  const tables = new Set<string>();
  for (let entry = 12; entry < 12 + 16 * count; entry += 16) {
    if (view.getUint32(entry + 8) + view.getUint32(entry + 12) > bytes.length) return truncated;
    tables.add(tag(bytes, entry));
  }
  return missingTables(tables);
}

/** Returns why a font with these tables cannot be used; null when it can. */
function missingTables(tables: ReadonlySet<string>): string | null {
  if (tables.size === 0) return noTables;
  const missing = requiredTables.filter((name) => !tables.has(name));
  return missing.length === 0 ? null : `the font has no ${missing.map((name) => `\`${name}\``).join(", ")} table`;
}

function sizeProblem(unpackedBytes: number): string | null {
  if (unpackedBytes <= maxUnpackedBytes) return null;
  return `it unpacks to ${unpackedBytes} bytes; at most ${maxUnpackedBytes} are allowed`;
}

const truncated = "the font is truncated or damaged: its length differs from the length in its header";
const notOneFont = "it does not contain exactly one TrueType or OpenType font";
const noTables = "the font contains no tables";

function isSfnt(signature: string): boolean {
  return ["\0\x01\0\0", "true", "OTTO"].includes(signature);
}

function tag(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}
