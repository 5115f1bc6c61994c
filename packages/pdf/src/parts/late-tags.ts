// The part of a tag tree that is written last, because headers and footers may add links to it: its top and its index.
import type { PdfWriter } from "../file/pdf-writer.ts";
import { dictionaryOf, name, reference, sourceOf, type PdfDictionary, type PdfValue } from "../syntax/values.ts";

export type LateTags = ReturnType<typeof lateTags>;

type LateObject = { number: number; entries: PdfDictionary };

/** `nextKey` is one more than the last key of the index. */
export function lateTags({ top, index, nextKey }: { top: LateObject; index: LateObject; nextKey: number }) {
  const kids = listOf(top.entries.get("K"));
  const nums = listOf(index.entries.get("Nums"));
  let key = nextKey;
  return {
    /** Tags the link on a page, and returns its key in the index. All are object numbers. */
    addLink(writer: PdfWriter, page: number, annotation: number): number {
      const content = { Type: name("OBJR"), Obj: reference(annotation), Pg: reference(page) };
      const entries = { Type: name("StructElem"), S: name("Link"), P: reference(top.number), K: dictionaryOf(content) };
      const tag = reference(writer.newObject(sourceOf(dictionaryOf(entries))));
      kids.push(tag);
      nums.push(key, tag);
      return key++;
    },
    write(writer: PdfWriter): void {
      writer.addObject(top.number, sourceOf(new Map([...top.entries, ["K", kids]])));
      writer.addObject(index.number, sourceOf(new Map([...index.entries, ["Nums", nums]])));
    },
  };
}

function listOf(value: PdfValue | undefined): PdfValue[] {
  return Array.isArray(value) ? [...value] : value === undefined ? [] : [value];
}
