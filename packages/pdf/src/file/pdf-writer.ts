// Writes a PDF with object streams and a compressed cross-reference table, which make tagged files several times smaller.
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { latin1Bytes } from "../syntax/characters.ts";

export type PdfWriter = ReturnType<typeof pdfWriter>;

/**
 * Numbers from `firstNumber` on are free; lower ones belong to the caller. Object sources are Latin-1 text. With `hasId`, the file has an
 * identifier, which follows from its content.
 */
export function pdfWriter(firstNumber: number, { hasId = false } = {}) {
  let nextNumber = firstNumber;
  const places: number[] = [];
  const packer = objectPacker();
  const hash = hasId ? createHash("sha256") : null;
  const file = byteList((part) => hash?.update(part));
  /** Reserves this many consecutive numbers, and returns the first one. */
  const reserve = (count: number) => (nextNumber += count) - count;
  const newNumber = () => reserve(1);
  /** Adds a stream. `entries` is the source of its dictionary, without brackets and `/Length`. */
  const addStream = (number: number, entries: string, data: Uint8Array) => {
    places.push(number, file.length(), -1);
    file.addText(`${number} 0 obj\n<<${entries}/Length ${data.length}>>stream\n`);
    file.add(data);
    file.addText("\nendstream\nendobj\n");
  };
  const addObjectStreams = () => {
    for (const { compressed, numbers, first } of packer.flush()) {
      const number = newNumber();
      for (const [index, inside] of numbers.entries()) places.push(inside, number, index);
      addStream(number, `/Type/ObjStm/N ${numbers.length}/First ${first}/Filter/FlateDecode`, compressed);
    }
  };
  file.addText("%PDF-1.7\n%\xd3\xeb\xe9\xe1\n");
  return {
    reserve,
    newNumber,
    addStream,
    /** Adds a stream object. Its source, from its number to `endobj`, is written unchanged. */
    addStreamSource(number: number, source: Uint8Array) {
      places.push(number, file.length(), -1);
      file.add(source);
      file.addText("\n");
    },
    /** Adds an object that is not a stream. */
    addObject: packer.add,
    newObject(source: string): number {
      const number = newNumber();
      packer.add(number, source);
      return number;
    },
    /** Returns the bytes written since the last flush, including all objects added so far. */
    flush(): Uint8Array<ArrayBuffer> {
      addObjectStreams();
      return file.taken();
    },
    /** Completes the file, and returns its bytes since the last flush. */
    finish({ root, info }: { root: number; info: number }): Uint8Array<ArrayBuffer> {
      addObjectStreams();
      const [number, startAt] = [newNumber(), file.length()];
      places.push(number, startAt, -1);
      const ids = hash ? `/ID[${`<${hash.copy().digest("hex").slice(0, 32)}>`.repeat(2)}]` : "";
      const trailer = `/Type/XRef/Size ${number + 1}/Root ${root} 0 R/Info ${info} 0 R${ids}/W [${widths.join(" ")}]`;
      const filter = `/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns ${rowBytes}>>`;
      addStream(number, trailer + filter, deflateSync(crossReferenceRows(places, number + 1)));
      file.addText(`startxref\n${startAt}\n%%EOF\n`);
      return file.taken();
    },
  };
}

/** An object stream. `first` is the offset of its first object after decompression. */
type ObjectStream = { compressed: Uint8Array; numbers: number[]; first: number };

/** Larger streams hardly make the file smaller, and a reader must decompress more to read one object. */
const objectsPerStream = 200;

/** Collects objects other than streams, and packs them into object streams. */
function objectPacker() {
  const streams: ObjectStream[] = [];
  let header = "";
  let numbers: number[] = [];
  let sources = "";
  const pack = () => {
    if (numbers.length === 0) return;
    const compressed = deflateSync(latin1Bytes(header + sources));
    // The result is copied, because it may be a small part of a large buffer, which would otherwise stay in memory.
    streams.push({ compressed: new Uint8Array(compressed), numbers, first: header.length });
    [header, numbers, sources] = ["", [], ""];
  };
  return {
    add(number: number, source: string) {
      header += `${number} ${sources.length} `;
      numbers.push(number);
      sources += `${source}\n`;
      if (numbers.length === objectsPerStream) pack();
    },
    flush(): ObjectStream[] {
      pack();
      return streams.splice(0);
    },
  };
}

/** Collects parts of the file, which are copied only once, when they are taken. `onPart` gets each of them first. */
function byteList(onPart: (part: Uint8Array) => void) {
  const parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array) => {
    onPart(part);
    parts.push(part);
    length += part.length;
  };
  return {
    add,
    addText: (text: string) => add(latin1Bytes(text)),
    length: () => length,
    taken() {
      const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
      let at = 0;
      for (const part of parts.splice(0)) {
        bytes.set(part, at);
        at += part.length;
      }
      return bytes;
    },
  };
}

/** The widths of a row's fields in bytes: the type of entry, an offset or stream number, and an index. */
const widths = [1, 4, 1];
export const rowBytes = 6;

/**
 * `places` contains three numbers for each object instead of an object, because a merged file has many: the object's number,
 * and the field and the index of its place; -1 for no index. Returns the rows for the objects from 0 to before `size`, with the
 * PNG predictor "up": each byte is the difference from the row above, so rows of consecutive objects are nearly equal. The
 * first byte of a row is the predictor's number.
 */
function crossReferenceRows(places: readonly number[], size: number): Uint8Array {
  const plain = new Uint8Array(size * rowBytes);
  const view = new DataView(plain.buffer);
  for (let from = 0; from < places.length; from += 3) {
    const [at, index] = [(places[from] ?? 0) * rowBytes, places[from + 2] ?? -1];
    view.setUint8(at, index < 0 ? 1 : 2);
    view.setUint32(at + 1, places[from + 1] ?? 0);
    view.setUint8(at + 5, Math.max(index, 0));
  }
  const rows = new Uint8Array(size * (1 + rowBytes));
  for (let number = 0; number < size; number++) {
    const at = number * (1 + rowBytes);
    rows[at] = 2;
    for (let column = 0; column < rowBytes; column++) {
      const from = number * rowBytes + column;
      rows[at + 1 + column] = (plain[from] ?? 0) - (plain[from - rowBytes] ?? 0);
    }
  }
  return rows;
}

/** Returns the offset of each object by number from these rows; 0 for an object that is missing or in an object stream. */
export function readOffsets(rows: Uint8Array): number[] {
  const offsets: number[] = [];
  const row = new Uint8Array(rowBytes);
  for (let at = 0; at < rows.length; at += 1 + rowBytes) {
    for (let column = 0; column < rowBytes; column++) row[column] = (row[column] ?? 0) + (rows[at + 1 + column] ?? 0);
    offsets.push(row[0] === 1 ? new DataView(row.buffer).getUint32(1) : 0);
  }
  return offsets;
}
