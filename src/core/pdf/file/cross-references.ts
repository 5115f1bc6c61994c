// Reads the classic cross-reference tables of a PDF: where each object begins. Nothing here trusts the file: the work and
// the memory are in proportion to its bytes, whatever numbers it contains.
import { endOfWord, isDigit, latin1, skipSpace, standsAt } from "../syntax/characters.ts";
import { parseValue } from "../syntax/parse-value.ts";
import { PdfError } from "../syntax/pdf-error.ts";
import { isDictionary, type PdfDictionary } from "../syntax/values.ts";
import { wholeNumber } from "../syntax/words.ts";

export type CrossReferences = {
  /** The trailer of the newest table. */
  trailer: PdfDictionary;
  /** The offset of each object by its number; 0 for numbers that are not in use. */
  offsets: Int32Array;
  /** All offsets in all tables, and those of the tables, in ascending order. An object ends before the next of them. */
  boundaries: Float64Array;
};

/** The object `numbers[i]` begins at the offset `offsets[i]`. */
type Table = { numbers: number[]; offsets: number[]; trailer: PdfDictionary };

const entryBytes = 20;
/** A file has one table for each of its updates. Chromium writes no updates. */
const maxTables = 100;
/** Object numbers may skip this many numbers, in addition to three for each object. */
const maxSkippedNumbers = 1_000;
/** The end of a file in which `startxref` is looked for. */
const tailBytes = 2_048;

export function readCrossReferences(bytes: Uint8Array): CrossReferences {
  const tail = latin1(bytes, Math.max(0, bytes.length - tailBytes), bytes.length);
  let at = Number(/startxref\s+(\d{1,10})\s+%%EOF\s*$/.exec(tail)?.[1] ?? NaN);
  const tables: Table[] = [];
  const starts = new Set<number>();
  for (;;) {
    if (starts.has(at)) throw new PdfError("the cross-reference tables form a loop");
    if (tables.length === maxTables) throw new PdfError("there are too many cross-reference tables");
    const table = readTable(bytes, at);
    starts.add(at);
    tables.push(table);
    const previous = table.trailer.get("Prev");
    if (previous === undefined) break;
    at = Number(previous);
  }
  const [newest] = tables;
  if (!newest) throw new PdfError("there is no cross-reference table");
  return { trailer: newest.trailer, ...combined(tables, starts) };
}

function readTable(bytes: Uint8Array, from: number): Table {
  if (!Number.isInteger(from) || !standsAt(bytes, from, "xref"))
    throw new PdfError("there is no cross-reference table");
  const numbers: number[] = [];
  const offsets: number[] = [];
  let at = skipSpace(bytes, from + "xref".length, bytes.length);
  while (isDigit(bytes[at])) {
    const first = integerAt(bytes, at);
    const count = integerAt(bytes, skipSpace(bytes, first.end, bytes.length));
    at = skipSpace(bytes, count.end, bytes.length);
    if (count.value > (bytes.length - at) / entryBytes) throw new PdfError("a cross-reference table is cut off");
    for (let index = 0; index < count.value; index++, at += entryBytes) {
      const offset = entryOffset(bytes, at);
      if (offset === 0) continue;
      numbers.push(first.value + index);
      offsets.push(offset);
    }
    at = skipSpace(bytes, at, bytes.length);
  }
  if (!standsAt(bytes, at, "trailer")) throw new PdfError("a cross-reference table has no trailer");
  const trailer = parseValue({ bytes, at: at + "trailer".length, end: bytes.length });
  if (!isDictionary(trailer)) throw new PdfError("a trailer is not a dictionary");
  if (trailer.has("Encrypt")) throw new PdfError("the file is encrypted");
  return { numbers, offsets, trailer };
}

function integerAt(bytes: Uint8Array, at: number): { value: number; end: number } {
  const end = endOfWord(bytes, at, bytes.length);
  const value = wholeNumber(bytes, at, end);
  if (value < 0) throw new PdfError("a cross-reference table is malformed");
  return { value, end };
}

/** Returns the offset in an entry such as `0000000015 00000 n`; 0 for an object that is not in use. */
function entryOffset(bytes: Uint8Array, at: number): number {
  const offset = wholeNumber(bytes, at, at + 10);
  const generation = wholeNumber(bytes, at + 11, at + 16);
  const kind = bytes[at + 17];
  if (offset < 0 || generation < 0 || bytes[at + 10] !== 0x20 || bytes[at + 16] !== 0x20)
    throw new PdfError("a cross-reference table is malformed");
  if (kind === 0x66) return 0;
  if (kind !== 0x6e || generation !== 0 || offset === 0 || offset >= bytes.length)
    throw new PdfError("an entry of a cross-reference table is out of range");
  return offset;
}

function combined(tables: Table[], starts: Set<number>): Pick<CrossReferences, "offsets" | "boundaries"> {
  let count = 0;
  let size = 1;
  for (const { numbers } of tables) {
    count += numbers.length;
    for (const number of numbers) size = Math.max(size, number + 1);
  }
  if (size > 3 * count + maxSkippedNumbers) throw new PdfError("the object numbers are out of range");
  const offsets = new Int32Array(size);
  const boundaries = new Float64Array(count + starts.size);
  boundaries.set([...starts]);
  let filled = starts.size;
  for (const table of tables) {
    boundaries.set(table.offsets, filled);
    filled += table.offsets.length;
    for (const [index, number] of table.numbers.entries()) offsets[number] ||= table.offsets[index] ?? 0;
  }
  return { offsets, boundaries: boundaries.sort() };
}
