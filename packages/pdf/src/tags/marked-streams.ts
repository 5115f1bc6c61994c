// The content streams of a file with marks for everything that they paint: pages, and the forms on them that have tags.
import { deflateSync } from "node:zlib";
import { inflate, streamAt, type PdfFile } from "../file/open-pdf.ts";
import type { Page } from "../file/page-tree.ts";
import { PdfError } from "../syntax/pdf-error.ts";
import { isDictionary, isName, isReference, name, type PdfDictionary } from "../syntax/values.ts";
import { markContent, type ContentMarks } from "./mark-content.ts";

/** A stream that replaces one of the file. */
export type ChangedStream = { dictionary: PdfDictionary; data: Uint8Array };

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

/** Far more than a page of text; a page with drawings may have this much. */
const maxContentBytes = 32_000_000;

/**
 * Returns the changed streams, and the forms with marked content that are painted more than once. `kindOf` says what becomes of marked content of a page or a form, and `tagged` has the forms with marked
 * content.
 */
export function markStreams(
  file: PdfFile,
  pages: readonly Page[],
  { forms, tagged, kindOf }: MarkInput,
): { streams: Map<number, ChangedStream>; repeatedForms: Set<number> } {
  const changed = new Map<number, ChangedStream>();
  const [painted, repeatedForms] = [new Set<number>(), new Set<number>()];
  const hasTags = (form: number): boolean =>
    tagged.has(form) ||
    [...objectsIn(file, forms.get(form) ?? new Map()).values()].some((inner) => forms.has(inner) && hasTags(inner));
  const mark = (place: number, stream: number, resources: PdfDictionary) => {
    const objects = objectsIn(file, resources);
    const hasMarks = (key: string) => {
      const form = objects.get(key) ?? 0;
      if (!forms.has(form) || !hasTags(form)) return false;
      if (painted.has(form)) repeatedForms.add(form);
      painted.add(form);
      return true;
    };
    const marked = markedStream(file, stream, { hasMarks, kindOf: (mcid) => kindOf(place, mcid) });
    // A form with tags has a new key in their tree.
    if (marked ?? tagged.has(stream)) changed.set(stream, marked ?? encodedContent(file, stream));
  };
  for (const { number, dictionary, resources } of pages) {
    const contents = dictionary.get("Contents");
    if (isReference(contents)) mark(number, contents.number, resources);
    else if (contents !== undefined) throw new PdfError("the content of a page is not a single stream");
  }
  for (const [number, resources] of forms) if (hasTags(number)) mark(number, number, resources);
  return { streams: changed, repeatedForms };
}

type MarkInput = {
  forms: ReadonlyMap<number, PdfDictionary>;
  tagged: ReadonlySet<number>;
  kindOf: (place: number, mcid: number) => ReturnType<ContentMarks["kindOf"]>;
};

function markedStream(file: PdfFile, number: number, marks: ContentMarks): ChangedStream | null {
  const { dictionary, bytes } = decodedContent(file, number);
  const marked = markContent(bytes, marks);
  if (!marked) return null;
  dictionary.delete("Length");
  dictionary.set("Filter", name("FlateDecode"));
  return { dictionary, data: deflateSync(marked) };
}

function encodedContent(file: PdfFile, number: number): ChangedStream {
  const extent = file.extent(number);
  if (!extent?.isStream) throw new PdfError("the content of a form is not a stream");
  const { dictionary, data } = streamAt(file, extent);
  dictionary.delete("Length");
  return { dictionary, data };
}

export function decodedContent(file: PdfFile, number: number): { dictionary: PdfDictionary; bytes: Uint8Array } {
  const extent = file.extent(number);
  if (!extent?.isStream) throw new PdfError("the content of a page is not a single stream");
  const { dictionary, data } = streamAt(file, extent);
  const filter = dictionary.get("Filter");
  const isDeflated = isName(filter) && filter.text === "FlateDecode" && !dictionary.has("DecodeParms");
  const bytes = isDeflated ? inflate(data, maxContentBytes) : filter === undefined ? data : null;
  if (!bytes) throw new PdfError("the content of a page cannot be decoded");
  return { dictionary, bytes };
}
