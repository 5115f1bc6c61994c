// Creates the finished PDF from the browser's prints: the body, and the sheets with headers and footers. Adds the outline and the
// metadata, checks the annotations, and writes a small file. The same input gives the same bytes.
import type { FileEncryption } from "./encryption/encryption.ts";
import { readDestinations, type Destination } from "./file/destinations.ts";
import type { ObjectExtent, PdfFile, PdfStream } from "./file/open-pdf.ts";
import { catalogOf, readPages, type Page } from "./file/page-tree.ts";
import { pdfWriter, type PdfWriter } from "./file/pdf-writer.ts";
import { checkPages } from "./parts/annotations.ts";
import { writeAttachments, type AttachedFiles } from "./parts/attachments.ts";
import type { Conformance } from "./parts/conformance.ts";
import { isTemporary, writtenName } from "./parts/destination-names.ts";
import { streamWithoutMetadata } from "./parts/jpeg-metadata.ts";
import type { LateTags } from "./parts/late-tags.ts";
import {
  catalogSource,
  infoSource,
  writtenMetadata,
  xmpPacket,
  type PageLabel,
  type PdfMetadata,
} from "./parts/metadata.ts";
import { addOutline, type Heading } from "./parts/outline.ts";
import { outputIntents } from "./parts/output-intent.ts";
import type { Sheets } from "./parts/sheets.ts";
import { stampWriter } from "./parts/stamps.ts";
import { watermarkWriter } from "./parts/watermark.ts";
import { latin1 } from "./syntax/characters.ts";
import { PdfError } from "./syntax/pdf-error.ts";
import {
  entriesSource,
  isReference,
  nameSource,
  numberSource,
  sourceOf,
  type PdfDictionary,
  isDictionary,
  isString,
  type PdfValue,
} from "./syntax/values.ts";

export type SheetsInput = {
  /** Null for a document without headers and footers. */
  sheets: Sheets | null;
  metadata: PdfMetadata;
  /** The headings for the outline. Headings without a destination in the body are left out. */
  headings: Heading[];
  /** The first label is for the first page. Without labels, viewers number the pages. */
  labels?: readonly PageLabel[];
  /** Whether each page is blank, so that its content is left out; empty if none is. */
  isBlank?: readonly boolean[];
  /** Whether each page gets the watermark of test documents. */
  isTest?: boolean | undefined;
  attached?: AttachedFiles | undefined;
};

export type AssemblyInput = {
  body: PdfFile;
  /** What is written instead of the body; see `colophon-pdf-conformance`. */
  corrected?: CorrectedBody | null | undefined;
  conformance?: readonly Conformance[];
  encryption?: FileEncryption | null;
};

/** `file` is the body with different objects, and `streams` replace its streams. `late` is null if the tags stay as they are. */
export type CorrectedBody = { file: PdfFile; late: LateTags | null; streams: ReadonlyMap<number, PdfStream> };

/** A file whose body is complete except for its pages. `finish` may be called only once. */
export type Assembly = ReturnType<typeof startAssembly>;

/**
 * Does all work that does not need the sheets, so that it can run while the browser prints them. Both steps throw `PdfError` if
 * a file is malformed. With `conformance`, the file gets what PDF/A requires of every file; its content may still violate it, see
 * `colophon-pdf-conformance`.
 */
