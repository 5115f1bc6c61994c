// Copies the objects of a finished file into another file. It leaves out those of which a file has one, such as the catalog.
import type { FinishedPdf } from "../file/open-finished-pdf.ts";
import { catalogOf, readPages } from "../file/page-tree.ts";
import type { PdfWriter } from "../file/pdf-writer.ts";
import { isDictionary, isReference, reference, sourceOf, type PdfDictionary, type PdfValue } from "../syntax/values.ts";
import { valueMover, type Used, type ValueMover } from "./moved-values.ts";
import type { SharedNumber } from "./shared-streams.ts";

/** What the end of the other file needs, with the numbers of that file. */
export type CopiedFile = {
  pageCount: number;
  firstPage: PdfValue;
  pageTree: PdfValue;
  /** The number for an entry of the outline, to which the uppermost entries of the file's own outline are children. */
  bookmark: number;
  /** The entries of the roots of the outline and of the structure; empty for a file without them. */
  outline: PdfDictionary;
  structure: PdfDictionary;
};

/** The numbers of the objects that a file has once. */
export const once = { pages: 1, outline: 2, structure: 3, document: 4, info: 5, xmp: 6, catalog: 7 };

export type CopyTarget = { writer: PdfWriter; sharedNumber: SharedNumber };

/**
 * Returns what the end needs, and what is used with this file. Throws `PdfError` if the file is malformed; parts of it may
 * have been written then.
 */
export function copyFile(file: FinishedPdf, before: Used, target: CopyTarget): { copied: CopiedFile; used: Used } {
  const pages = readPages(file);
  const catalog = catalogOf(file);
  const mover = valueMover(file, before);
  const { moved, replaced, used } = mover;
  const bookmark = ++used.object;
  const replace = (value: PdfValue | undefined, number: number | null) =>
    isReference(value) && replaced.set(value.number, number);
  replace(catalog.get("StructTreeRoot"), once.document);
  replace(catalog.get("Outlines"), bookmark);
  for (const key of ["Dests", "Metadata"]) replace(catalog.get(key), null);
  for (const key of ["Root", "Info"]) replace(file.trailer.get(key), null);
  copyStreams(file, mover, target);
  copyObjects(file, mover, target.writer);
  const entriesOf = (key: string): PdfDictionary => {
    const entries = moved(file.resolve(catalog.get(key)));
    return isDictionary(entries) ? entries : new Map();
  };
  const copied = {
    ...{ pageCount: pages.length, bookmark },
    firstPage: moved(reference(pages[0]?.number ?? 0)),
    pageTree: moved(catalog.get("Pages") ?? null),
    outline: entriesOf("Outlines"),
    structure: entriesOf("StructTreeRoot"),
  };
  return { copied, used };
}

/** Copies the streams that the other file does not have yet. */
function copyStreams(file: FinishedPdf, mover: ValueMover, { writer, sharedNumber }: CopyTarget): void {
  const { moved, replaced, offset } = mover;
  const streams = [...file.streams].filter(([object]) => !replaced.has(object));
  // Chromium writes an image before the streams to which it refers. Equal images refer to the same streams.
  for (const [object, { dictionary, data }] of streams.toReversed()) {
    const number = sharedNumber(offset + object, sourceOf(moved(dictionary)), data);
    if (number !== offset + object) replaced.set(object, number);
  }
  for (const [object, { dictionary, data }] of streams) {
    if (replaced.has(object)) continue;
    dictionary.delete("Length");
    writer.addStream(offset + object, sourceOf(moved(dictionary)).slice(2, -2), data);
  }
}

/** Copies all other objects. The roots of trees become nodes of larger trees. */
function copyObjects(file: FinishedPdf, { moved, replaced, offset }: ValueMover, writer: PdfWriter): void {
  const pageTree = catalogOf(file).get("Pages");
  for (let object = 1; object < file.size; object++) {
    const value = replaced.has(object) ? null : moved(file.object(object));
    if (value === null) continue;
    if (isDictionary(value)) {
      const pairs = value.get("Nums") ?? value.get("Names");
      if (Array.isArray(pairs)) value.set("Limits", [pairs[0] ?? null, pairs.at(-2) ?? null]);
      if (isReference(pageTree) && pageTree.number === object) value.set("Parent", reference(once.pages));
    }
    writer.addObject(offset + object, sourceOf(value));
  }
}
