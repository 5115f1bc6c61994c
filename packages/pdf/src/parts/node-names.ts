// Renames the nodes of the tag tree, so that the bytes of a file depend only on the document: Chromium numbers nodes with a
// counter that continues for the life of the browser, and not always in document order.
import type { PdfFile } from "../file/open-pdf.ts";
import { catalogOf } from "../file/page-tree.ts";
import { PdfError } from "../syntax/pdf-error.ts";
import { isDictionary, isReference, isString, sourceOf, type PdfValue } from "../syntax/values.ts";

/** A string with a node's name. In all other strings, Chromium escapes the brackets. */
const nodeName = /\(node\d{8}\)/g;

export function nodeNames(body: PdfFile) {
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
