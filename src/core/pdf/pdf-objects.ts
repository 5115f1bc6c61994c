// Reads and extends a PDF as Chromium writes it: with classic cross-reference tables and without object streams. This
// module finds an object through the trailer and the cross-reference table, and does not parse the whole file. Text
// that looks like PDF syntax therefore cannot mislead it.

export type PdfFile = {
  bytes: Uint8Array;
  trailer: string;
  /** The byte offset of the newest cross-reference table. */
  xrefAt: number;
  /** One more than the highest object number. */
  size: number;
  /**
   * Returns the source of an object, without its `obj` and `endobj` lines, as Latin-1. Only for objects that are not
   * streams. Throws when there is no such object.
   */
  object(number: number): string;
};

/** Opens a PDF that Chromium has written. If the bytes are not a PDF, `object` throws. */
export function readPdf(bytes: Uint8Array): PdfFile {
  const tail = latin1(bytes, bytes.length - 2_048, bytes.length);
  const xrefAt = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(tail)?.[1] ?? NaN);
  const trailer = tail.slice(tail.lastIndexOf("trailer"));
  return {
    bytes,
    trailer,
    xrefAt,
    size: referenced(trailer, /\/Size\s+(\d+)/),
    object: (number) => objectAt(bytes, objectOffset(bytes, xrefAt, number)),
  };
}

/**
 * Returns the number that the first group of `pattern` matches, e.g. 303 in `/Root 303 0 R`; NaN when nothing matches.
 */
export function referenced(source: string, pattern: RegExp): number {
  return Number(pattern.exec(source)?.[1] ?? NaN);
}

/**
 * Returns a copy of the file with an update at its end. The update replaces or adds the given objects, and the existing
 * bytes keep their offsets.
 */
export function withObjects(file: PdfFile, objects: Map<number, string>): Uint8Array<ArrayBuffer> {
  if (objects.size === 0) return new Uint8Array(file.bytes);
  let body = "\n";
  const sections: string[] = [];
  for (const [number, source] of objects) {
    const offset = String(file.bytes.length + body.length).padStart(10, "0");
    sections.push(`${number} 1\n${offset} 00000 n \n`);
    body += `${number} 0 obj\n${source}\nendobj\n`;
  }
  const size = Math.max(file.size, ...Array.from(objects.keys(), (number) => number + 1));
  const references = /\/(?:Root|Info)\s+\d+\s+\d+\s+R/g;
  const kept = file.trailer.match(references)?.join("\n") ?? "";
  const xrefAt = file.bytes.length + body.length;
  const trailer = `trailer\n<</Size ${size}\n${kept}\n/Prev ${file.xrefAt}>>\nstartxref\n${xrefAt}\n%%EOF\n`;
  const update = Buffer.from(`${body}xref\n${sections.join("")}${trailer}`, "latin1");
  const updated = new Uint8Array(file.bytes.length + update.length);
  updated.set(file.bytes);
  updated.set(update, file.bytes.length);
  return updated;
}

/** Returns a PDF text string: UTF-16 with a byte order mark, written in hexadecimal so that nothing needs escaping. */
export function pdfText(text: string): string {
  let digits = "FEFF";
  for (let at = 0; at < text.length; at++) digits += text.charCodeAt(at).toString(16).toUpperCase().padStart(4, "0");
  return `<${digits}>`;
}

const entryBytes = 20;

/**
 * Returns the byte offset of an object; NaN when the table has no entry for it. All entries are equally long, so the
 * entry is found without reading the whole table.
 */
function objectOffset(bytes: Uint8Array, xrefAt: number, wanted: number): number {
  for (let at = xrefAt + "xref\n".length; ;) {
    const [header, first, count] = /^\s*(\d+)\s+(\d+)\s*/.exec(latin1(bytes, at, at + 40)) ?? [];
    if (header === undefined) return NaN;
    const index = wanted - Number(first);
    at += header.length;
    if (index >= 0 && index < Number(count))
      return Number(latin1(bytes, at + index * entryBytes, at + index * entryBytes + 10));
    at += Number(count) * entryBytes;
  }
}

function objectAt(bytes: Uint8Array, offset: number): string {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  // Chromium escapes line ends in strings, so a line that begins with `endobj` cannot be part of a string.
  const end = Number.isNaN(offset) ? -1 : file.indexOf("\nendobj", offset);
  if (end < 0) throw new Error("the PDF lacks an object that it refers to");
  return latin1(bytes, offset, end)
    .replace(/^\s*\d+ \d+ obj\s*/, "")
    .trimEnd();
}

/** Decodes each byte as one character, so that positions in the text and in the bytes are the same. */
function latin1(bytes: Uint8Array, from: number, to: number): string {
  return new TextDecoder("latin1").decode(bytes.subarray(Math.max(0, from), to));
}
