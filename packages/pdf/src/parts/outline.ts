// Builds the outline of a PDF from the document's headings. Chromium's own outline is not used: it repeats the title of a
// heading that moved to the next page, and version 127 writes invalid parents into it.
import type { PdfWriter } from "../file/pdf-writer.ts";
import { latin1 } from "../syntax/characters.ts";
import { nameSource, textSource } from "../syntax/values.ts";
import { writtenName } from "./destination-names.ts";

/** A heading of the document. `level` is 1 to 6. `name` is the name of its destination in the PDF. */
export type Heading = { level: number; text: string; name: string };

type Node = { heading: Heading; number: number; children: Node[] };

/**
 * Writes the outline, and returns the number of its root; null if it is empty. Headings whose destination is not in the file,
 * because they were not printed, are left out. A heading's parent is the last preceding heading with a lower `level`.
 */
export function addOutline(
  writer: PdfWriter,
  headings: Heading[],
  destinations: ReadonlyMap<string, unknown>,
): number | null {
  const printed = headings.filter(({ name }) => destinations.has(nameInFile(name)));
  if (printed.length === 0) return null;
  const root = writer.reserve(printed.length + 1);
  const top = outlineTree(printed, root + 1);
  const objects = [`<</Type/Outlines${ends(top)}/Count ${printed.length}>>`];
  const addAll = (nodes: Node[], parent: number): void => {
    for (const [index, { heading, number, children }] of nodes.entries()) {
      const [before, after] = [nodes[index - 1], nodes[index + 1]];
      objects[number - root] = [
        `<</Title ${textSource(heading.text)}/Parent ${parent} 0 R/Dest${nameSource(nameInFile(heading.name))}`,
        before ? `/Prev ${before.number} 0 R` : "",
        after ? `/Next ${after.number} 0 R` : "",
        children.length > 0 ? `${ends(children)}/Count ${descendants(children)}` : "",
        ">>",
      ].join("");
      addAll(children, number);
    }
  };
  addAll(top, root);
  for (const [index, source] of objects.entries()) writer.addObject(root + index, source);
  return root;
}

/** Returns the name as it is written, with one character per byte of UTF-8. */
function nameInFile(name: string): string {
  const bytes = new TextEncoder().encode(name);
  return writtenName(latin1(bytes, 0, bytes.length));
}

function outlineTree(headings: Heading[], firstNumber: number): Node[] {
  const top: Node[] = [];
  const open: Node[] = [];
  for (const [index, heading] of headings.entries()) {
    while ((open.at(-1)?.heading.level ?? 0) >= heading.level) open.pop();
    const node = { heading, number: firstNumber + index, children: [] };
    (open.at(-1)?.children ?? top).push(node);
    open.push(node);
  }
  return top;
}

function ends(nodes: Node[]): string {
  return `/First ${nodes[0]?.number} 0 R/Last ${nodes.at(-1)?.number} 0 R`;
}

function descendants(nodes: Node[]): number {
  return nodes.reduce((sum, { children }) => sum + 1 + descendants(children), 0);
}
