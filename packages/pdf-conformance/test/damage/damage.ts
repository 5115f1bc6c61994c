// Damages PDF files in ways that follow from a seed: their bytes, or their objects and decoded streams, so that compression does not hide
// what is inside from the readers.
import { deflateSync } from "node:zlib";
import { openFinishedPdf } from "colophon-pdf/open-finished-pdf";
import { inflate, openPdf, streamAt, type PdfStream } from "colophon-pdf/open-pdf";
import { entriesSource, isName, isReference, sourceOf, type PdfDictionary } from "colophon-pdf/values";
import { pdfWriter } from "../../../pdf/src/file/pdf-writer.ts";

/** Returns a whole number from 0 to below its argument. */
export type Random = (below: number) => number;

export function randomFrom(seed: number): Random {
  let state = Math.imul(seed + 1, 2_654_435_761) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** `printed` is by Chromium, and `finished` by the assembly. */
export type Stage = "printed" | "finished";

export function damaged(bytes: Uint8Array, stage: Stage, random: Random): Uint8Array {
  if (random(8) === 0) return damagedBytes(Buffer.from(bytes), random);
  const { parts, trailer } = stage === "printed" ? printedParts(bytes) : finishedParts(bytes);
  for (let count = 1 + random(3); count > 0; count--) damageParts(parts, random);
  return stage === "printed" ? writtenPrint(parts, trailer, random) : writtenFile(parts, trailer);
}

/** The source of an object, or of the dictionary of a stream with its decoded data. */
type Part = { source: string; stream: { data: Buffer; encode: (data: Buffer) => Uint8Array } | null };
type Parts = { parts: Map<number, Part>; trailer: PdfDictionary };

function partOf({ dictionary, data }: PdfStream): Part {
  dictionary.delete("Length");
  const filter = dictionary.get("Filter");
  const plain = isName(filter) && filter.text === "FlateDecode" && !dictionary.has("DecodeParms");
  const decoded = plain ? inflate(data, 10_000_000) : null;
  const encode = decoded ? (changed: Buffer) => deflateSync(changed) : (changed: Buffer) => changed;
  return { source: entriesSource(dictionary), stream: { data: Buffer.from(decoded ?? data), encode } };
}

function printedParts(bytes: Uint8Array): Parts {
  const file = openPdf(bytes);
  const parts = new Map<number, Part>();
  for (let number = 1; number < file.size; number++) {
    const extent = file.extent(number);
    if (extent?.isStream) parts.set(number, partOf(streamAt(file, extent)));
    else if (extent) parts.set(number, { source: sourceOf(file.object(number)), stream: null });
  }
  return { parts, trailer: file.trailer };
}

function finishedParts(bytes: Uint8Array): Parts {
  const file = openFinishedPdf(bytes);
  const parts = new Map<number, Part>();
  for (let number = 1; number < file.size; number++) {
    const stream = file.streams.get(number);
    const object = file.object(number);
    if (stream) parts.set(number, partOf({ ...stream, dictionary: new Map(stream.dictionary) }));
    else if (object !== null) parts.set(number, { source: sourceOf(object), stream: null });
  }
  return { parts, trailer: file.trailer };
}

function writtenPrint(parts: ReadonlyMap<number, Part>, trailer: PdfDictionary, random: Random): Uint8Array {
  const size = Math.max(...parts.keys()) + 1;
  const chunks = [Buffer.from("%PDF-1.4\n%\xd3\xeb\xe9\xe1\n", "latin1")];
  const rows = ["0000000000 65535 f \n"];
  let at = chunks[0]?.length ?? 0;
  const add = (text: string | Uint8Array) => {
    const chunk = typeof text === "string" ? Buffer.from(text, "latin1") : Buffer.from(text);
    chunks.push(chunk);
    at += chunk.length;
  };
  for (let number = 1; number < size; number++) {
    const part = parts.get(number);
    rows.push(part ? `${String(at).padStart(10, "0")} 00000 n \n` : "0000000000 00000 f \n");
    if (!part) continue;
    add(`${number} 0 obj\n`);
    if (part.stream) {
      const data = part.stream.encode(part.stream.data);
      const length = random(200) === 0 ? oddNumber(random) : data.length;
      add(`<<${part.source}/Length ${length}>> stream\n`);
      add(data);
      add("\nendstream");
    } else add(part.source);
    add("\nendobj\n");
  }
  const table = `xref\n0 ${size}\n${rows.join("")}trailer\n${sourceOf(trailer)}\nstartxref\n${at}\n%%EOF`;
  return Buffer.concat([...chunks, Buffer.from(table, "latin1")]);
}

function writtenFile(parts: ReadonlyMap<number, Part>, trailer: PdfDictionary): Uint8Array {
  const writer = pdfWriter(Math.max(...parts.keys()) + 1, { hasId: true });
  for (const [number, { source, stream }] of parts) {
    if (stream) writer.addStream(number, source, stream.encode(stream.data));
    else writer.addObject(number, source);
  }
  const [root, info] = [trailer.get("Root"), trailer.get("Info")];
  return writer.finish({ root: isReference(root) ? root.number : 0, info: isReference(info) ? info.number : 0 });
}

function damagedBytes(bytes: Buffer, random: Random): Uint8Array {
  const [from, to] = rangeIn(bytes.length, random, 2_000);
  const [before, range, after] = [bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)];
  const kind = random(4);
  if (kind === 0) return before;
  if (kind === 1) return Buffer.concat([before, after]);
  if (kind === 2) return Buffer.concat([before, range, range, after]);
  return flipped(bytes, random);
}

