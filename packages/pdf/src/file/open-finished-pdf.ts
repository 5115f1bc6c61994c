// Opens a PDF that `pdfWriter` wrote: with one compressed cross-reference table, and with all objects except streams in object
// streams. It reads all streams immediately, so it suits callers that need every object.
import { latin1, skipSpace, standsAt } from "../syntax/characters.ts";
import { parseValue, type Source } from "../syntax/parse-value.ts";
import { PdfError } from "../syntax/pdf-error.ts";
import { isDictionary, isReference, sourceOf, type PdfValue } from "../syntax/values.ts";
import { inflate, parseWhole, tableOffset, type PdfObjects, type PdfStream } from "./open-pdf.ts";
import { readOffsets, rowBytes } from "./pdf-writer.ts";

/** `streams` contains the encoded streams by number, except object streams and the cross-reference table. */
export type FinishedPdf = PdfObjects & { streams: Map<number, PdfStream> };

/** Far more than a file of 2,000 pages needs. Both limits bound the memory that a small file can demand. */
const maxObjects = 2_000_000;
const maxObjectBytes = 100_000_000;

/** Throws `PdfError` if the bytes are not a file of this kind. */
export function openFinishedPdf(bytes: Uint8Array): FinishedPdf {
  const table = streamAt(bytes, tableOffset(bytes));
  const offsets = readOffsets(inflated(table, maxObjects * (1 + rowBytes)));
  const sources = new Map<number, Source>();
  const streams = new Map<number, PdfStream>();
  let bytesLeft = maxObjectBytes;
  for (const [number, offset] of offsets.entries()) {
    if (offset === 0) continue;
    const stream = streamAt(bytes, offset, number);
    const type = sourceOf(stream.dictionary.get("Type") ?? null);
    if (type === "/ObjStm") bytesLeft -= addSources(sources, stream, inflated(stream, bytesLeft));
    else if (type !== "/XRef") streams.set(number, stream);
  }
  const object = (number: number): PdfValue => {
    const source = sources.get(number);
    return source ? parseWhole(source.bytes, source.at, source.end) : null;
  };
  const resolve = (value: PdfValue | undefined) => (isReference(value) ? object(value.number) : (value ?? null));
  return { trailer: table.dictionary, size: offsets.length, streams, object, resolve };
}

/** Reads the stream at an offset. Its dictionary gives its length. */
function streamAt(bytes: Uint8Array, at: number, number?: number): PdfStream {
  const [header, found] = /^(\d{1,10}) 0 obj\n/.exec(latin1(bytes, at, Math.min(at + 20, bytes.length))) ?? [];
  if (header === undefined || (number !== undefined && number !== Number(found)))
    throw new PdfError("a stream is not at the position in the cross-reference table");
  const source = { bytes, at: at + header.length, end: bytes.length };
  const dictionary = parseValue(source);
  const [beginning, end] = ["stream\n", "\nendstream\nendobj\n"];
  const from = skipSpace(bytes, source.at, bytes.length) + beginning.length;
  const length = isDictionary(dictionary) ? dictionary.get("Length") : null;
  const isWhole = standsAt(bytes, from - beginning.length, beginning) && standsAt(bytes, from + Number(length), end);
  if (!isDictionary(dictionary) || typeof length !== "number" || !isWhole)
    throw new PdfError("the length of a stream differs from its dictionary");
  return { dictionary, data: bytes.subarray(from, from + length) };
}

function inflated({ data }: PdfStream, maxBytes: number): Uint8Array {
  const bytes = inflate(data, maxBytes);
  if (!bytes) throw new PdfError("a stream with objects is malformed or too large");
  return bytes;
}

/**
 * Adds the objects of an object stream, which begins with the number and offset of each object. Returns the size of the stream.
 */
function addSources(sources: Map<number, Source>, { dictionary }: PdfStream, bytes: Uint8Array): number {
  const first = Number(dictionary.get("First"));
  const header = latin1(bytes, 0, Math.min(first, bytes.length)).trimEnd().split(" ").map(Number);
  for (let at = 0; at < header.length; at += 2) {
    const [number = NaN, offset = NaN, , next = bytes.length - first] = header.slice(at, at + 4);
    sources.set(number, { bytes, at: first + offset, end: first + next });
  }
  return bytes.length;
}
