// Reads the cross-reference table of a PDF: where each object begins. Chromium writes one table, which contains all objects.
import { latin1, standsAt } from "../syntax/characters.ts";
import { parseValue } from "../syntax/parse-value.ts";
import { PdfError } from "../syntax/pdf-error.ts";
import { isDictionary, type PdfDictionary } from "../syntax/values.ts";

export type CrossReferences = {
  trailer: PdfDictionary;
  /** The offset of each object by its number; 0 for numbers that are not in use. */
  offsets: Int32Array;
  /** All offsets, including the table's, in ascending order. An object ends before the next of them. */
  boundaries: Int32Array;
};

const entryBytes = 20;
/** The end of a file in which `startxref` is looked for. */
const tailBytes = 2_048;
/** The letter `n` in an entry such as `0000000015 00000 n`, which tells that the object is in use. */
const inUse = { at: 17, code: 0x6e };

export function readCrossReferences(bytes: Uint8Array): CrossReferences {
  const tableAt = tableOffset(bytes);
  const [head = "", size] = /^xref\n0 (\d{1,9})\n/.exec(latin1(bytes, tableAt, tableAt + 40)) ?? [];
  const count = Number(size);
  const trailerAt = tableAt + head.length + count * entryBytes;
  if (!standsAt(bytes, trailerAt, "trailer")) throw new PdfError("there is no cross-reference table");
  const trailer = parseValue({ bytes, at: trailerAt + "trailer".length, end: bytes.length });
  if (!isDictionary(trailer)) throw new PdfError("a trailer is not a dictionary");
  const offsets = new Int32Array(count);
  for (let number = 0; number < count; number++) {
    const at = tableAt + head.length + number * entryBytes;
    if (bytes[at + inUse.at] === inUse.code) offsets[number] = Number(latin1(bytes, at, at + 10));
  }
  const boundaries = new Int32Array(count + 1);
  boundaries.set(offsets);
  boundaries[count] = tableAt;
  return { trailer, offsets, boundaries: boundaries.sort() };
}

/** Returns the offset that stands at the end of the file; NaN if there is none. */
export function tableOffset(bytes: Uint8Array): number {
  const tail = latin1(bytes, Math.max(0, bytes.length - tailBytes), bytes.length);
  return Number(/startxref\s+(\d{1,10})\s+%%EOF\s*$/.exec(tail)?.[1] ?? NaN);
}