function flipped(bytes: Buffer, random: Random): Buffer {
  for (let count = 1 + random(5); count > 0 && bytes.length > 0; count--) {
    const at = random(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8));
  }
  return bytes;
}

function rangeIn(length: number, random: Random, most: number): [number, number] {
  const from = random(length);
  return [from, Math.min(length, from + 1 + random(most))];
}

function damageParts(parts: Map<number, Part>, random: Random): void {
  const numbers = [...parts.keys()];
  const pick = () => numbers[random(numbers.length)] ?? 1;
  const number = pick();
  const part = parts.get(number);
  const kind = random(20);
  // The validator reads only the widths in font files, and nothing else of the document is in them.
  if (!part || /\/Length1|Type1C|CIDFontType0C/.test(part.source)) return;
  if (kind === 0) parts.delete(number);
  else if (kind === 1) exchange(parts, number, pick());
  else if (kind === 2) parts.set(pick(), part);
  else if (part.stream && kind === 3) part.stream.encode = (data) => flipped(Buffer.from(deflateSync(data)), random);
  else if (part.stream && kind === 4) part.stream.encode = (data) => data;
  else if (part.stream && kind < 15) part.stream.data = damagedContent(part.stream.data, random);
  else part.source = damagedTokens(part.source, random, pick);
}

function exchange(parts: Map<number, Part>, number: number, other: number): void {
  const [one, two] = [parts.get(number), parts.get(other)];
  if (one && two) parts.set(number, two).set(other, one);
}

function damagedContent(data: Buffer, random: Random): Buffer {
  if (random(10) === 0) return flipped(data, random);
  return Buffer.from(
    damagedTokens(data.toString("latin1"), random, () => random(40)),
    "latin1",
  );
}

const token = /\d+ 0 R|\/[^\s()<>[\]{}/%]*|\((?:\\[^]|[^\\()])*\)|<[0-9A-Fa-f\s]*>|<<|>>|[[\]]|[^\s()<>[\]{}/%]+/g;

