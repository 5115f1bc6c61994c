// Writes a PDF with object streams and a compressed cross-reference table, which make tagged files several times smaller.
import { deflateSync } from "node:zlib";
import { latin1Bytes } from "../syntax/characters.ts";
import { crossReferenceRows, rowBytes, widths } from "./cross-reference-stream.ts";
import { objectPacker } from "./object-streams.ts";

export type PdfWriter = {
  /** Adds a stream object whose source, from its number to `endobj`, is written as it is. */
  addStreamSource(number: number, source: Uint8Array): void;
  /** Adds a stream. `entries` is the source of its dictionary, without `/Length` and the brackets. */
  addStream(number: number, entries: string, data: Uint8Array): void;
  /** Adds an object that is not a stream. `source` is Latin-1 text. */
  addObject(number: number, source: string): void;
  /** Returns what has been written since the last flush, with all objects. The numbers from `nextNumber` are not in use. */
  flush(nextNumber: number): { bytes: Uint8Array<ArrayBuffer>; nextNumber: number };
  /** Completes the file, and returns its end since the last flush. The numbers from `nextNumber` are not in use. */
  finish(trailer: { root: number; info: number; nextNumber: number }): Uint8Array<ArrayBuffer>;
};

export function pdfWriter(): PdfWriter {
  const places: number[] = [];
  const packer = objectPacker();
  const file = byteList();
  const addStream = (number: number, entries: string, data: Uint8Array) => {
    places.push(number, file.length(), -1);
    file.addText(`${number} 0 obj\n<<${entries}/Length ${data.length}>>stream\n`);
    file.add(data);
    file.addText("\nendstream\nendobj\n");
  };
  const addObjectStreams = (firstNumber: number): number => {
    let number = firstNumber;
    for (const { compressed, numbers, first } of packer.flush()) {
      for (const [index, inside] of numbers.entries()) places.push(inside, number, index);
      addStream(number++, `/Type/ObjStm/N ${numbers.length}/First ${first}/Filter/FlateDecode`, compressed);
    }
    return number;
  };
  file.addText("%PDF-1.7\n%\xd3\xeb\xe9\xe1\n");
  return {
    addStream,
    addStreamSource(number, source) {
      places.push(number, file.length(), -1);
      file.add(source);
      file.addText("\n");
    },
    addObject: packer.add,
    flush(nextNumber) {
      const number = addObjectStreams(nextNumber);
      return { bytes: file.taken(), nextNumber: number };
    },
    finish({ root, info, nextNumber }) {
      const number = addObjectStreams(nextNumber);
      const startAt = file.length();
      places.push(number, startAt, -1);
      const trailer = `/Type/XRef/Size ${number + 1}/Root ${root} 0 R/Info ${info} 0 R/W [${widths.join(" ")}]`;
      const filter = `/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns ${rowBytes}>>`;
      addStream(number, trailer + filter, deflateSync(crossReferenceRows(places, number + 1)));
      file.addText(`startxref\n${startAt}\n%%EOF\n`);
      return file.taken();
    },
  };
}

/** Collects parts of the file, which are copied only once, when they are taken. */
function byteList() {
  const parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array) => {
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