export function startAssembly({ body, corrected, conformance = [], encryption = null }: AssemblyInput) {
  const { file, late, streams } = corrected ?? { file: body, late: null, streams: new Map<number, PdfStream>() };
  const pages = readPages(file);
  // A stream with other marks no longer looks as Chromium writes it.
  const kept = Array.from(readDestinations(body, pages)).filter(([name]) => !isTemporary(name));
  /** By their names in the finished file. */
  const destinations = new Map(kept.map(([name, destination]) => [writtenName(name), destination]));
  const writer = pdfWriter(file.size, { hasId: conformance.length > 0, encryption });
  const checked = checkPages(file, pages);
  copyBody(writer, file, pages, { annotations: checked.annotations, streams });
  return {
    /** `removedLinks` is the number of links whose target was removed because it is not allowed. */
    finish({ sheets, metadata, headings, labels = [], isBlank = [], isTest = false, attached = {} }: SheetsInput) {
      if (sheets && sheets.ofPage.length !== pages.length)
        throw new PdfError("the body has a different number of pages than the sheets are for");
      const stamps = sheets && stampWriter({ writer, body: file, sheets, destinations, tags: late });
      const marked = isTest ? watermarkWriter(writer, file) : null;
      for (const [index, page] of pages.entries()) {
        let dictionary = checked.dictionaries[index] ?? page.dictionary;
        if (isBlank[index]) dictionary = emptied(dictionary);
        if (stamps) dictionary = stamps.stamped({ ...page, dictionary }, index);
        if (marked) dictionary = marked({ ...page, dictionary });
        writer.addObject(page.number, sourceOf(dictionary));
      }
      late?.write(writer);
      const places = kept.length > 0 ? writer.newObject(destinationsSource(destinations, pages)) : null;
      const written = { ...writtenMetadata(body, metadata, conformance), einvoice: attached.einvoice };
      const info = writer.newObject(infoSource(written));
      const outline = addOutline(writer, headings, destinations);
      const xmp = writer.newNumber();
      writer.addMetadata(xmp, xmpPacket(written));
      const intents = conformance.length > 0 ? outputIntents(writer) : null;
      const files = writeAttachments(writer, attached, metadata.createdAt);
      const parts = { outline, xmp, destinations: places, labels, intents, attached: files };
      const root = writer.newCatalog(catalogSource(file, written, parts));
      return { bytes: writer.finish({ root, info }), removedLinks: checked.removedLinks + (stamps?.removedLinks ?? 0) };
    },
  };
}

/** `annotations` are the checked ones, and `streams` replace those of the body. */
type CopiedParts = {
  annotations: ReadonlyMap<number, PdfDictionary | null>;
  streams: ReadonlyMap<number, PdfStream>;
};

/**
 * Copies the objects of the body under their own numbers, except its pages. The document information, the catalog and the
 * destinations are left out, because new ones replace them.
 */
function copyBody(writer: PdfWriter, body: PdfFile, pages: Page[], { annotations, streams }: CopiedParts): void {
  const { renamed, tableObjects, tableSource } = nodeNames(body);
  const omitted = new Set([...pages.map((page) => page.number), ...replacedObjects(body), ...tableObjects]);
  const copyObject = (number: number) => {
    const extent = body.extent(number);
    if (extent?.isStream) copyStream(writer, body, number, extent);
    else if (extent) writer.addObject(number, renamed(latin1(body.bytes, extent.sourceFrom, extent.sourceTo)));
  };
  for (let number = 1; number < body.size; number++) {
    const annotation = annotations.get(number);
    const changed = body.changed.get(number);
    const stream = streams.get(number);
    if (omitted.has(number) || annotation === null || changed === null) continue;
    else if (annotation) writer.addObject(number, sourceOf(annotation));
    else if (stream) writer.addStream(number, entriesSource(stream.dictionary), stream.data);
    else if (changed !== undefined) writer.addObject(number, sourceOf(changed));
    else copyObject(number);
  }
  const [root] = tableObjects;
  if (root !== undefined) writer.addObject(root, tableSource());
}

/** The dictionary of an image is shorter. */
const dictionaryBytes = 400;

function copyStream(writer: PdfWriter, body: PdfFile, number: number, extent: ObjectExtent): void {
  const { sourceFrom, sourceTo } = extent;
  const beginning = latin1(body.bytes, sourceFrom, Math.min(sourceTo, sourceFrom + dictionaryBytes));
  const isJpeg = beginning.includes("/DCTDecode");
  if (!isJpeg && !writer.encryption) return writer.addStreamSource(number, body.bytes.subarray(extent.from, extent.to));
  const { dictionary, data } = streamWithoutMetadata(body, extent);
  dictionary.delete("Length");
  writer.addStream(number, entriesSource(dictionary), data);
}

