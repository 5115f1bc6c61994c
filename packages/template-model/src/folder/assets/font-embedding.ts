// Reads from a font whether its maker forbids embedding it, as PDFs do.
import { brotliDecompressSync, constants, inflateSync } from "node:zlib";

/** `fsType` says how a font may be embedded: not at all, or only as bitmaps. With several values, the most permissive one counts. */
const usages = 0xe;
const restricted = 0x2;
const bitmapsOnly = 0x200;
const fsTypeOffset = 8;

/** Returns false for a font that cannot be read, which no browser shows. */
export function forbidsEmbedding(font: Uint8Array): boolean {
  try {
    const table = os2Table(Buffer.from(font.buffer, font.byteOffset, font.byteLength));
    const fsType = table?.readUInt16BE(fsTypeOffset) ?? 0;
    return (fsType & usages) === restricted || (fsType & bitmapsOnly) !== 0;
  } catch {
    return false;
  }
}

const os2 = "OS/2";

function os2Table(font: Buffer): Buffer | undefined {
  const signature = font.toString("latin1", 0, 4);
  if (signature === "wOF2") return inWoff2(font);
  const isWoff = signature === "wOFF";
  const [first, size] = isWoff ? [44, 20] : [12, 16];
  for (let at = first; at < first + size * font.readUInt16BE(isWoff ? 12 : 4); at += size) {
    if (font.toString("latin1", at, at + 4) !== os2) continue;
    const table = font.subarray(font.readUInt32BE(at + (isWoff ? 4 : 8)));
    const isPacked = isWoff && font.readUInt32BE(at + 8) < font.readUInt32BE(at + 12);
    return isPacked ? inflateSync(table, { maxOutputLength: maxTableBytes }) : table;
  }
  return undefined;
}

const maxTableBytes = 10_000;
/** The length of the tables before `OS/2`, which are in alphabetical order, so that most are after it. */
const maxUnpackedBytes = 2_000_000;

/** The tables that WOFF 2.0 (W3C, section 4.1) numbers, as far as they matter here. */
const numbers = { os2: 6, glyf: 10, loca: 11, named: 63 };
const untransformedGlyphs = 3;

/** All tables of a WOFF2 file are in one stream, so the ones before this table must be unpacked as well. */
function inWoff2(font: Buffer): Buffer | undefined {
  let at = 48;
  const readLength = (): number => {
    for (let length = 0; ;) {
      const byte = font.readUInt8(at++);
      length = length * 128 + (byte & 0x7f);
      if (byte < 0x80) return length;
    }
  };
  let [start, total] = [-1, 0];
  for (let left = font.readUInt16BE(12); left > 0; left--) {
    const flags = font.readUInt8(at++);
    const [number, version] = [flags & 0x3f, flags >> 6];
    const isNamed = number === numbers.named && font.toString("latin1", at, at + 4) === os2;
    if (number === numbers.named) at += 4;
    const length = readLength();
    const isGlyphs = number === numbers.glyf || number === numbers.loca;
    const isTransformed = isGlyphs ? version !== untransformedGlyphs : version !== 0;
    if (number === numbers.os2 || isNamed) start = total;
    total += isTransformed ? readLength() : length;
  }
  return start < 0
    ? undefined
    : unpackedTo(font.subarray(at, at + font.readUInt32BE(20)), start + fsTypeOffset + 2)?.subarray(start);
}

/** Unpacks the beginning of a stream, in which `bytes` bytes are needed. */
function unpackedTo(stream: Buffer, bytes: number): Buffer | undefined {
  if (bytes > maxUnpackedBytes) return undefined;
  for (let taken = 65_536; ; taken *= 2) {
    const unpacked = brotliDecompressSync(stream.subarray(0, taken), {
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
      maxOutputLength: 2 * maxUnpackedBytes,
    });
    if (unpacked.length >= bytes || taken >= stream.length) return unpacked;
  }
}
