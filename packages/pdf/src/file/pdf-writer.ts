// Writes a PDF with object streams and a compressed cross-reference table, which make tagged files several times smaller.
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import type { FileEncryption } from "../encryption/encryption.ts";
import { latin1Bytes } from "../syntax/characters.ts";

export type PdfWriter = ReturnType<typeof pdfWriter>;

type WriterOptions = { hasId?: boolean; encryption?: FileEncryption | null };

/**
 * Numbers from `firstNumber` on are free; lower ones belong to the caller. Object sources are Latin-1 text. With `hasId`, the file has an
 * identifier, which follows from its content. An encrypted file always has one, which follows from its keys and not from its content.
 */
export function pdfWriter(firstNumber: number, { hasId = false, encryption = null }: WriterOptions = {}) {
  let nextNumber = firstNumber;
  const packer = objectPacker();
  const hash = hasId || encryption ? createHash("sha256") : null;
  const file = singleObjects(encryption, (part) => hash?.update(part));
  /** Reserves this many consecutive numbers, and returns the first one. */
  const reserve = (count: number) => (nextNumber += count) - count;
  const newNumber = () => reserve(1);
  const newObject = (source: string, add = packer.add): number => {
    const number = newNumber();
    add(number, source);
    return number;
  };
  const addObjectStreams = () => {
    for (const { compressed, numbers, first } of packer.flush()) {
      const number = newNumber();
      for (const [index, inside] of numbers.entries()) file.places.push(inside, number, index);
      file.addStream(number, `/Type/ObjStm/N ${numbers.length}/First ${first}/Filter/FlateDecode`, compressed);
    }
  };
  return {
    reserve,
    newNumber,
    encryption,
    addStream: file.addStream,
    addStreamSource: file.addStreamSource,
    /** Adds an object that is not a stream. */
    addObject: packer.add,
    newObject: (source: string) => newObject(source),
    /** Adds the XMP metadata. */
    addMetadata(number: number, packet: Uint8Array) {
      const encrypted = encryption?.encryptMetadata ? encryption : null;
      file.addStream(number, "/Type/Metadata/Subtype/XML", packet, encrypted);
    },
    /** Adds the catalog. Adobe Reader is reported not to open encrypted files that have it in an object stream. */
    newCatalog(source: string): number {
      if (!encryption) return newObject(source);
      return newObject(encryption.encryptedSource(`${source.slice(0, -">>".length)}${extensions}>>`), file.addSource);
    },
    /** Returns the bytes written since the last flush, including all objects added so far. */
    flush(): Uint8Array<ArrayBuffer> {
      addObjectStreams();
      return file.taken();
    },
    /** Completes the file, and returns its bytes since the last flush. */
    finish({ root, info }: { root: number; info: number }): Uint8Array<ArrayBuffer> {
      addObjectStreams();
      const encrypt = encryption ? `/Encrypt ${newObject(encryption.dictionary(), file.addSource)} 0 R` : "";
      const ids = hash ? `/ID[${`<${hash.copy().digest("hex").slice(0, 32)}>`.repeat(2)}]` : "";
      file.end(newNumber(), `/Root ${root} 0 R/Info ${info} 0 R${ids}${encrypt}`);
      return file.taken();
    },
  };
}

/** Adobe's extension of PDF 1.7 with the encryption of PDF 2.0. More readers know it than a header with 2.0. */
const extensions = "/Extensions<</ADBE<</BaseVersion/1.7/ExtensionLevel 8>>>>";

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

type OnPart = (part: Uint8Array) => void;

/** Writes the objects that are not in object streams. Their places, and those in object streams, are in `places`. */
function singleObjects(encryption: FileEncryption | null, onPart: OnPart) {
  const places: number[] = [];
  const file = byteList(onPart);
  file.addText("%PDF-1.7\n%\xd3\xeb\xe9\xe1\n");
  /** Adds a stream. `entries` is the source of its dictionary, without brackets and `/Length`. */
  const addStream = (number: number, entries: string, data: Uint8Array, encrypted = encryption) => {
    places.push(number, file.length(), -1);
    const length = encrypted ? encrypted.encryptedBytes(data.length) : data.length;
    const source = `<<${entries}/Length ${length}>>`;
    file.addText(`${number} 0 obj\n${encrypted ? encrypted.encryptedSource(source) : source}stream\n`);
    if (encrypted) file.addLater(length, () => encrypted.encrypt(data));
    else file.add(data);
    file.addText("\nendstream\nendobj\n");
  };
  return {
    places,
    addStream,
    /** Adds a stream object of a file that is not encrypted. Its source, from its number to `endobj`, is written unchanged. */
    addStreamSource(number: number, source: Uint8Array) {
      places.push(number, file.length(), -1);
      file.add(source);
      file.addText("\n");
    },
    /** Adds an object that is not a stream. */
    addSource(number: number, source: string) {
      places.push(number, file.length(), -1);
      file.addText(`${number} 0 obj\n${source}\nendobj\n`);
    },
    /** Adds the cross-reference stream. */
    end(number: number, trailer: string) {
      const startAt = file.length();
      places.push(number, startAt, -1);
      const entries = `/Type/XRef/Size ${number + 1}${trailer}/W [${widths.join(" ")}]`;
      const filter = `/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns ${rowBytes}>>`;
      addStream(number, entries + filter, deflateSync(crossReferenceRows(places, number + 1)), null);
      file.addText(`startxref\n${startAt}\n%%EOF\n`);
    },
    taken: file.taken,
  };
}

/** Collects parts of the file, which are copied only once, when they are taken. `onPart` gets each of them first, unless it is made later. */
function byteList(onPart: OnPart) {
  const parts: { pieces: () => Iterable<Uint8Array>; length: number }[] = [];
  let length = 0;
  /** Adds a part of this length whose pieces are made when they are copied. */
  const addLater = (partLength: number, pieces: () => Iterable<Uint8Array>) => {
    parts.push({ pieces, length: partLength });
    length += partLength;
  };
  const add = (part: Uint8Array) => {
    onPart(part);
    addLater(part.length, () => [part]);
  };
  return {
    add,
    addLater,
    addText: (text: string) => add(latin1Bytes(text)),
    length: () => length,
    taken() {
      const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
      let at = 0;
      for (const part of parts.splice(0)) {
        for (const piece of part.pieces()) {
          bytes.set(piece, at);
          at += piece.length;
        }
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
