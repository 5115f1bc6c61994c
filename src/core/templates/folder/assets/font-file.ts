// Recognises fonts by their bytes and checks that they are complete. The outlines are left to the browser.

/** `ttf` stands for every TrueType and OpenType font that is not compressed. */
export type FontType = "woff2" | "woff" | "ttf";

/** The maximum size of a font once it is unpacked; a WOFF2 file of a few kilobytes can unpack to gigabytes. */
const maxUnpackedBytes = 100_000_000;
const woff2HeaderBytes = 48;
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
  if (type === "woff2") return woff2Problem(view, bytes);
  return type === "woff" ? woffProblem(view, bytes) : sfntProblem(view, bytes);
}

/** Reads the header as W3C's WOFF File Format 2.0 describes it, section 4.1. */
function woff2Problem(view: DataView, bytes: Uint8Array): string | null {
  if (bytes.length < woff2HeaderBytes) return truncated;
  if (!isSfnt(tag(bytes, 4))) return notOneFont;
  if (view.getUint32(8) !== bytes.length) return truncated;
  if (view.getUint16(12) === 0) return noTables;
  return sizeProblem(view.getUint32(16));
}

const woffHeaderBytes = 44;
const woffEntryBytes = 20;
/** Zlib's data cannot unpack to more than this many times its length. */
const maxZlibRatio = 1032;

/**
 * Reads the header and the table directory as W3C's WOFF File Format 1.0 describes them, sections 3 and 4. A browser
 * unpacks at most as many bytes as they say.
 */
function woffProblem(view: DataView, bytes: Uint8Array): string | null {
  if (bytes.length < woffHeaderBytes) return truncated;
  if (!isSfnt(tag(bytes, 4))) return notOneFont;
  const count = view.getUint16(12);
  const directoryEnd = woffHeaderBytes + woffEntryBytes * count;
  if (view.getUint32(8) !== bytes.length || directoryEnd > bytes.length) return truncated;
  const entries = Array.from({ length: count }, (_, index) => woffEntry(view, woffHeaderBytes + woffEntryBytes * index));
  const unpacked = entries.reduce((sum, { unpackedBytes }) => sum + 4 * Math.ceil(unpackedBytes / 4), 12 + 16 * count);
  const oversized = sizeProblem(Math.max(unpacked, view.getUint32(16)));
  if (oversized) return oversized;
  let end = directoryEnd;
  for (const entry of entries.toSorted((a, b) => a.start - b.start)) {
    if (entry.start < end || entry.start % 4 !== 0 || !isWoffTable(view, entry)) return damagedWoff;
    end = entry.start + entry.packedBytes;
  }
  const isDamaged = view.getUint16(14) !== 0 || view.getUint32(16) !== unpacked || woffExtras.some((at) => !isInside(view, at));
  return isDamaged ? damagedWoff : missingTables(new Set(entries.map(({ name }) => name)));
}

type WoffEntry = { name: string; start: number; packedBytes: number; unpackedBytes: number };

function woffEntry(view: DataView, at: number): WoffEntry {
  const [start, packedBytes, unpackedBytes] = [view.getUint32(at + 4), view.getUint32(at + 8), view.getUint32(at + 12)];
  return { name: tag(new Uint8Array(view.buffer, view.byteOffset + at, 4), 0), start, packedBytes, unpackedBytes };
}

/** Whether the table is inside the file, and stored as it is or packed by zlib. */
function isWoffTable(view: DataView, { start, packedBytes, unpackedBytes }: WoffEntry): boolean {
  if (start + packedBytes > view.byteLength || packedBytes > unpackedBytes) return false;
  if (packedBytes === unpackedBytes) return true;
  const isZlib = packedBytes > 2 && (view.getUint8(start) & 15) === 8 && view.getUint16(start) % 31 === 0;
  return isZlib && unpackedBytes <= packedBytes * maxZlibRatio;
}

/** Where the header has the offsets of the metadata and of the private data, each followed by its length. */
const woffExtras = [24, 36];

function isInside(view: DataView, at: number): boolean {
  return view.getUint32(at) + view.getUint32(at + 4) <= view.byteLength;
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
const damagedWoff = "the font is damaged: its table directory does not fit its content";
const noTables = "the font contains no tables";

function isSfnt(signature: string): boolean {
  return ["\0\x01\0\0", "true", "OTTO"].includes(signature);
}

function tag(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}
