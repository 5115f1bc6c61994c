// Copies the objects of a finished file into a different file, except objects that a file contains only once, such as the
// catalog.
import { createHash } from "node:crypto";
import { writtenDestinations } from "../file/destinations.ts";
import type { FinishedPdf } from "../file/open-finished-pdf.ts";
import type { PdfObjects } from "../file/open-pdf.ts";
import { catalogOf, readPages } from "../file/page-tree.ts";
import type { PdfWriter } from "../file/pdf-writer.ts";
import { latin1Bytes } from "../syntax/characters.ts";
import { PdfError } from "../syntax/pdf-error.ts";
import {
  isDictionary,
  isName,
  isReference,
  isString,
  name,
  reference,
  sourceOf,
  type PdfDictionary,
  type PdfValue,
} from "../syntax/values.ts";

/** The values for the end of the other file, with that file's numbers. */
export type CopiedFile = {
  pageCount: number;
  firstPage: PdfValue;
  pageTree: PdfValue;
  /** The `MediaBox` of the last page. */
  lastSize: PdfValue;
  /** The number of the outline entry that becomes the parent of the file's own top-level entries. */
  bookmark: number;
  /** The entries of the roots of the outline and the structure; empty if the file has none. */
  outline: PdfDictionary;
  structure: PdfDictionary;
  /** Null if the file conforms to no standard. */
  outputIntents: PdfValue;
};

/** The numbers of the objects that a file contains only once. */
export const once = { pages: 1, outline: 2, structure: 3, document: 4, info: 5, xmp: 6, catalog: 7 };

export type CopyTarget = { writer: PdfWriter; sharedNumber: SharedNumber };

/**
 * Returns the values for the end of the other file, and the keys and ids in use after this file is added. Throws `PdfError` if the file
 * is malformed, possibly after writing parts of it.
 */
export function copyFile(file: FinishedPdf, before: Used, target: CopyTarget): { copied: CopiedFile; used: Used } {
  const pages = readPages(file);
  const catalog = catalogOf(file);
  const mover = valueMover(file, before, target.writer.reserve(file.size - 1) - 1);
  const { moved, replaced, used } = mover;
  const bookmark = target.writer.newNumber();
  const replace = (value: PdfValue | undefined, number: number | null) =>
    isReference(value) && replaced.set(value.number, number);
  replace(catalog.get("StructTreeRoot"), once.document);
  replace(catalog.get("Outlines"), bookmark);
  for (const key of ["Dests", "Metadata"]) replace(catalog.get(key), null);
  for (const key of ["Root", "Info"]) replace(file.trailer.get(key), null);
  const values = Array.from({ length: file.size }, (_, object) => file.object(object));
  shareStreams(file, mover, values, target.sharedNumber);
  copyStreams(file, mover, target.writer);
  copyObjects(file, mover, values, target.writer);
  const entriesOf = (key: string): PdfDictionary => {
    const entries = moved(file.resolve(catalog.get(key)));
    return isDictionary(entries) ? entries : new Map();
  };
  const copied = {
    pageCount: pages.length,
    bookmark,
    firstPage: moved(reference(pages[0]?.number ?? 0)),
    pageTree: moved(catalog.get("Pages") ?? null),
    lastSize: file.resolve(pages.at(-1)?.dictionary.get("MediaBox")),
    outline: entriesOf("Outlines"),
    structure: entriesOf("StructTreeRoot"),
    outputIntents: moved(catalog.get("OutputIntents") ?? null),
  };
  return { copied, used };
}

/** Redirects references to streams that the other file already contains. Forms refer to fonts, which refer to other streams. */
function shareStreams(file: FinishedPdf, mover: ValueMover, values: PdfValue[], sharedNumber: SharedNumber): void {
  const { moved, replaced, offset } = mover;
  const share = (isForm: boolean) => {
    // Chromium writes an image before the streams that it refers to. Equal images refer to the same streams.
    for (const [object, { dictionary, data }] of [...file.streams].toReversed()) {
      if (replaced.has(object) || dictionary.has("Resources") !== isForm) continue;
      const number = sharedNumber(offset + object, sourceOf(moved(dictionary)), data);
      if (number !== offset + object) replaced.set(object, number);
    }
  };
  share(false);
  shareFonts(values, mover, sharedNumber);
  share(true);
}

function copyStreams(file: FinishedPdf, { moved, replaced, offset }: ValueMover, writer: PdfWriter): void {
  for (const [object, { dictionary, data }] of file.streams) {
    if (replaced.has(object)) continue;
    dictionary.delete("Length");
    writer.addStream(offset + object, sourceOf(moved(dictionary)).slice("<<".length, -">>".length), data);
  }
}

