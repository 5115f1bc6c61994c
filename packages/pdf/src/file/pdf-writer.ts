// Writes a PDF with object streams and a compressed cross-reference table, which make tagged files several times smaller.
import { latin1Bytes } from "../syntax/characters.ts";
import { crossReferenceRows, rowBytes, widths, type Place } from "./cross-reference-stream.ts";
import { objectPacker, type Deflate } from "./object-streams.ts";

export type PdfWriter = {
  /** Adds a stream object whose source, from its number to `endobj`, is written as it is. */
  addStreamSource(number: number, source: Uint8Array): void;
  /** Adds a stream. `entries` is the source of its dictionary, without `/Length` and the brackets. */
  addStream(number: number, entries: string, data: Uint8Array): void;
  /** Adds an object that is not a stream. `source` is Latin-1 text. */
  addObject(number: number, source: string): void;
  /** Completes the file. `nextNumber` is the first number that is not in use. */
  finish(trailer: { root: number; info: number; nextNumber: number }): Uint8Array<ArrayBuffer>;
};

export function pdfWriter(deflate: Deflate): PdfWriter {
  const places: Place[] = [];
  const packer = objectPacker(deflate);
  const file = byteList();
  const addStream = (number: number, entries: string, data: Uint8Array) => {
    places.push({ number, field: file.length(), index: null });
    file.addText(`${number} 0 obj\n<<${entries}/Length ${data.length}>>stream\n`);
    file.add(data);
    file.addText("\nendstream\nendobj\n");
  };
  const addObjectStreams = (firstNumber: number): number => {
    let number = firstNumber;
    for (const { compressed, numbers, first } of packer.finish()) {
      for (const [index, inside] of numbers.entries()) places.push({ number: inside, field: number, index });
      addStream(number++, `/Type/ObjStm/N ${numbers.length}/First ${first}/Filter/FlateDecode`, compressed);
    }
    return number;
  };
  file.addText("%PDF-1.7\n%\xd3\xeb\xe9\xe1\n");
  return {
    addStream,
    addStreamSource(number, source) {
      places.push({ number, field: file.length(), index: null });
      file.add(source);
      file.addText("\n");
    },
    addObject: packer.add,
    finish({ root, info, nextNumber }) {
      const number = addObjectStreams(nextNumber);
      const startAt = file.length();
      const rows = crossReferenceRows([...places, { number, field: startAt, index: null }], number + 1);
      const trailer = `/Type/XRef/Size ${number + 1}/Root ${root} 0 R/Info ${info} 0 R/W [${widths.join(" ")}]`;
      const filter = `/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns ${rowBytes}>>`;
      addStream(number, trailer + filter, deflate(rows));
      file.addText(`startxref\n${startAt}\n%%EOF\n`);
      return file.joined();
    },
  };
}

/** Collects parts of the file, which are copied only once, at the end. */
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
    joined() {
      const bytes = new Uint8Array(length);
      let at = 0;
      for (const part of parts) {
        bytes.set(part, at);
        at += part.length;
      }
      return bytes;
    },
  };
}
