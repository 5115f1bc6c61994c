// Collects objects that are not streams, and packs them into object streams.
import { deflateSync } from "node:zlib";
import { latin1Bytes } from "../syntax/characters.ts";

/** An object stream. `first` is the offset of its first object after decompression. */
export type ObjectStream = { compressed: Uint8Array; numbers: number[]; first: number };

export type ObjectPacker = {
  /** `source` is Latin-1 text. */
  add(number: number, source: string): void;
  /** Returns the object streams with all objects that were added since the last flush. */
  flush(): ObjectStream[];
};

/** Larger streams are hardly smaller in total, and a reader has to decompress more to get at one object. */
const objectsPerStream = 200;

export function objectPacker(): ObjectPacker {
  const streams: ObjectStream[] = [];
  let header = "";
  let numbers: number[] = [];
  let sources = "";
  const pack = () => {
    if (numbers.length === 0) return;
    const compressed = deflateSync(latin1Bytes(header + sources));
    // The result is copied, because it may be a small part of a large buffer, which would stay in memory.
    streams.push({ compressed: new Uint8Array(compressed), numbers, first: header.length });
    [header, numbers, sources] = ["", [], ""];
  };
  return {
    add(number, source) {
      header += `${number} ${sources.length} `;
      numbers.push(number);
      sources += `${source}\n`;
      if (numbers.length === objectsPerStream) pack();
    },
    flush() {
      pack();
      return streams.splice(0);
    },
  };
}
