// Opens any PDF as the validator sees those of `colophon-pdf`: it looks for objects instead of reading tables, and decodes streams. Later
// objects replace earlier ones with the same number, as in incremental updates.
import { inflateSync, constants } from "node:zlib";
import { latin1, skipSpace, standsAt } from "colophon-pdf/characters";
import type { FinishedPdf } from "colophon-pdf/open-finished-pdf";
import { PdfError } from "colophon-pdf/pdf-error";
import {
  isDictionary,
  isName,
  isReference,
  name,
  reference,
  type PdfDictionary,
  type PdfValue,
} from "colophon-pdf/values";

type Stream = { dictionary: PdfDictionary; data: Uint8Array };

export function openAny(bytes: Uint8Array): FinishedPdf {
  const text = latin1(bytes, 0, bytes.length);
  const objects = new Map<number, PdfValue>();
  const streams = new Map<number, Stream>();
  const trailer: PdfDictionary = new Map();
  const object = (number: number) => objects.get(number) ?? null;
  const resolve = (value: PdfValue | undefined) => (isReference(value) ? object(value.number) : (value ?? null));
  const starts: { number: number; at: number; value: PdfValue; end: number }[] = [];
  const tableAt = Number(/.*startxref\s+(\d+)/s.exec(text)?.[1] ?? NaN);
  let identifier: PdfValue | undefined;
  let after = 0;
  for (const match of text.matchAll(/(\d{1,10})[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+obj\b|\btrailer\b/g)) {
    if (match.index < after) continue;
    const reader = tolerantReader(bytes, match.index + match[0].length);
    const value = attempt(() => reader.value());
    if (value === undefined) continue;
    const end = reader.at();
    if (match[1] === undefined) {
      mergeTrailer(trailer, value);
      // The identifier is the one of the trailer that readers find first.
      if (identifier === undefined && match.index >= tableAt && isDictionary(value))
        identifier = value.get("ID") ?? null;
    } else {
      const number = Number(match[1]);
      starts.push({ number, at: match.index, value, end });
      objects.set(number, value);
      streams.delete(number);
      const data = isDictionary(value) ? dataAt(bytes, text, end) : null;
      if (data && isDictionary(value)) {
        streams.set(number, { dictionary: value, data: data.bytes });
        after = data.end;
      }
    }
  }
  for (const [number, stream] of streams) {
    const type = nameOf(stream.dictionary.get("Type"));
    const length = resolve(stream.dictionary.get("Length"));
    if (typeof length === "number" && length < stream.data.length) stream.data = stream.data.subarray(0, length);
    decode(stream, resolve);
    objects.delete(number);
    if (type === "XRef") mergeTrailer(trailer, stream.dictionary);
    if (type === "ObjStm") addObjects(stream, objects);
    if (type === "XRef" || type === "ObjStm") streams.delete(number);
  }
  if (identifier !== undefined) trailer.set("ID", identifier);
  const size = Math.max(0, ...objects.keys(), ...streams.keys()) + 1;
  const file = { trailer, size, streams, object, resolve };
  flattenPages(file, objects);
  return file;
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof PdfError) return undefined;
    throw error;
  }
}

function mergeTrailer(trailer: PdfDictionary, value: PdfValue): void {
  if (isDictionary(value)) for (const [key, entry] of value) trailer.set(key, entry);
}

/** Returns the data of a stream whose dictionary ends at `end`; null if there is none. Its length is what stands before `endstream`. */
function dataAt(bytes: Uint8Array, text: string, end: number): { bytes: Uint8Array; end: number } | null {
  const at = skipSpace(bytes, end, bytes.length);
  if (!standsAt(bytes, at, "stream")) return null;
  const from = at + "stream".length;
  const start = bytes[from] === 0x0d ? from + (bytes[from + 1] === 0x0a ? 2 : 1) : from + 1;
  const found = text.indexOf("endstream", start);
  const to = found < 0 ? bytes.length : found;
  return { bytes: bytes.subarray(start, to), end: to };
}

