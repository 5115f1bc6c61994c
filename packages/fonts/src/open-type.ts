// Reads and writes OpenType files, which consist of tables (https://learn.microsoft.com/typography/opentype/spec/otff). HarfBuzz
// does everything else.
import { deflateSync } from "node:zlib";
import { convert } from "fontverter";
import { Blob, Face } from "harfbuzzjs";

/** Returns the file uncompressed. */
export async function unpacked(file: Buffer): Promise<Buffer> {
  return Buffer.from(await convert(file, "sfnt"));
}

export function faceOf(font: Buffer): Face {
  return new Face(new Blob(font));
}

/** Returns the code points for which the font has glyphs. */
export function codePointsOf(font: Buffer): Set<number> {
  return new Set(faceOf(font).collectUnicodes());
}

export type Tables = Map<string, Buffer>;

export function tablesOf(font: Buffer): Tables {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, index): [string, Buffer] => {
    const at = 12 + index * 16;
    const start = font.readUInt32BE(at + 8);
    return [font.toString("latin1", at, at + 4), font.subarray(start, start + font.readUInt32BE(at + 12))];
  });
  return new Map(tables);
}

/** Returns a font with TrueType outlines. */
export function fontOf(tables: Tables): Buffer {
  const sorted = [...tables].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const directory = Buffer.alloc(12 + sorted.length * 16);
  directory.writeUInt32BE(0x00010000, 0);
  directory.writeUInt16BE(sorted.length, 4);
  const contents = [directory];
  let start = directory.length;
  for (const [index, [tag, bytes]] of sorted.entries()) {
    const at = 12 + index * 16;
    directory.write(tag, at, "latin1");
    directory.writeUInt32BE(checksumOf(tag, bytes), at + 4);
    directory.writeUInt32BE(start, at + 8);
    directory.writeUInt32BE(bytes.length, at + 12);
    const padding = Buffer.alloc(-bytes.length & 3);
    contents.push(bytes, padding);
    start += bytes.length + padding.length;
  }
  return Buffer.concat(contents);
}

/** Returns the font as WOFF (https://www.w3.org/TR/WOFF). `convert` compresses in JavaScript, which takes three times as long. */
export function woffOf(font: Buffer): Buffer {
  const tables = [...tablesOf(font).values()];
  const header = Buffer.alloc(44 + tables.length * 20);
  const contents = [header];
  let [start, unpackedBytes] = [header.length, 12 + tables.length * 16];
  for (const [index, bytes] of tables.entries()) {
    const compressed = deflateSync(bytes);
    const stored = compressed.length < bytes.length ? compressed : bytes;
    const [entry, at] = [12 + index * 16, 44 + index * 20];
    // The tag and the checksum.
    font.copy(header, at, entry, entry + 4);
    font.copy(header, at + 16, entry + 4, entry + 8);
    for (const [place, value] of [start, stored.length, bytes.length].entries())
      header.writeUInt32BE(value, at + 4 + place * 4);
    const padding = Buffer.alloc(-stored.length & 3);
    contents.push(stored, padding);
    start += stored.length + padding.length;
    unpackedBytes += bytes.length + (-bytes.length & 3);
  }
  header.write("wOFF", "latin1");
  font.copy(header, 4, 0, 4);
  header.writeUInt32BE(start, 8);
  header.writeUInt16BE(tables.length, 12);
  header.writeUInt32BE(unpackedBytes, 16);
  return Buffer.concat(contents);
}

/** Fonts with wrong checksums cannot be compressed. The checksum of `head` excludes its field for the checksum of the whole font. */
function checksumOf(tag: string, bytes: Buffer): number {
  const padded = Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
  let sum = tag === "head" ? -padded.readUInt32BE(8) : 0;
  for (let at = 0; at < padded.length; at += 4) sum += padded.readUInt32BE(at);
  return sum % 2 ** 32;
}
