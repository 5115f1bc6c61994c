// Inserts blank pages into a printed file.
import { PdfError } from "../syntax/pdf-error.ts";
import { dictionaryOf, isDictionary, isReference, name, reference, type PdfValue } from "../syntax/values.ts";
import { withObjects, type PdfFile } from "./open-pdf.ts";
import { catalogOf, readPages } from "./page-tree.ts";

/**
 * `before` contains the indexes of pages that get a blank page before them. The pages in `boxes` become blank when the file is assembled;
 * until then they keep their content, which tells the margins.
 */
type BlankPages = { before: readonly number[]; boxes: ReadonlySet<number> };

/**
 * Returns the file with blank pages, and whether each of its pages is blank. A blank page has the size of the page on the other side of its
 * sheet of paper. The bytes do not change.
 */
export function insertBlankPages(file: PdfFile, { before, boxes }: BlankPages): { file: PdfFile; isBlank: boolean[] } {
  const sizes = readPages(file).map(({ dictionary }) => dictionary.get("MediaBox") ?? null);
  const changed = new Map(file.changed);
  const isBlank: boolean[] = [];
  let size = file.size;
  let index = 0;
  const blankSize = (pageBefore: number, pageAfter: number): PdfValue => {
    const isBack = isBlank.push(true) % 2 === 0;
    return sizes[isBack ? pageBefore : pageAfter] ?? null;
  };
  /** Returns the nodes that replace the node, and the number of pages in them. */
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
    const page = index++;
    if (boxes.has(page)) {
      changed.set(node.number, new Map([...dictionary, ["MediaBox", blankSize(page - 1, page + 1)]]));
      return { nodes: [node], count: 1 };
    }
    const nodes: PdfValue[] = [node];
    if (before.includes(page)) {
      const blank = { Type: name("Page"), Parent: parent, MediaBox: blankSize(page - 1, page), Resources: new Map() };
      changed.set(size, dictionaryOf(blank));
      nodes.unshift(reference(size++));
    }
    isBlank.push(false);
    return { nodes, count: nodes.length };
  };
  inserted(catalogOf(file).get("Pages") ?? null, null);
  return { file: withObjects(file, changed, size), isBlank };
}