/** Changes one token of an object or of a content stream, or a few neighbours. */
function damagedTokens(source: string, random: Random, pick: () => number): string {
  const found = Array.from(source.matchAll(token), ({ index, 0: text }) => ({
    from: index,
    to: index + text.length,
    text,
  }));
  const here = found[random(found.length)];
  if (!here) return snippets[random(snippets.length)] ?? "";
  const replaced = (text: string) => source.slice(0, here.from) + text + source.slice(here.to);
  const kind = random(8);
  if (kind === 0) return replaced(` ${snippets[random(snippets.length)]} ${here.text}`);
  if (kind === 1) return replaced("");
  if (kind === 2) return replaced(found[random(found.length)]?.text ?? "");
  if (kind === 3) {
    const last = found[Math.min(found.length - 1, found.indexOf(here) + random(12))] ?? here;
    const range = source.slice(here.from, last.to);
    return source.slice(0, here.from) + (random(2) ? `${range} ${range}` : "") + source.slice(last.to);
  }
  if (here.text.endsWith(" 0 R")) return replaced(`${pick()} 0 R`);
  if (/^[+-]?[\d.]+$/.test(here.text)) return replaced(oddNumber(random));
  if (here.text.startsWith("/")) return replaced(`/${names[random(names.length)]}`);
  return replaced(snippets[random(snippets.length)] ?? "");
}

function oddNumber(random: Random): string {
  return numbers[random(numbers.length)] ?? "0";
}

const numbers = (
  "0 1 2 3 7 12 -1 -0 .5 1.5 -3.4e38 NaN Infinity 255 256 32767 32768 65535 1000001 2147483647 2147483648 -2147483649 4294967296 " +
  "99999999999999999999 0000000000000000000001 +-1 1e9 --5 0.00000000001"
).split(" ");

const names = (
  "Type S K P Pg Alt ActualText Lang A ID O Table L LI Lbl LBody TR TH TD THead TBody TFoot Figure Formula Link Note Document H H1 H2 H6 " +
  "Span NonStruct Caption Artifact MCID OBJR MCR Obj Stm StructParents StructParent Kids Nums Names Font XObject Resources Form Image " +
  "Contents Annots Parent MediaBox ToUnicode Identity-H Type0 Type3 DeviceCMYK DeviceRGB Pattern SMask Group BM Multiply FlateDecode " +
  "LZWDecode Length Filter RowSpan ColSpan Headers Scope Title x"
).split(" ");

const snippets = [
  "EMC",
  "BMC",
  "/P BMC",
  "/Artifact BMC",
  "/P <</MCID 0>>BDC",
  "/P <</MCID 1>>BDC",
  "/Span <</MCID 999999>>BDC",
  "/P <</MCID 1000000000>>BDC",
  "/Span <</ActualText (x) /Lang (de)>>BDC",
  "/P /MC0 BDC",
  "/P <</MCID 0>>BDC ".repeat(300),
  "EMC ".repeat(50),
  "q",
  "Q",
  "q ".repeat(400),
  "BT",
  "ET",
  "BT 3 Tr ET",
  "(x) Tj",
  "<0001> Tj",
  "[<0001> 9 (x)] TJ",
  "/X0 Do",
  "/X5 Do",
  "/F0 12 Tf",
  "0 0 9 9 re f",
  "0 0 0 1 k",
  "/S sh",
  "BI /W 1 /H 1 ID x EI",
  "1 0 obj",
  "endstream",
  "null",
  "true",
  "()",
  "<FEFF>",
  "(\\xfe\\xff\\xd8)",
  "[",
  "]",
  "<<",
  ">>",
  `${"[".repeat(200)}${"]".repeat(200)}`,
  `${"<</K ".repeat(50)}1${">>".repeat(50)}`,
  "beginbfrange <0000> <FFFF> <0000> endbfrange",
  "beginbfrange <0000> <FFFFFFFF> <0041> endbfrange",
  "beginbfchar <0001> <> endbfchar",
  "<0001> [<0041> <D800>]",
  "/K 7 0 R",
  "/A [<</O /Table /ColSpan 1000000000 /RowSpan 1000000000>>]",
  "/Alt ()",
  "%",
  "(",
];
