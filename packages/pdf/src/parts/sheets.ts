// Places the pages of a second PDF on the pages of the body: headers and footers that the browser has laid out as full pages,
// called sheets. A sheet becomes a form that any number of pages can show. Its content is not decoded.
import type { PdfFile, PdfStream } from "../file/open-pdf.ts";
import { contentStream, readPages, type Box, type Page } from "../file/page-tree.ts";
import type { PdfWriter } from "../file/pdf-writer.ts";
import { PdfError } from "../syntax/pdf-error.ts";
import {
  dictionaryOf,
  entriesSource,
  isDictionary,
  isReference,
  name,
  reference,
  sourceOf,
  type PdfDictionary,
  type PdfValue,
} from "../syntax/values.ts";
import { checkedAnnotations } from "./annotations.ts";
import { streamWithoutMetadata } from "./jpeg-metadata.ts";
import type { SheetPart } from "./unstack-sheets.ts";

export type Sheets = {
  file: PdfFile;
  /** The index of each body page's sheet, or null. */
  ofPage: (number | null)[];
  /** Where the sheets are; null if each page of the file is one sheet. */
  parts: SheetPart[] | null;
  /** They replace those of the file. */
  streams?: ReadonlyMap<number, PdfStream>;
};

/** A sheet in the new file. */
export type SheetForm = {
  /** The object number of the form. */
  number: number;
  box: Box;
  /** The links of the sheet, as in the sheets' file. */
  links: PdfDictionary[];
  removedLinks: number;
};

/** Writes the sheets in use and everything they refer to, with new numbers. Returns the forms by sheet index. */
export function writeSheets(
  writer: PdfWriter,
  { file, ofPage, parts, streams = new Map() }: Sheets,
): Map<number, SheetForm> {
  const pages = readPages(file);
  const forms = new Map<number, SheetForm>();
  const { renumber, writeAll } = objectImporter(writer, file, streams);
  /** Sheets from the same page share its resources, which are one object. */
  const shared = new Map<Page, PdfValue>();
  const sharedResources = (page: Page): PdfValue => {
    const sharedResources = shared.get(page);
    if (sharedResources !== undefined) return sharedResources;
    const resources = reference(writer.newObject(sourceOf(renumbered(page.resources, renumber))));
    shared.set(page, resources);
    return resources;
  };
  for (const index of ofPage) {
    if (index === null || forms.has(index)) continue;
    const { page: pageIndex, cut } = parts ? (parts[index] ?? noPart) : { page: index, cut: null };
    const page = pages[pageIndex];
    if (!page) throw new PdfError("a page needs a sheet that was not printed");
    const number = writer.newNumber();
    const box = cut?.box ?? page.box;
    const resources = cut ? sharedResources(page) : renumbered(page.resources, renumber);
    const { dictionary, data } = cut ? { dictionary: deflated, data: cut.content } : contentOf(file, page);
    const filters: PdfDictionary = new Map();
    for (const key of ["Filter", "DecodeParms"]) {
      const value = dictionary.get(key);
      if (value !== undefined) filters.set(key, renumbered(value, renumber));
    }
    writer.addStream(number, formEntries(box, resources, filters), data);
    forms.set(index, { number, box, ...linksOf(file, page) });
  }
  writeAll();
  return forms;
}

const noPart: SheetPart = { page: -1, cut: null };
const deflated = dictionaryOf({ Filter: name("FlateDecode") });

type Renumber = (number: number) => number | null;

function formEntries({ left, bottom, right, top }: Box, resources: PdfValue, filters: PdfDictionary): string {
  const entries = {
    Type: name("XObject"),
    Subtype: name("Form"),
    BBox: [left, bottom, right, top],
    Resources: resources,
  };
  return entriesSource(new Map([...dictionaryOf(entries), ...filters]));
}

function contentOf(file: PdfFile, page: Page): PdfStream {
  const content = contentStream(file, page);
  if (content) return content;
  if (page.dictionary.has("Contents")) throw new PdfError("the content of a sheet is not a single stream");
  return { dictionary: new Map(), data: new Uint8Array() };
}

/** Returns the sheet's link annotations without their forbidden entries. */
function linksOf(file: PdfFile, page: Page): Pick<SheetForm, "links" | "removedLinks"> {
  const annotations = checkedAnnotations(file, page);
  const links = annotations.map(({ dictionary }) => dictionary).filter((link) => link.has("A") || link.has("Dest"));
  return { links, removedLinks: annotations.filter(({ isLinkRemoved }) => isLinkRemoved).length };
}

/** Assigns new numbers to objects when they are referenced, and writes these objects at the end. */
function objectImporter(writer: PdfWriter, file: PdfFile, streams: ReadonlyMap<number, PdfStream>) {
  const numbers = new Map<number, number>();
  const renumber: Renumber = (number) => {
    const existingNumber = numbers.get(number);
    if (existingNumber !== undefined) return existingNumber;
    if (file.extent(number) === null) return null;
    const assigned = writer.newNumber();
    numbers.set(number, assigned);
    return assigned;
  };
  const writeAll = () => {
    // The map grows while its entries are written, and the iteration includes the new entries.
    for (const [old, number] of numbers) {
      const extent = file.extent(old);
      if (!extent) continue;
      if (extent.isStream) {
        const { dictionary, data } = streams.get(old) ?? streamWithoutMetadata(file, extent);
        dictionary.delete("Length");
        writer.addStream(number, entriesSource(renumbered(dictionary, renumber)), data);
      } else writer.addObject(number, sourceOf(renumbered(file.object(old), renumber)));
    }
  };
  return { renumber, writeAll };
}

function renumbered(value: PdfDictionary, renumber: Renumber): PdfDictionary;
function renumbered(value: PdfValue, renumber: Renumber): PdfValue;
function renumbered(value: PdfValue, renumber: Renumber): PdfValue {
  if (Array.isArray(value)) return value.map((item) => renumbered(item, renumber));
  if (isDictionary(value)) return new Map(Array.from(value, ([key, entry]) => [key, renumbered(entry, renumber)]));
  if (!isReference(value)) return value;
  const number = renumber(value.number);
  return number === null ? null : reference(number);
}
