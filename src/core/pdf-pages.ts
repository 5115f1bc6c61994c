// Counts the pages of a PDF as Chromium writes it (classic cross-reference table, no object streams), by following
// trailer -> catalog -> page tree, so that text which looks like PDF syntax cannot mislead.

/** The number of pages; throws when the bytes are no such PDF. */
export function pdfPageCount(pdf: Uint8Array): number {
  // Latin-1 keeps one character a byte, so offsets in the text are offsets in the file.
  const text = (from: number, to: number) => new TextDecoder("latin1").decode(pdf.subarray(from, to));
  const tail = text(Math.max(0, pdf.length - 2_048), pdf.length);
  const xrefAt = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(tail)?.[1] ?? NaN);
  const root = /\/Root\s+(\d+)\s+\d+\s+R/.exec(tail.slice(tail.lastIndexOf("trailer")))?.[1];
  const offsets = xrefOffsets(text(xrefAt, pdf.length));
  const object = (number: string | undefined) => {
    const offset = offsets.get(Number(number));
    if (offset === undefined) throw new Error("the PDF's page tree cannot be found");
    return text(offset, offset + 4_096).split("endobj")[0] ?? "";
  };
  const pages = /\/Pages\s+(\d+)\s+\d+\s+R/.exec(object(root))?.[1];
  const count = /\/Count\s+(\d+)/.exec(object(pages))?.[1];
  if (count === undefined) throw new Error("the PDF's page tree has no count");
  return Number(count);
}

/** Object number to byte offset, from a cross-reference table of one or more sections. */
function xrefOffsets(table: string): Map<number, number> {
  const offsets = new Map<number, number>();
  const lines = table.split(/\r?\n|\r/);
  let number = 0;
  for (const line of lines.slice(1)) {
    const [first, second, kind] = line.trim().split(/\s+/);
    if (first === "trailer") break;
    if (kind === "n") offsets.set(number, Number(first));
    if (kind !== undefined) number++;
    else if (second !== undefined) number = Number(first);
  }
  return offsets;
}
