// Reads the entries of an untrusted zip. All sizes, names and positions are checked before anything is decompressed: the entries
// must fill the zip from its first byte to its directory, so they neither overlap nor hide anything between them. `node:zlib`
// decompresses, because it is native in Workers: a hostile stream of empty blocks takes a JavaScript implementation 40 times as
// long.
import { crc32, inflateRawSync } from "node:zlib";
import { linkReason, notUtf8Reason, specialReason } from "./template-files.ts";

/**
 * A file in the zip, or a folder if `path` ends with a slash. `packed` is its compressed content, and `size` its declared size.
 */
export type ZipEntry = { path: string; size: number; isDeflated: boolean; crc: number; packed: Uint8Array };

/** Thrown for a zip that is refused. `file` is the path of an entry, or null if the zip as a whole is invalid. */
export class BrokenZip extends Error {
  readonly file: string | null;
  constructor(file: string | null, reason: string) {
    super(reason);
    this.file = file;
  }
}

/** An entry's record in the directory. The header of its content is at `offset`. */
type Listed = Omit<ZipEntry, "packed"> & { packedSize: number; flags: number; offset: number; name: Uint8Array };

const endBytes = 22;
const listedBytes = 46;
const headerBytes = 30;
const descriptorBytes = 16;
const hasDescriptor = 0x0008;
/** Encryption, patched data, strong encryption and masked headers. */
const unreadable = 0x2061;

export function zipEntries(bytes: Uint8Array): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - endBytes;
  if (end < 0 || view.getUint32(end, true) !== 0x06054b50) {
    throw new BrokenZip(null, "it does not end like a zip without a comment; it may be truncated or not be a zip");
  }
  const u16 = (at: number) => view.getUint16(end + at, true);
  const [count, size, start] = [u16(10), view.getUint32(end + 12, true), view.getUint32(end + 16, true)];
  if (u16(4) !== 0 || u16(6) !== 0 || u16(8) !== count) {
    throw new BrokenZip(null, "it is split into several parts, or a ZIP64; send a single ordinary zip");
  }
  if (u16(20) !== 0 || start + size !== end) {
    throw new BrokenZip(
      null,
      "its central directory is not at the offset given at its end; other bytes may precede or follow the zip",
    );
  }
  const listed: Listed[] = [];
  let at = start;
  for (let index = 0; index < count; index++) {
    const next = at + listedBytes <= end ? at + listedLength(view, at) : Infinity;
    if (next > end || view.getUint32(at, true) !== 0x02014b50)
      throw new BrokenZip(null, "its central directory is damaged");
    listed.push(listedAt(view, at));
    at = next;
  }
  if (at !== end) throw new BrokenZip(null, "its central directory has bytes that belong to no file");
  return located(view, listed, start);
}

/** Throws `BrokenZip` if the content does not match the directory exactly. Never decompresses much more than declared. */
export function inflateEntry({ path, size, isDeflated, crc, packed }: ZipEntry): Uint8Array {
  const inflated = isDeflated ? inflate(packed, size) : packed;
  if (inflated?.length === size && crc32(inflated) === crc) return inflated;
  throw new BrokenZip(path, "its content does not have the size and the checksum that the zip declares");
}

/** Workers allocate the output in steps, and refuse a step beyond the limit even if the content ends before it. */
const outputStepBytes = 131_072;

function inflate(packed: Uint8Array, size: number): Uint8Array | null {
  try {
    // A single chunk, so that nothing is copied.
    const options = { maxOutputLength: size + outputStepBytes, chunkSize: Math.max(size + 1, 64) };
    const { buffer, byteOffset, length } = inflateRawSync(packed, options);
    return new Uint8Array(buffer, byteOffset, length);
  } catch {
    return null;
  }
}

function listedLength(view: DataView, at: number): number {
  return listedBytes + [28, 30, 32].reduce((sum, field) => sum + view.getUint16(at + field, true), 0);
}