/** Copies all other objects. The roots of trees become nodes of larger trees. */
function copyObjects(file: FinishedPdf, mover: ValueMover, values: PdfValue[], writer: PdfWriter): void {
  const { moved, replaced, offset } = mover;
  const pageTree = catalogOf(file).get("Pages");
  for (const [object, found] of values.entries()) {
    const value = replaced.has(object) ? null : moved(found);
    if (value === null) continue;
    if (isDictionary(value)) {
      const pairs = value.get("Nums") ?? value.get("Names");
      if (Array.isArray(pairs)) value.set("Limits", [pairs[0] ?? null, pairs.at(-2) ?? null]);
      if (isReference(pageTree) && pageTree.number === object) value.set("Parent", reference(once.pages));
    }
    writer.addObject(offset + object, sourceOf(value));
  }
}

/** Redirects references to fonts that the other file already contains. Font files and tables are streams. */
function shareFonts(values: PdfValue[], { moved, replaced, offset }: ValueMover, sharedNumber: SharedNumber): void {
  // A font refers to its descendant, which refers to its descriptor.
  for (const isNext of [isDescriptor, isDescendant, isComposite]) {
    for (const [object, value] of values.entries()) {
      if (replaced.has(object) || !isDictionary(value) || !isNext(value)) continue;
      const number = sharedNumber(offset + object, sourceOf(moved(value)));
      if (number !== offset + object) replaced.set(object, number);
    }
  }
}

const isDescriptor = (value: PdfDictionary) => value.has("FontName");
const isDescendant = (value: PdfDictionary) => value.has("FontDescriptor");
const isComposite = (value: PdfDictionary) => value.has("DescendantFonts");

/**
 * The keys and ids that the other file uses: one more than the highest key for finding structure elements, and the highest number in a
 * structure element's id.
 */
export type Used = { parentKey: number; id: number };

const maxParentKey = 1_000_000_000;
const maxId = 99_999_999;

type ValueMover = ReturnType<typeof valueMover>;

/**
 * Returns a function that moves values into the other file. Object `n` of this file becomes `offset + n`. Values that must be unique
 * in a file continue the numbering of the files before.
 */
function valueMover(file: PdfObjects, before: Used, offset: number) {
  /** By object, the replacement for references to it in the other file; null for none. */
  const replaced = new Map<number, number | null>();
  const used = { ...before };
  const destinations = writtenDestinations(file);
  const referenceTo = (object: number): PdfValue => {
    const number = replaced.get(object);
    // A reference to a missing object must not lead to an object of the next file.
    if (number === null || object >= file.size) return null;
    return reference(number ?? offset + object);
  };
  const parentKey = (key: number): number => {
    if (!(key >= 0 && key <= maxParentKey)) throw new PdfError("a key of a structure element is out of range");
    used.parentKey = Math.max(used.parentKey, before.parentKey + key + 1);
    return before.parentKey + key;
  };
  const idOf = (text: string): string => {
    const number = before.id + Number(/^node(\d{8})$/.exec(text)?.[1] ?? NaN);
    if (!(number <= maxId)) throw new PdfError("an id of a structure element is malformed or out of range");
    used.id = Math.max(used.id, number);
    return `node${String(number).padStart(8, "0")}`;
  };
  /** Files may have destinations with the same names, so links point directly to positions. */
  const placeOf = (destination: string): PdfValue => {
    const place = destinations.get(destination);
    return place ? [referenceTo(place.page), name("XYZ"), place.xPt, place.yPt, 0] : null;
  };
  /** `key` is the value's key in its dictionary. */
  const moved = (value: PdfValue, key = ""): PdfValue => {
    if (isReference(value)) return referenceTo(value.number);
    if (Array.isArray(value) && key === "Dest") throw new PdfError("a merged file cannot be merged again");
    if (Array.isArray(value)) return value.map((item) => moved(item, key));
    if (isDictionary(value)) return new Map(Array.from(value, ([inner, entry]) => [inner, moved(entry, inner)]));
    if (isString(value) && ["ID", "Headers", "Names"].includes(key)) return { ...value, text: idOf(value.text) };
    if (isName(value) && key === "Dest") return placeOf(value.text);
    if (typeof value === "number" && ["StructParents", "StructParent", "Nums"].includes(key)) return parentKey(value);
    return value;
  };
  return { moved, replaced, used, offset };
}

/** Sharing a smaller stream saves little. */
const minBytes = 256;
/** Limits the memory to a few megabytes. Later streams are shared only if they equal an already known stream. */
const maxStreams = 50_000;

/** Returns the number of an equal stream, or of an equal object without data. If there is none, remembers and returns `number`. */
type SharedNumber = (number: number, source: string, data?: Uint8Array) => number;

export function sharedStreams(): SharedNumber {
  const numbers = new Map<string, number>();
  return (number, source, data) => {
    if (data && data.length < minBytes) return number;
    const hash = createHash("sha256").update(latin1Bytes(source));
    const key = (data ? hash.update(data) : hash).digest("base64");
    const existingNumber = numbers.get(key);
    if (existingNumber === undefined && numbers.size < maxStreams) numbers.set(key, number);
    return existingNumber ?? number;
  };
}
