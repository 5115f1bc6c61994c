// The content streams of a file with marks for everything that they paint: pages, and the forms on them that have tags.
import { deflateSync } from "node:zlib";
import { streamAt, type PdfFile, type PdfStream } from "colophon-pdf/open-pdf";
import type { Page } from "colophon-pdf/page-tree";
import { PdfError } from "colophon-pdf/pdf-error";
import { isDictionary, isName, isReference, name, reference, type PdfDictionary } from "colophon-pdf/values";
import { decodedContent } from "./decoded-content.ts";
import type { FontsOf } from "./font-texts.ts";
import { markContent, type ContentMarks } from "./mark-content.ts";
import { orderRuns } from "./order-runs.ts";

/** Returns the numbers of the forms that pages paint, and of the forms inside these. Masks and patterns paint no content. */
export function paintedForms(file: PdfFile, pages: readonly Page[]): Map<number, PdfDictionary> {
  const forms = new Map<number, PdfDictionary>();
  const collect = (resources: PdfDictionary) => {
    for (const number of objectsIn(file, resources).values()) {
      const extent = forms.has(number) ? null : file.extent(number);
      const { dictionary = null } = extent?.isStream ? streamAt(file, extent) : {};
      const subtype = dictionary?.get("Subtype");
      if (!dictionary || !isName(subtype) || subtype.text !== "Form") continue;
      const inner = file.resolve(dictionary.get("Resources"));
      forms.set(number, isDictionary(inner) ? inner : new Map());
      if (isDictionary(inner)) collect(inner);
    }
  };
  for (const { resources } of pages) collect(resources);
  return forms;
}

/** Returns the numbers of the objects that a page or a form can paint, by their names. */
export function objectsIn(file: PdfFile, resources: PdfDictionary): Map<string, number> {
  const objects = file.resolve(resources.get("XObject"));
  return new Map(
    Array.from(isDictionary(objects) ? objects : [], ([key, value]) => [key, isReference(value) ? value.number : 0]),
  );
}

/** Returns the form and all forms that it paints. */
export function formsInside(file: PdfFile, forms: PaintedForms, form: number): Set<number> {
  const inside = new Set([form]);
  // The set grows while its entries are read, and the iteration includes the new entries.
  for (const outer of inside)
    for (const inner of objectsIn(file, forms.get(outer) ?? new Map()).values())
      if (forms.has(inner)) inside.add(inner);
  return inside;
}

/** The resources of forms by number. */
export type PaintedForms = ReadonlyMap<number, PdfDictionary>;

/** `streams` replace those of the file or have new numbers, and `resources` replace those of pages. */
export type MarkedStreams = {
  streams: Map<number, PdfStream>;
  resources: Map<number, PdfDictionary>;
  size: number;
};

type StreamMarks = Omit<ContentMarks, "formOf" | "fontOf">;

const untagged: StreamMarks = { kindOf: () => "artifact", blockOf: () => undefined, texts: new Map() };

type MarkInput = {
  forms: PaintedForms;
  /** The forms with marked content. */
  tagged: ReadonlySet<number>;
  fontsOf: FontsOf;
  /** Returns the marks of a page or a form. */
  marksOf: (place: number) => StreamMarks;
};

/**
 * Marks the content of pages and forms. If a form with tags is painted more than once, for example with a mask and with its inversion, the
 * later ones become a copy without tags.
 */
export function markStreams(
  file: PdfFile,
  pages: readonly Page[],
  { forms, tagged, fontsOf, marksOf }: MarkInput,
): MarkedStreams {
  const marked: MarkedStreams = { streams: new Map(), resources: new Map(), size: file.size };
  const hasTags = (form: number) => [...formsInside(file, forms, form)].some((inner) => tagged.has(inner));
  const withTags = new Set([...forms.keys()].filter(hasTags));
  const painted = new Set<number>();
  const copies = new Map<number, number>();
  /** Returns the changed stream, if it must change, and its resources, if it paints copies. */
  const mark = (stream: number, resources: PdfDictionary, marks: StreamMarks, isCopy = false) => {
    const objects = objectsIn(file, resources);
    const added: PdfDictionary = new Map();
    const formOf: ContentMarks["formOf"] = (key) => {
      const form = objects.get(key) ?? 0;
      if (!withTags.has(form)) return { kind: "untagged", name: key };
      if (!isCopy && !painted.has(form)) {
        painted.add(form);
        return { kind: "tagged" };
      }
      const copy = { kind: "untagged", name: `${key}Copy` } as const;
      added.set(copy.name, reference(copyOf(form)));
      return copy;
    };
    const changed = markedStream(file, stream, { formOf, fontOf: fontsOf(resources), ...marks });
    return { changed, resources: added.size > 0 ? withObjects(file, resources, added) : null };
  };
  const markForm = (form: number, marks: StreamMarks, isCopy = false): PdfStream | null => {
    const { changed, resources } = mark(form, forms.get(form) ?? new Map(), marks, isCopy);
    // A form with tags has a new key in their tree.
    const stream = changed ?? (tagged.has(form) ? encodedContent(file, form) : null);
    if (isCopy) stream?.dictionary.delete("StructParents");
    if (resources) stream?.dictionary.set("Resources", resources);
    return stream;
  };
  const copyOf = (form: number): number => {
    const number = copies.get(form) ?? marked.size++;
    if (copies.has(form)) return number;
    copies.set(form, number);
    marked.streams.set(number, markForm(form, untagged, true) ?? encodedContent(file, form));
    return number;
  };
  for (const { number, dictionary, resources } of pages) {
    const contents = dictionary.get("Contents");
    if (contents === undefined) continue;
    if (!isReference(contents)) throw new PdfError("the content of a page is not a single stream");
    const page = mark(contents.number, resources, marksOf(number));
    if (page.changed) marked.streams.set(contents.number, page.changed);
    if (page.resources) marked.resources.set(number, page.resources);
  }
  for (const form of withTags) {
    const stream = markForm(form, marksOf(form));
    if (stream) marked.streams.set(form, stream);
  }
  return marked;
}

function withObjects(file: PdfFile, resources: PdfDictionary, added: PdfDictionary): PdfDictionary {
  const objects = file.resolve(resources.get("XObject"));
  return new Map([...resources, ["XObject", new Map([...(isDictionary(objects) ? objects : []), ...added])]]);
}

function markedStream(file: PdfFile, number: number, marks: ContentMarks): PdfStream | null {
  const { dictionary, bytes } = decodedContent(file, number);
  const ordered = orderRuns(bytes);
  const marked = markContent(ordered, marks) ?? (ordered === bytes ? null : ordered);
  if (!marked) return null;
  dictionary.delete("Length");
  dictionary.set("Filter", name("FlateDecode"));
  return { dictionary, data: deflateSync(marked, { level }) };
}

/** The default level of 6 takes three times as long, for a tenth less. */
const level = 3;

function encodedContent(file: PdfFile, number: number): PdfStream {
  const extent = file.extent(number);
  if (!extent?.isStream) throw new PdfError("the content of a form is not a stream");
  const { dictionary, data } = streamAt(file, extent);
  dictionary.delete("Length");
  return { dictionary, data };
}
