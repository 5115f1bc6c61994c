// Opens a PDF that Chromium wrote: with one classic cross-reference table, without object streams. An object is located through this table
// and ends where the next one begins, so text and streams that look like PDF syntax cannot mislead the reader.
import { inflateSync } from "node:zlib";
import { latin1, skipSpace, standsAt } from "../syntax/characters.ts";
import { parseValue } from "../syntax/parse-value.ts";
import { PdfError } from "../syntax/pdf-error.ts";
import { isDictionary, isName, isReference, type PdfDictionary, type PdfValue } from "../syntax/values.ts";

export type PdfFile = ReturnType<typeof openPdf>;

/** The objects of a file that are not streams. */
export type PdfObjects = Pick<PdfFile, "trailer" | "size" | "object" | "resolve">;

/** Positions in the bytes of the file. */
export type ObjectExtent = {
  /** From the object number to the end of `endobj`. */
  from: number;
  to: number;
  /** The source of the object without `1 0 obj` and `endobj`. */
  sourceFrom: number;
  sourceTo: number;
  isStream: boolean;
};

/** Throws `PdfError` if the bytes are not a file of this kind. */
export function openPdf(bytes: Uint8Array) {
  const { trailer, offsets, boundaries } = readCrossReferences(bytes);
  /** The position of the object; null if there is no object with this number. Throws `PdfError` if it is malformed. */
  const extent = (number: number): ObjectExtent | null => {
    const from = offsets[number] ?? 0;
    return from === 0 ? null : extentAt(bytes, number, from, nextBoundary(boundaries, from, bytes.length));
  };
  /** Returns an object that is not a stream; null if there is none. Throws `PdfError` if it is malformed. */
  const object = (number: number): PdfValue => {
    const range = extent(number);
    return range && !range.isStream ? parseWhole(bytes, range.sourceFrom, range.sourceTo) : null;
  };
  return {
    bytes,
    trailer,
    extent,
    object,
    /** Objects that replace those in the bytes, or have new numbers; see `withObjects`. */
    changed: new Map<number, PdfValue>(),
    /** One more than the highest object number. */
    size: offsets.length,
    /** Returns the value itself, or the object that it refers to. */
    resolve: (value: PdfValue | undefined) => (isReference(value) ? object(value.number) : (value ?? null)),
  };
}

/** Returns the file with different objects, null for those that it no longer has. Its bytes stay the same. */
export function withObjects(file: PdfFile, changed: Map<number, PdfValue>, size: number): PdfFile {
  const object = (number: number): PdfValue => {
    const value = changed.get(number);
    return value === undefined ? file.object(number) : value;
  };
  const resolve: PdfFile["resolve"] = (value) => (isReference(value) ? object(value.number) : (value ?? null));
  return { ...file, changed, size, object, resolve };
}

const entryBytes = 20;
/** How many bytes at the end of a file are searched for `startxref`. */
const tailBytes = 2_048;
/** The letter `n` in an entry such as `0000000015 00000 n`, which means that the object is in use. */
const inUse = { at: 17, code: 0x6e };

function readCrossReferences(bytes: Uint8Array) {
  const tableAt = tableOffset(bytes);
  const [head = "", size] = /^xref\n0 (\d{1,9})\n/.exec(latin1(bytes, tableAt, tableAt + 20)) ?? [];
  const count = Number(size);
  const trailerAt = tableAt + head.length + count * entryBytes;
  if (!standsAt(bytes, trailerAt, "trailer")) throw new PdfError("there is no cross-reference table");
  const trailer = parseValue({ bytes, at: trailerAt + "trailer".length, end: bytes.length });
  if (!isDictionary(trailer)) throw new PdfError("a trailer is not a dictionary");
  /** By object number; 0 for unused numbers. */
  const offsets = new Int32Array(count);
  for (let number = 0; number < count; number++) {
    const at = tableAt + head.length + number * entryBytes;
    if (bytes[at + inUse.at] === inUse.code) offsets[number] = Number(latin1(bytes, at, at + 10));
  }
  /** The offsets of all objects and of the table, in ascending order. */
  const boundaries = new Int32Array(count + 1);
  boundaries.set(offsets);
  boundaries[count] = tableAt;
  return { trailer, offsets, boundaries: boundaries.sort() };
}

/** Returns the offset given at the end of the file; NaN if there is none. */
export function tableOffset(bytes: Uint8Array): number {
  const tail = latin1(bytes, Math.max(0, bytes.length - tailBytes), bytes.length);
  return Number(/startxref\s+(\d{1,10})\s+%%EOF\s*$/.exec(tail)?.[1] ?? NaN);
}

function nextBoundary(boundaries: Int32Array, from: number, length: number): number {
  let low = 0;
  let high = boundaries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((boundaries[middle] ?? 0) <= from) low = middle + 1;
    else high = middle;
  }
  return boundaries[low] ?? length;
}

function extentAt(bytes: Uint8Array, number: number, from: number, limit: number): ObjectExtent {
  const [header, end] = [`${number} 0 obj\n`, "\nendobj\n"];
  const [sourceFrom, sourceTo] = [from + header.length, limit - end.length];
  if (!standsAt(bytes, from, header) || !standsAt(bytes, sourceTo, end))
    throw new PdfError("an object is not at the position in the cross-reference table");
  const isStream = standsAt(bytes, sourceTo - "endstream".length, "endstream");
  return { from, to: limit - 1, sourceFrom, sourceTo, isStream };
}

/** Parses a source that must contain exactly one value. */
export function parseWhole(bytes: Uint8Array, from: number, to: number): PdfValue {
  const source = { bytes, at: from, end: to };
  const value = parseValue(source);
  if (skipSpace(bytes, source.at, to) < to) throw new PdfError("an object is not one complete value");
  return value;
}

export type PdfStream = { dictionary: PdfDictionary; data: Uint8Array };

/** Returns an encoded stream. Throws `PdfError` if its length differs from its dictionary. */
export function streamAt(file: PdfFile, { sourceFrom, sourceTo }: ObjectExtent): PdfStream {
  const source = { bytes: file.bytes, at: sourceFrom, end: sourceTo };
  const dictionary = parseValue(source);
  const from = source.at + " stream\n".length;
  const to = sourceTo - "\nendstream".length;
  if (!isDictionary(dictionary) || file.resolve(dictionary.get("Length")) !== to - from)
    throw new PdfError("the length of a stream differs from its dictionary");
  return { dictionary, data: file.bytes.subarray(from, to) };
}

/** Returns the decoded data; null if they have a filter other than Flate, or `inflate` returns null. */
export function decodedData({ dictionary, data }: PdfStream, maxBytes: number): Uint8Array | null {
  const filter = dictionary.get("Filter");
  if (filter === undefined) return data;
  const isDeflated = isName(filter) && filter.text === "FlateDecode" && !dictionary.has("DecodeParms");
  return isDeflated ? inflate(data, maxBytes) : null;
}

/**
 * Returns null if the bytes are malformed or the result exceeds `maxBytes`. `node:zlib` is faster in the Workers runtime than a
 * DecompressionStream.
 */
export function inflate(bytes: Uint8Array, maxBytes: number): Uint8Array | null {
  try {
    // Fewer chunks need fewer copies.
    return inflateSync(bytes, { maxOutputLength: maxBytes, chunkSize: Math.min(8 * bytes.length + 1_024, 262_144) });
  } catch {
    return null;
  }
}
