// Unpacks and packs WOFF2 fonts (https://www.w3.org/TR/WOFF2/). Tables that come from a TrueType file are packed as they are: the
// format's own transformation of outlines would make a file some percent smaller, and takes minutes for all fonts.
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

/** The tags that a table directory writes as an index. */
const knownTags = (
  "cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca prep CFF_ VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx " +
  "BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG_ sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty " +
  "just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill"
)
  .split(" ")
  .map((tag) => tag.replace("_", " "));

const headerBytes = 48;
/** The transformation that leaves these two tables as they are. For every other table, that is 0. */
const untransformed = 3;
/** What a file with TrueType outlines says of its kind. */
const trueType = 0x00010000;
/** Of Brotli. A quality of 9 makes files 2 % smaller, and takes ten times as long. */
const quality = 5;

/** An unpacked file. */
export type OpenedWoff2 = {
  /** Returns the content of a table, which a caller may change in place; null if the font has no such table. */
  table(tag: string): Buffer | null;
  /** Returns the file with the tables as they are now. */
  packed(): Buffer;
};

/** Tables that are transformed, such as outlines, stay so. */
export function openWoff2(woff2: Buffer): OpenedWoff2 {
  const { ranges, end } = readDirectory(woff2);
  const content = brotliDecompressSync(woff2.subarray(end, end + woff2.readUInt32BE(20)));
  return {
    table(tag) {
      const range = ranges.get(tag);
      return range ? content.subarray(range.start, range.end) : null;
    },
    packed: () => file(woff2.subarray(0, headerBytes), woff2.subarray(headerBytes, end), content),
  };
}

/** Returns where each table is in the content, and where the directory ends in the file. */
function readDirectory(woff2: Buffer): { ranges: Map<string, { start: number; end: number }>; end: number } {
  const tableCount = woff2.readUInt16BE(12);
  let position = headerBytes;
  const readLength = (): number => {
    let length = 0;
    for (let more = true; more;) {
      const byte = woff2.readUInt8(position++);
      length = length * 128 + (byte & 0x7f);
      more = byte > 0x7f;
    }
    return length;
  };
  let offset = 0;
  const ranges = new Map<string, { start: number; end: number }>();
  for (let index = 0; index < tableCount; index++) {
    const flags = woff2.readUInt8(position++);
    const known = knownTags[flags & 63];
    const tag = known ?? woff2.toString("latin1", position, (position += 4));
    const version = flags >> 6;
    const isTransformed = tag === "glyf" || tag === "loca" ? version !== untransformed : version !== 0;
    const originalBytes = readLength();
    const bytes = isTransformed ? readLength() : originalBytes;
    ranges.set(tag, { start: offset, end: offset + bytes });
    offset += bytes;
  }
  return { ranges, end: position };
}

/** Packs a font with TrueType outlines, without the tables that are left out. */
export function packWoff2(sfnt: Buffer, leftOut: ReadonlySet<string> = new Set()): Buffer {
  const all = Array.from({ length: sfnt.readUInt16BE(4) }, (_, index) => {
    const at = 12 + index * 16;
    const start = sfnt.readUInt32BE(at + 8);
    const tag = sfnt.toString("latin1", at, at + 4);
    return { tag, bytes: sfnt.subarray(start, start + sfnt.readUInt32BE(at + 12)) };
  });
  return packTables(all.filter(({ tag }) => !leftOut.has(tag)));
}

export type FontTable = { tag: string; bytes: Buffer };

/** Packs the tables of a font with TrueType outlines, which are in the order of their tags. */
export function packTables(tables: readonly FontTable[]): Buffer {
  const directory = Buffer.concat(tables.map(directoryEntry));
  const header = Buffer.alloc(headerBytes);
  header.write("wOF2", "latin1");
  header.writeUInt32BE(trueType, 4);
  header.writeUInt16BE(tables.length, 12);
  header.writeUInt32BE(12 + tables.reduce((sum, { bytes }) => sum + 16 + ((bytes.length + 3) & ~3), 0), 16);
  header.writeUInt16BE(1, 24);
  return file(header, directory, Buffer.concat(tables.map(({ bytes }) => bytes)));
}

/** `model` has those fields of the header that do not depend on the size of the packed content. */
function file(model: Buffer, directory: Buffer, content: Buffer): Buffer {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_FONT,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  const packed = brotliCompressSync(content, { params });
  const padding = Buffer.alloc(-(headerBytes + directory.length + packed.length) & 3);
  const header = Buffer.from(model);
  header.writeUInt32BE(headerBytes + directory.length + packed.length + padding.length, 8);
  header.writeUInt32BE(packed.length, 20);
  // What follows the tables, metadata and private data, is left out.
  header.fill(0, 28);
  return Buffer.concat([header, directory, packed, padding]);
}

function directoryEntry({ tag, bytes }: FontTable): Buffer {
  const index = knownTags.indexOf(tag);
  const version = tag === "glyf" || tag === "loca" ? untransformed : 0;
  const flags = Buffer.from([(version << 6) | (index < 0 ? 63 : index)]);
  return Buffer.concat([flags, Buffer.from(index < 0 ? tag : "", "latin1"), lengthBytes(bytes.length)]);
}

/** Returns the length in base 128, where every byte but the last has its highest bit set. */
function lengthBytes(length: number): Buffer {
  const digits = [length & 0x7f];
  for (let rest = length >>> 7; rest > 0; rest >>>= 7) digits.unshift((rest & 0x7f) | 0x80);
  return Buffer.from(digits);
}
