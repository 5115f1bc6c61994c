// Collects objects that are not streams, and packs them into object streams.
import { latin1Bytes } from "../syntax/characters.ts";
import { append, type Sink } from "../syntax/copy-value.ts";

/** Compresses bytes in the zlib format. */
export type Deflate = (bytes: Uint8Array) => Uint8Array;

/** The source of an object, or a function that appends the source to a sink. */
export type ObjectSource = string | ((sink: Sink) => void);

/** An object stream. `first` is the offset of its first object after decompression. */
export type ObjectStream = { compressed: Uint8Array; numbers: number[]; first: number };

export type ObjectPacker = {
  add(number: number, source: ObjectSource): void;
  /** Returns the object streams with all objects that were added. */
  finish(): ObjectStream[];
};

/** Larger streams are hardly smaller in total, and a reader has to decompress more to get at one object. */
const objectsPerStream = 200;

export function objectPacker(deflate: Deflate): ObjectPacker {
  const streams: ObjectStream[] = [];
  const sink: Sink = { bytes: new Uint8Array(16_384), at: 0 };
  let header = "";
  let numbers: number[] = [];
  const pack = () => {
    if (numbers.length === 0) return;
    const source = new Uint8Array(header.length + sink.at);
    source.set(latin1Bytes(header));
    source.set(sink.bytes.subarray(0, sink.at), header.length);
    // The result is copied, because it may be a small part of a large buffer, which would stay in memory.
    streams.push({ compressed: new Uint8Array(deflate(source)), numbers, first: header.length });
    [header, numbers, sink.at] = ["", [], 0];
  };
  return {
    add(number, source) {
      header += `${number} ${sink.at} `;
      numbers.push(number);
      if (typeof source === "string") append(sink, source);
      else source(sink);
      append(sink, "\n");
      if (numbers.length === objectsPerStream) pack();
    },
    finish() {
      pack();
      return streams;
    },
  };
}