/** Decodes all filters except those of images. */
function decode(stream: Stream, resolve: FinishedPdf["resolve"]): void {
  const listOf = (value: PdfValue) => (Array.isArray(value) ? value : [value]).map(resolve);
  const filters = listOf(resolve(stream.dictionary.get("Filter"))).map(nameOf);
  const parameters = listOf(resolve(stream.dictionary.get("DecodeParms")));
  const decoded = filters.findIndex((filter) => filter !== "" && !(filter in decoders));
  const count = decoded < 0 ? filters.length : decoded;
  for (let index = 0; index < count; index++) {
    const about = parameters[index];
    const decoder = decoders[filters[index] ?? ""];
    if (decoder) stream.data = unpredicted(decoder(stream.data), isDictionary(about) ? about : new Map());
  }
  stream.dictionary = new Map(stream.dictionary);
  stream.dictionary.delete("DecodeParms");
  if (decoded < 0) stream.dictionary.delete("Filter");
  else stream.dictionary.set("Filter", filters.slice(decoded).map(name));
}

const decoders: Record<string, (data: Uint8Array) => Uint8Array> = {
  FlateDecode: (data) => attemptInflate(data),
  ASCIIHexDecode: (data) => Buffer.from(latin1(data, 0, data.length).replace(/>[^]*|[^\dA-Fa-f]/g, ""), "hex"),
  ASCII85Decode: decodeAscii85,
  LZWDecode: decodeLzw,
};

function attemptInflate(data: Uint8Array): Uint8Array {
  try {
    return inflateSync(data, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return new Uint8Array();
  }
}

function decodeAscii85(data: Uint8Array): Uint8Array {
  const text = latin1(data, 0, data.length)
    .replace(/~>[^]*/, "")
    .replace(/\s/g, "")
    .replaceAll("z", "!!!!!");
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at += 5) {
    const group = text.slice(at, at + 5);
    let value = 0;
    for (const digit of group.padEnd(5, "u")) value = value * 85 + digit.charCodeAt(0) - 33;
    for (let index = 0; index < group.length - 1; index++) bytes.push(Math.floor(value / 256 ** (3 - index)) & 0xff);
  }
  return Buffer.from(bytes);
}

function decodeLzw(data: Uint8Array): Uint8Array {
  const [clear, end] = [256, 257];
  const bytes: number[] = [];
  let table: number[][] = [];
  let [width, previous, bits, count] = [9, null as number[] | null, 0, 0];
  for (const byte of data) {
    bits = ((bits << 8) | byte) & 0xff_ffff;
    count += 8;
    if (count < width) continue;
    const code = (bits >> (count - width)) & ((1 << width) - 1);
    count -= width;
    if (code === end) break;
    if (code === clear) {
      table = Array.from({ length: 258 }, (_, index) => (index < 256 ? [index] : []));
      [width, previous] = [9, null];
      continue;
    }
    const entry: number[] = table[code] ?? [...(previous ?? []), previous?.[0] ?? 0];
    bytes.push(...entry);
    if (previous) table.push([...previous, entry[0] ?? 0]);
    width = Math.min(12, Math.max(9, Math.floor(Math.log2(table.length + 1)) + 1));
    previous = entry;
  }
  return Buffer.from(bytes);
}

/** Undoes the predictors of PNG. */
function unpredicted(data: Uint8Array, parameters: PdfDictionary): Uint8Array {
  const number = (key: string, otherwise: number) => Number(parameters.get(key) ?? otherwise);
  if (number("Predictor", 1) < 10) return data;
  const pixel = Math.max(1, (number("Colors", 1) * number("BitsPerComponent", 8)) >> 3);
  const width = Math.ceil((number("Colors", 1) * number("BitsPerComponent", 8) * number("Columns", 1)) / 8);
  const rows = Math.floor(data.length / (width + 1));
  const result = new Uint8Array(rows * width);
  for (let row = 0; row < rows; row++) {
    const kind = data[row * (width + 1)] ?? 0;
    for (let at = 0; at < width; at++) {
      const place = row * width + at;
      const left = at >= pixel ? (result[place - pixel] ?? 0) : 0;
      const above = row > 0 ? (result[place - width] ?? 0) : 0;
      const corner = row > 0 && at >= pixel ? (result[place - width - pixel] ?? 0) : 0;
      const predicted = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][kind] ?? 0;
      result[place] = (data[row * (width + 1) + 1 + at] ?? 0) + predicted;
    }
  }
  return result;
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

function addObjects({ dictionary, data }: Stream, objects: Map<number, PdfValue>): void {
  const first = Number(dictionary.get("First"));
  const header = latin1(data, 0, first).trim().split(/\s+/).map(Number);
  for (let at = 0; at + 1 < header.length; at += 2) {
    const value = attempt(() => tolerantReader(data, first + (header[at + 1] ?? 0)).value());
    if (value !== undefined && !objects.has(header[at] ?? -1)) objects.set(header[at] ?? -1, value);
  }
}