function replacedObjects(body: PdfFile): number[] {
  const { trailer } = body;
  const values = [trailer.get("Root"), trailer.get("Info"), catalogOf(body).get("Dests")];
  return values.filter(isReference).map(({ number }) => number);
}

function emptied(page: PdfDictionary): PdfDictionary {
  const kept = Array.from(page).filter(([key]) => /^(?:Type|Parent|MediaBox)$/.test(key));
  return new Map(kept).set("Resources", new Map());
}

/** Returns the dictionary of the destinations, sorted by name, because Chromium writes them in any order. */
function destinationsSource(destinations: Map<string, Destination>, pages: Page[]): string {
  const names = [...destinations.keys()].sort();
  const entries = names.map((name) => {
    const { page, xPt, yPt } = destinations.get(name) ?? { page: 0, xPt: 0, yPt: 0 };
    const [x, y] = [xPt, yPt].map((points) => numberSource(Math.round(points * 1_000) / 1_000));
    return `${nameSource(name)}[${pages[page]?.number} 0 R/XYZ ${x} ${y} 0]`;
  });
  return `<<${entries.join("")}>>`;
}

/** A string with a node's name. In all other strings, Chromium escapes the brackets. */
const nodeName = /\(node\d{8}\)/g;

/**
 * Renames the nodes of the tag tree, so that the bytes of a file depend only on the document: Chromium numbers nodes with a counter that
 * continues for the life of the browser, and not always in document order.
 */
function nodeNames(body: PdfFile) {
  const names = new Map<string, string>();
  const nameOf = (name: string): string => {
    const newName = names.get(name) ?? `(node${String(names.size + 1).padStart(8, "0")})`;
    names.set(name, newName);
    return newName;
  };
  const { root, leaves } = tableOf(body);
  return {
    /** Returns the source of an object with the new names. A node is named when it first occurs. */
    renamed: (source: string) =>
      source.replace(nodeName, (name, at: number) => (isInPlace(source, at) ? nameOf(name) : name)),
    /** The numbers of the objects that map names to nodes, the root first; empty if there are none. */
    tableObjects: root === null ? [] : [root, ...leaves],
    /** Returns the source of a new root that replaces these objects, with its names sorted. */
    tableSource() {
      const entries = leaves.flatMap((leaf) => entriesOf(body.object(leaf)));
      const renamed = entries.map(([name, node]) => `${nameOf(`(${name})`)}${sourceOf(node)}`);
      return `<</Names[${renamed.sort().join("")}]>>`;
    },
  };
}

/** Node names follow the key `ID`, or are in arrays, alone or between references. Alternative texts may look like names. */
function isInPlace(source: string, at: number): boolean {
  const before = source[at - 1] === " " ? at - 2 : at - 1;
  return "[)R".includes(source[before] ?? "?") || source.endsWith("/ID", before + 1);
}

function tableOf(body: PdfFile): { root: number | null; leaves: number[] } {
  const tree = body.resolve(catalogOf(body).get("StructTreeRoot"));
  const root = isDictionary(tree) ? tree.get("IDTree") : null;
  if (!isReference(root)) return { root: null, leaves: [] };
  const table = body.resolve(root);
  const kids = isDictionary(table) ? table.get("Kids") : null;
  if (!Array.isArray(kids)) throw new PdfError("the node table is malformed");
  return { root: root.number, leaves: kids.filter(isReference).map(({ number }) => number) };
}

/** Returns a table leaf's names and the nodes with these names. */
function entriesOf(leaf: PdfValue): [string, PdfValue][] {
  const names = isDictionary(leaf) ? leaf.get("Names") : null;
  if (!Array.isArray(names)) throw new PdfError("the node table is malformed");
  return names.flatMap((name, at): [string, PdfValue][] =>
    isString(name) ? [[name.text, names[at + 1] ?? null]] : [],
  );
}