function listedAt(view: DataView, at: number): Listed {
  const u16 = (field: number) => view.getUint16(at + field, true);
  const u32 = (field: number) => view.getUint32(at + field, true);
  const name = new Uint8Array(view.buffer, view.byteOffset + at + listedBytes, u16(28));
  const path = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(name);
  const [flags, method, packedSize, size, offset] = [u16(8), u16(10), u32(20), u32(24), u32(42)];
  const reason = pathReason(path) ?? kindReason(path, u32(38) >>> 16);
  if (reason !== null) throw new BrokenZip(path, reason);
  if ((flags & unreadable) !== 0) throw new BrokenZip(path, "it is encrypted");
  if ([packedSize, size, offset].includes(0xffffffff)) throw new BrokenZip(path, "it needs ZIP64");
  if (u16(34) !== 0) throw new BrokenZip(path, "it is in a different part of the zip");
  if (method !== 0 && method !== 8) throw new BrokenZip(path, `its compression method is ${method}; use deflate`);
  return { path, size, isDeflated: method === 8, crc: u32(16), packedSize, flags, offset, name };
}

function pathReason(path: string): string | null {
  if (path.includes("\ufffd")) return notUtf8Reason;
  if (/\p{Cc}/u.test(path)) return "its name contains control characters";
  if (path.includes("\\")) return "its path contains a backslash; folders in a zip are separated by /";
  if (/^(?:\/|[a-z]:)/i.test(path)) return "its path is absolute";
  const names = path.replace(/\/$/, "").split("/");
  return names.some((name) => ["", ".", ".."].includes(name)) ? "its path has an empty name, `.` or `..`" : null;
}

/** `mode` is the Unix mode, which not all programs set. */
function kindReason(path: string, mode: number): string | null {
  const kind = mode & 0xf000;
  if (kind === 0 || kind === (path.endsWith("/") ? 0x4000 : 0x8000)) return null;
  return kind === 0xa000 ? linkReason : specialReason;
}

/** Finds the content of the entries, and compares the header before it with the directory. */
function located(view: DataView, listed: Listed[], directory: number): ZipEntry[] {
  let at = 0;
  const entries = listed
    .toSorted((a, b) => a.offset - b.offset)
    .map((entry): ZipEntry => {
      const { path, size, isDeflated, crc } = entry;
      if (entry.offset !== at)
        throw new BrokenZip(path, "its bytes overlap others, or bytes before it belong to no file");
      const start = at + headerLength(view, at, directory, entry);
      at = start + entry.packedSize + descriptorLength(view, start + entry.packedSize, directory, entry);
      if (at > directory) throw new BrokenZip(path, "its content is truncated");
      const packed = new Uint8Array(view.buffer, view.byteOffset + start, entry.packedSize);
      return { path, size, isDeflated, crc, packed };
    });
  if (at !== directory) throw new BrokenZip(null, "it has bytes that belong to no file");
  return entries;
}

/** Returns Infinity if the header is incomplete. */
function headerLength(view: DataView, at: number, directory: number, entry: Listed): number {
  const u16 = (field: number) => view.getUint16(at + field, true);
  if (at + headerBytes > directory || at + headerBytes + u16(26) > directory) return Infinity;
  const name = new Uint8Array(view.buffer, view.byteOffset + at + headerBytes, u16(26));
  const isSame =
    view.getUint32(at, true) === 0x04034b50 &&
    u16(6) === entry.flags &&
    u16(8) === (entry.isDeflated ? 8 : 0) &&
    name.length === entry.name.length &&
    name.every((byte, index) => byte === entry.name[index]) &&
    ((entry.flags & hasDescriptor) !== 0 || sizesAre(view, at + 14, entry));
  if (!isSame) throw new BrokenZip(entry.path, "the zip contains two different descriptions of this file");
  return headerBytes + u16(26) + u16(28);
}

/** Programs that stream a zip write the sizes after the content. */
function descriptorLength(view: DataView, at: number, directory: number, entry: Listed): number {
  if ((entry.flags & hasDescriptor) === 0) return 0;
  if (at + descriptorBytes > directory) return Infinity;
  if (view.getUint32(at, true) === 0x08074b50 && sizesAre(view, at + 4, entry)) return descriptorBytes;
  throw new BrokenZip(entry.path, "the zip contains different sizes of this file");
}

function sizesAre(view: DataView, at: number, { crc, packedSize, size }: Listed): boolean {
  return [crc, packedSize, size].every((value, index) => view.getUint32(at + 4 * index, true) === value);
}
