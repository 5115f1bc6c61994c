// Sorts the table that leads from the names of nodes to the nodes of the tag tree.
import { catalogOf } from "../file/page-tree.ts";
import type { PdfFile } from "../file/open-pdf.ts";
import { isDictionary, isReference, isString, sourceOf, type PdfDictionary, type PdfValue } from "../syntax/values.ts";

type Leaf = { number: number; entries: Entry[] };
type Entry = { name: string; node: number; value: PdfValue };

/**
 * Returns the sources of the table's leaves with the names that the nodes get, in their order. Null if the table is not one that
 * Chromium writes: a root, and leaves with the names of nodes.
 */
export function sortedNodeTable(body: PdfFile, numberOf: (node: number) => number | null): Map<number, string> | null {
  const leaves = leavesOf(body, numberOf);
  if (!leaves) return null;
  const entries = leaves.flatMap((leaf) => leaf.entries).sort((a, b) => a.node - b.node);
  const sources = new Map<number, string>();
  let taken = 0;
  for (const leaf of leaves) {
    const own = entries.slice(taken, (taken += leaf.entries.length));
    sources.set(leaf.number, leafSource(own));
  }
  return sources;
}

function leafSource(entries: readonly Entry[]): string {
  const names = entries.map(({ name, value }) => `(${name})${sourceOf(value)}`).join("");
  return `<</Limits[(${entries[0]?.name})(${entries.at(-1)?.name})]/Names[${names}]>>`;
}

function leavesOf(body: PdfFile, numberOf: (node: number) => number | null): Leaf[] | null {
  const tree = body.resolve(catalogOf(body).get("StructTreeRoot"));
  const root = isDictionary(tree) ? body.resolve(tree.get("IDTree")) : null;
  const kids = isDictionary(root) ? body.resolve(root.get("Kids")) : null;
  if (!Array.isArray(kids) || kids.length === 0) return null;
  const leaves: Leaf[] = [];
  const seen = new Set<number>();
  for (const kid of kids) {
    const leaf = isReference(kid) && !seen.has(kid.number) ? body.resolve(kid) : null;
    const entries = isDictionary(leaf) ? entriesOf(body, leaf, numberOf) : null;
    if (!isReference(kid) || !entries) return null;
    seen.add(kid.number);
    leaves.push({ number: kid.number, entries });
  }
  return leaves;
}

function entriesOf(body: PdfFile, leaf: PdfDictionary, numberOf: (node: number) => number | null): Entry[] | null {
  const names = leaf.has("Kids") ? null : body.resolve(leaf.get("Names"));
  if (!Array.isArray(names) || names.length === 0 || names.length % 2 !== 0) return null;
  const entries: Entry[] = [];
  for (let at = 0; at < names.length; at += 2) {
    const [key, value] = [names[at], names[at + 1]];
    const node = isString(key) && /^node\d{8}$/.test(key.text) ? numberOf(Number(key.text.slice(4))) : null;
    if (node === null || !isReference(value)) return null;
    entries.push({ name: `node${String(node).padStart(8, "0")}`, node, value });
  }
  return entries;
}
