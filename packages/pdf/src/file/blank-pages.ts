// Inserts blank pages into a printed file.
import { PdfError } from "../syntax/pdf-error.ts";
import { dictionaryOf, isDictionary, isReference, name, reference, type PdfValue } from "../syntax/values.ts";
import type { PdfFile } from "./open-pdf.ts";
import { catalogOf, readPages } from "./page-tree.ts";

/**
 * Returns the file with a blank page before each page in `before`, whose indexes are in ascending order. A blank page has the size of the
 * page on the other side of its sheet of paper. The bytes do not change.
 */
export function insertBlankPages(file: PdfFile, before: readonly number[]): PdfFile {
  const sizes = readPages(file).map(({ dictionary }) => dictionary.get("MediaBox") ?? null);
  const changed = new Map(file.changed);
  let size = file.size;
  let index = 0;
  /** Returns the node and the number of pages in it. A page may get a blank page before it. */
  const inserted = (node: PdfValue, parent: PdfValue): { nodes: PdfValue[]; count: number } => {
    const dictionary = file.resolve(node);
    if (!isReference(node) || !isDictionary(dictionary)) throw new PdfError("the page tree is malformed");
    const kids = dictionary.get("Kids");
    if (Array.isArray(kids)) {
      const parts = kids.map((kid) => inserted(kid, node));
      const count = parts.reduce((sum, part) => sum + part.count, 0);
      changed.set(
        node.number,
        new Map([...dictionary, ["Kids", parts.flatMap(({ nodes }) => nodes)], ["Count", count]]),
      );
      return { nodes: [node], count };
    }
    const blanks = before.indexOf(index);
    const next = index++;
    if (blanks < 0) return { nodes: [node], count: 1 };
    const isBack = (next + blanks) % 2 === 1;
    const blank = { Type: name("Page"), Parent: parent, MediaBox: sizes[isBack ? next - 1 : next] ?? null };
    changed.set(size, dictionaryOf({ ...blank, Resources: new Map() }));
    return { nodes: [reference(size++), node], count: 2 };
  };
  inserted(catalogOf(file).get("Pages") ?? null, null);
  const object = (number: number): PdfValue => changed.get(number) ?? file.object(number);
  return {
    ...file,
    changed,
    object,
    size,
    resolve: (value) => (isReference(value) ? object(value.number) : (value ?? null)),
  };
}
