// Writes the output intent of PDF/A: the colour profile that says which colours the numbers of the file mean.
import { deflateSync } from "node:zlib";
import type { PdfWriter } from "../file/pdf-writer.ts";
import { dictionaryOf, name, reference, type PdfValue } from "../syntax/values.ts";

/** All files have the same profile, so it is made once, when the first file asks for it. */
let compressedProfile: Uint8Array | null = null;

/** Writes the colour space that `DeviceRGB` means in the file, and returns the catalog's entry for it. */
export function outputIntents(writer: PdfWriter): PdfValue {
  const profile = writer.newNumber();
  writer.addStream(profile, "/N 3/Filter/FlateDecode", (compressedProfile ??= deflateSync(srgbProfile())));
  const space = { type: "string", text: "sRGB IEC61966-2.1" } as const;
  const names = { OutputConditionIdentifier: space, Info: space, DestOutputProfile: reference(profile) };
  return [dictionaryOf({ Type: name("OutputIntent"), S: name("GTS_PDFA1"), ...names })];
}

/** The primaries of sRGB (IEC 61966-2-1), adapted to the white of ICC profiles, D50, by the matrix of Bradford in `chad`. */
const primaries = { r: [0.43607, 0.22249, 0.01392], g: [0.38515, 0.71687, 0.09708], b: [0.14307, 0.06061, 0.7141] };
const whiteD50 = [0.9642, 1, 0.8249];
const adaptation = [1.04788, 0.02292, -0.0502, 0.02959, 0.99048, -0.01706, -0.00923, 0.01508, 0.75168];
/** The exponent, and the coefficients a to d of the curve `(ax + b)^g`, which is `cx` below d. */
const curve = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045];

/** Returns an ICC profile of version 4, as ISO 15076-1 defines it. */
export function srgbProfile(): Uint8Array {
  const transfer = tag("para", Buffer.from([0, 3, 0, 0]), fixed(curve));
  return withHeader({
    desc: text("sRGB"),
    cprt: text("No copyright"),
    wtpt: tag("XYZ ", fixed(whiteD50)),
    chad: tag("sf32", fixed(adaptation)),
    ...Object.fromEntries(Object.entries(primaries).map(([key, xyz]) => [`${key}XYZ`, tag("XYZ ", fixed(xyz))])),
    rTRC: transfer,
    gTRC: transfer,
    bTRC: transfer,
  });
}

const headerBytes = 128;

function withHeader(tags: Record<string, Buffer>): Buffer {
  let at = headerBytes + 4 + 12 * Object.keys(tags).length;
  const places = new Map<Buffer, number>();
  for (const data of new Set(Object.values(tags))) {
    places.set(data, at);
    at += data.length;
  }
  const entries = Object.entries(tags).map(([key, data]) => {
    return Buffer.concat([Buffer.from(key), integers(places.get(data) ?? 0, data.length)]);
  });
  const header = Buffer.alloc(headerBytes);
  header.set(integers(at, 0, 0x04200000));
  header.write("mntrRGB XYZ ", 12);
  header.set([0x07, 0xea, 0, 1, 0, 1], 24); // The date is fixed, so that the same document has the same bytes.
  header.write("acsp", 36);
  header.set(fixed(whiteD50), 68);
  return Buffer.concat([header, integers(entries.length), ...entries, ...places.keys()]);
}

function tag(type: string, ...data: Buffer[]): Buffer {
  return Buffer.concat([Buffer.from(type), integers(0), ...data]);
}

/** A text in one language. Its length is even, and padded to a multiple of four bytes. */
function text(content: string): Buffer {
  const utf16 = Buffer.from(content, "utf16le").swap16();
  const record = Buffer.concat([integers(1, 12), Buffer.from("enUS"), integers(utf16.length, 28)]);
  return tag("mluc", record, utf16, Buffer.alloc(utf16.length % 4));
}

function integers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}

/** Numbers with 16 bits before and after the point. */
function fixed(values: readonly number[]): Buffer {
  return integers(...values.map((value) => Math.round(value * 65_536) >>> 0));
}