/** Gives each page what it inherits, with the numbers of its box. */
function flattenPages(file: FinishedPdf, objects: Map<number, PdfValue>): void {
  const visit = (node: PdfValue | undefined, inherited: PdfDictionary, depth: number): void => {
    const own = file.resolve(node);
    if (!isReference(node) || !isDictionary(own) || depth > 50) return;
    const entries = new Map([...inherited, ...own]);
    const kids = file.resolve(own.get("Kids"));
    if (Array.isArray(kids)) {
      objects.set(node.number, new Map([...own, ["Kids", kids]]));
      const passed = ["MediaBox"].flatMap((key) => {
        const value = entries.get(key);
        return value === undefined ? [] : [[key, value] as const];
      });
      for (const kid of kids) visit(kid, new Map(passed), depth + 1);
    } else {
      const box = file.resolve(entries.get("MediaBox"));
      if (Array.isArray(box)) {
        const [a = 0, b = 0, c = 0, d = 0] = box.map(file.resolve).map(Number);
        entries.set("MediaBox", [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]);
      }
      objects.set(node.number, entries);
    }
  };
  const root = file.resolve(file.trailer.get("Root"));
  if (isDictionary(root)) visit(root.get("Pages"), new Map(), 0);
}

function nameOf(value: PdfValue | undefined): string {
  return isName(value) ? value.text : "";
}

/** Reads values as every reader does: with references to any generation, odd numbers and repeated keys. */
function tolerantReader(bytes: Uint8Array, from: number) {
  const text = latin1(bytes, from, bytes.length);
  const token =
    /[\0\t\n\f\r ]*(?:%[^\r\n]*[\0\t\n\f\r ]*)*(<<|>>|\[|\]|\(|<[^>]*>|\/[^\0\t\n\f\r ()<>[\]{}/%]*|[^\0\t\n\f\r ()<>[\]{}/%]+)/y;
  const next = () => {
    const match = token.exec(text);
    if (!match?.[1]) throw new PdfError("an object ends too early");
    return match[1];
  };
  const parse = (first: string, depth: number): PdfValue => {
    if (depth > 100) throw new PdfError("an object is nested too deeply");
    if (first === "<<") {
      const entries: PdfDictionary = new Map();
      for (let key = next(); key !== ">>"; key = next()) entries.set(decodedName(key), parse(next(), depth + 1));
      return entries;
    }
    if (first === "[") {
      const items: PdfValue[] = [];
      for (let item = next(); item !== "]"; item = next()) items.push(parse(item, depth + 1));
      return items;
    }
    if (first === "(") return { type: "string", text: literal() };
    if (first[0] === "<") return { type: "string", text: hex(first) };
    if (first[0] === "/") return name(decodedName(first));
    if (/^\d+$/.test(first)) {
      const at = token.lastIndex;
      const match = /^[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+R(?![^\0\t\n\f\r ()<>[\]{}/%])/.exec(text.slice(at, at + 40));
      token.lastIndex = at + (match?.[0].length ?? 0);
      if (match) return reference(Number(first));
    }
    if (first === "true" || first === "false") return first === "true";
    return /^[+-]?[\d.]+$/.test(first) ? Number.parseFloat(first) : null;
  };
  const literal = () => {
    let [result, depth] = ["", 1];
    for (let at = token.lastIndex; at < text.length; at++) {
      const character = text[at] ?? "";
      if (character === "\\") {
        const [, escape = ""] = /^\\([0-7]{1,3}|\r\n|[^])/.exec(text.slice(at, at + 5)) ?? [];
        const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };
        const isEnd = /^[\r\n]/.test(escape);
        result += /^[0-7]/.test(escape)
          ? String.fromCharCode(Number.parseInt(escape, 8) & 255)
          : isEnd
            ? ""
            : (escapes[escape] ?? escape);
        at += escape.length;
        continue;
      }
      if (character === "(") depth++;
      if (character === ")" && --depth === 0) {
        token.lastIndex = at + 1;
        return result;
      }
      result += character;
    }
    throw new PdfError("a string has no end");
  };
  return { value: () => parse(next(), 0), at: () => from + token.lastIndex };
}

function decodedName(token: string): string {
  return token
    .slice(1)
    .replace(/#([\dA-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

function hex(token: string): string {
  const digits = token.replace(/[^\dA-Fa-f]/g, "");
  return Buffer.from(digits.length % 2 ? `${digits}0` : digits, "hex").toString("latin1");
}
