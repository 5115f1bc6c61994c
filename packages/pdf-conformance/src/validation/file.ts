// The finished file as the rules see it.
import type { FinishedPdf } from "colophon-pdf/open-finished-pdf";
import { inflate } from "colophon-pdf/open-pdf";
import { isDictionary, isName, isReference, type PdfDictionary, type PdfValue } from "colophon-pdf/values";

/** Far more than a page has. */
const maxBytes = 100_000_000;

export type Stream = { number: number; dictionary: PdfDictionary; data: Uint8Array };

/** Returns the stream to which a reference leads; null if there is none. */
export function streamOf({ streams }: FinishedPdf, value: PdfValue | undefined): Stream | null {
  const stream = isReference(value) ? streams.get(value.number) : undefined;
  return stream && isReference(value) ? { number: value.number, ...stream } : null;
}

/** Returns the decoded data; null if it has a filter other than Flate, or is malformed. */
export function decoded(file: FinishedPdf, { dictionary, data }: Stream): Uint8Array | null {
  const filters = listOf(file, dictionary.get("Filter")).map(textOf);
  if (filters.length === 0) return data;
  return filters.length === 1 && filters[0] === "FlateDecode" && !dictionary.has("DecodeParms")
    ? inflate(data, maxBytes)
    : null;
}

/** Returns an array itself, a single value as an array, and no value as an empty one. */
export function listOf(file: FinishedPdf, value: PdfValue | undefined): PdfValue[] {
  const resolved = file.resolve(value);
  return Array.isArray(resolved) ? resolved : resolved === null ? [] : [resolved];
}

/** Returns the dictionary, of a stream too; an empty one if there is none. */
export function dictionaryAt(file: FinishedPdf, value: PdfValue | undefined): PdfDictionary {
  const resolved = streamOf(file, value)?.dictionary ?? file.resolve(value);
  return isDictionary(resolved) ? resolved : new Map();
}

/** Returns a name without its slash; an empty string for anything else. */
export function textOf(value: PdfValue | undefined): string {
  return isName(value) ? value.text : "";
}

/** Decodes a text string; its bytes are characters, or UTF-16 after a byte order mark. */
export function readableText(text: string): string {
  return text.startsWith("\xfe\xff") ? Buffer.from(text.slice(2), "latin1").swap16().toString("utf16le") : text;
}
