// Builds the outline of a PDF without tags. Chromium itself builds the outline of a PDF with tags. The page script
// gives each heading a named destination, which Chromium writes into the file. This module builds the tree of bookmarks
// that refer to these destinations.
import { pdfText } from "./pdf-objects.ts";
import type { Heading } from "../rendering/prepared-page.ts";

type Node = { heading: Heading; number: number; children: Node[] };

/**
 * Returns the PDF objects of the outline by object number, the root first. The parent of a heading is the last
 * preceding heading with a lower `level`.
 */
export function outlineObjects(headings: Heading[], rootNumber: number): Map<number, string> {
  const objects = new Map<number, string>();
  const top = outlineTree(headings, rootNumber);
  objects.set(rootNumber, `<</Type /Outlines\n${ends(top)}\n/Count ${headings.length}>>`);
  const addAll = (nodes: Node[], parent: number): void => {
    for (const [index, { heading, number, children }] of nodes.entries()) {
      const entries = [`/Title ${pdfText(heading.text)}`, `/Parent ${parent} 0 R`, `/Dest /${heading.name}`];
      const [before, after] = [nodes[index - 1], nodes[index + 1]];
      if (before) entries.push(`/Prev ${before.number} 0 R`);
      if (after) entries.push(`/Next ${after.number} 0 R`);
      if (children.length > 0) entries.push(ends(children), `/Count ${descendants(children)}`);
      objects.set(number, `<<${entries.join("\n")}>>`);
      addAll(children, number);
    }
  };
  addAll(top, rootNumber);
  return objects;
}

function outlineTree(headings: Heading[], rootNumber: number): Node[] {
  const top: Node[] = [];
  const open: Node[] = [];
  for (const [index, heading] of headings.entries()) {
    while ((open.at(-1)?.heading.level ?? 0) >= heading.level) open.pop();
    const node = { heading, number: rootNumber + 1 + index, children: [] };
    (open.at(-1)?.children ?? top).push(node);
    open.push(node);
  }
  return top;
}

function ends(nodes: Node[]): string {
  return `/First ${nodes[0]?.number} 0 R\n/Last ${nodes.at(-1)?.number} 0 R`;
}

function descendants(nodes: Node[]): number {
  return nodes.reduce((sum, { children }) => sum + 1 + descendants(children), 0);
}
