// Writes zips in which any field of any record can be wrong.
import { crc32, deflateRawSync } from "node:zlib";
import { bytesOf } from "colophon-test-kit/template-files";

/** By default, each field has the value of a correct entry. The fields in `local` differ only in the header of the content. */
export type Entry = {
  name: string | Uint8Array;
  content?: string | Uint8Array;
  /** The bytes in the zip, in place of the deflated content. */
  packed?: Uint8Array;
  flags?: number;
  method?: number;
  crc?: number;
  packedSize?: number;
  size?: number;
  disk?: number;
  mode?: number;
  offset?: number;
  extra?: Uint8Array;
  comment?: string;
  local?: Partial<Pick<Entry, "name" | "flags" | "method" | "crc" | "packedSize" | "size">>;
  /** The bytes that follow the content. */
  after?: Uint8Array;
};

export type End = Partial<
  Record<"disk" | "startDisk" | "here" | "count" | "size" | "start" | "commentLength", number>
> & { signature?: number };

export function little(...fields: [bytes: 2 | 4, value: number][]): Uint8Array {
  return Buffer.concat(
    fields.map(([bytes, value]) => {
      const field = Buffer.alloc(bytes);
      field.writeUIntLE(value, 0, bytes);
      return field;
    }),
  );
}

export function joined(...parts: (string | Uint8Array)[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts.map(bytesOf)));
}

/** `between` precedes the directory, and `before` everything. */
export function zipOf(
  entries: Entry[],
  { end = {}, before = "", between = "" }: { end?: End; before?: string; between?: string } = {},
): Uint8Array {
  const bodies: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = bytesOf(before).length;
  for (const entry of entries) {
    const full = completed(entry);
    const body = joined(recordOf(0x04034b50, { ...full, ...entry.local }), full.packed, entry.after ?? "");
    directory.push(directoryRecord(full, entry.offset ?? at));
    bodies.push(body);
    at += body.length;
  }
  const start = at + between.length;
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const all = {
    disk: 0,
    startDisk: 0,
    here: entries.length,
    count: entries.length,
    size,
    start,
    commentLength: 0,
    ...end,
  };
  return joined(
    before,
    Buffer.concat(bodies),
    between,
    Buffer.concat(directory),
    little([4, all.signature ?? 0x06054b50], [2, all.disk], [2, all.startDisk], [2, all.here], [2, all.count]),
    little([4, all.size], [4, all.start], [2, all.commentLength]),
  );
}

function completed(entry: Entry) {
  const content = bytesOf(entry.content ?? "");
  const method = entry.method ?? 8;
  const packed = entry.packed ?? (method === 0 ? content : deflateRawSync(content));
  const defaults = { flags: 0x800, crc: crc32(content), packedSize: packed.length, size: content.length };
  return { disk: 0, mode: 0, extra: new Uint8Array(), comment: "", ...defaults, ...entry, method, packed };
}

function recordOf(signature: number, entry: ReturnType<typeof completed>): Uint8Array {
  return joined(little([4, signature], [2, 20]), commonOf(entry), bytesOf(entry.name));
}

function commonOf({ flags, method, crc, packedSize, size, name }: ReturnType<typeof completed>): Uint8Array {
  const sizes: [4, number][] = [crc, packedSize, size].map((value) => [4, value]);
  return little([2, flags], [2, method], [2, 0], [2, 0x21], ...sizes, [2, bytesOf(name).length], [2, 0]);
}

function directoryRecord(entry: ReturnType<typeof completed>, offset: number): Uint8Array {
  const common = commonOf(entry);
  common.set(little([2, entry.extra.length]), common.length - 2);
  return joined(
    little([4, 0x02014b50], [2, 0x0314], [2, 20]),
    common,
    little([2, entry.comment.length], [2, entry.disk], [2, 0], [4, entry.mode * 0x10000], [4, offset]),
    bytesOf(entry.name),
    entry.extra,
    entry.comment,
  );
}
