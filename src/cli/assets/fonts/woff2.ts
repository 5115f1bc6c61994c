// Reads which characters a WOFF2 font has, and packs a font as WOFF2 (https://www.w3.org/TR/WOFF2/). The tables are packed as they
// are: the format's own transformation of outlines would make a file some percent smaller, and takes minutes for all fonts.
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

/** Returns the code points for which the font has glyphs. */
export function codePointsOf(woff2: Buffer): Set<number> {
  const cmap = cmapTable(woff2);
  const points = new Set<number>();
  const count = cmap.readUInt16BE(2);
  for (let index = 0; index < count; index++) {
    const start = cmap.readUInt32BE(4 + index * 8 + 4);
    const format = cmap.readUInt16BE(start);
    if (format === 4) readSegments(cmap.subarray(start), points);
    if (format === 12) readGroups(cmap.subarray(start), points);
  }
  return points;
}

function cmapTable(woff2: Buffer): Buffer {
  const tableCount = woff2.readUInt16BE(12);
  const compressedBytes = woff2.readUInt32BE(20);
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
  let cmap: { start: number; end: number } | null = null;
  for (let index = 0; index < tableCount; index++) {
    const flags = woff2.readUInt8(position++);
    const known = knownTags[flags & 63];
    const tag = known ?? woff2.toString("latin1", position, (position += 4));
    const version = flags >> 6;
    const isTransformed = tag === "glyf" || tag === "loca" ? version !== untransformed : version !== 0;
    const originalBytes = readLength();
    const bytes = isTransformed ? readLength() : originalBytes;
    if (tag === "cmap") cmap = { start: offset, end: offset + bytes };
    offset += bytes;
  }
  if (!cmap) throw new Error("the font has no table of characters");
  return brotliDecompressSync(woff2.subarray(position, position + compressedBytes)).subarray(cmap.start, cmap.end);
}

function readSegments(table: Buffer, points: Set<number>): void {
  const count = table.readUInt16BE(6) / 2;
  for (let index = 0; index < count; index++) {
    const at = (part: number) => 14 + part * count * 2 + index * 2 + (part > 0 ? 2 : 0);
    const [last, first] = [table.readUInt16BE(at(0)), table.readUInt16BE(at(1))];
    const [delta, rangeOffset] = [table.readUInt16BE(at(2)), table.readUInt16BE(at(3))];
    for (let point = first; point <= last && point < 0xffff; point++) {
      const position = at(3) + rangeOffset + (point - first) * 2;
      const glyph = rangeOffset === 0 ? point : position + 2 > table.length ? 0 : table.readUInt16BE(position);
      if (glyph !== 0 && ((glyph + delta) & 0xffff) !== 0) points.add(point);
    }
  }
}

function readGroups(table: Buffer, points: Set<number>): void {
  const count = table.readUInt32BE(12);
  for (let index = 0; index < count; index++) {
    const at = 16 + index * 12;
    for (let point = table.readUInt32BE(at); point <= table.readUInt32BE(at + 4); point++) points.add(point);
  }
}

/** Packs a font with TrueType outlines, without the tables that are left out. */
export function packWoff2(sfnt: Buffer, leftOut: ReadonlySet<string> = new Set()): Buffer {
  const all = Array.from({ length: sfnt.readUInt16BE(4) }, (_, index) => {
    const at = 12 + index * 16;
    const start = sfnt.readUInt32BE(at + 8);
    const tag = sfnt.toString("latin1", at, at + 4);
    return { tag, bytes: sfnt.subarray(start, start + sfnt.readUInt32BE(at + 12)) };
  });
  const tables = all.filter(({ tag }) => !leftOut.has(tag));
  const directory = Buffer.concat(tables.map(directoryEntry));
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_FONT };
  const packed = brotliCompressSync(Buffer.concat(tables.map(({ bytes }) => bytes)), { params: quality });
  const padding = Buffer.alloc(-(headerBytes + directory.length + packed.length) & 3);
  const header = Buffer.alloc(headerBytes);
  header.write("wOF2", "latin1");
  sfnt.copy(header, 4, 0, 4);
  header.writeUInt32BE(headerBytes + directory.length + packed.length + padding.length, 8);
  header.writeUInt16BE(tables.length, 12);
  header.writeUInt32BE(12 + tables.reduce((sum, { bytes }) => sum + 16 + ((bytes.length + 3) & ~3), 0), 16);
  header.writeUInt32BE(packed.length, 20);
  header.writeUInt16BE(1, 24);
  return Buffer.concat([header, directory, packed, padding]);
}

function directoryEntry({ tag, bytes }: { tag: string; bytes: Buffer }): Buffer {
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
